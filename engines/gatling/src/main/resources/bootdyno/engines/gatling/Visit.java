package dyno;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** One user's stay. Only that user's event loop touches it, one step after the other. */
final class Visit {
    private final Order order;

    /** Of the chain under way: its row, and what was captured. */
    final Map<String, String> values = new HashMap<>();

    private int asked;
    private boolean answered = true;
    private int failures;

    /** Whether the last answer was of the status and the type it should be: Gatling looks at its body either way. */
    private boolean proper;

    /** Whether its body was that too, where it matters. */
    private boolean taken;

    Visit(Order order) {
        this.order = order;
    }

    /** Whether to ask once more; asked once for each request, or each chain. */
    boolean next() {
        if (asked == order.requestsEach || order.isOver()) {
            return false;
        }
        failures = answered ? 0 : failures + 1;
        asked++;
        order.chain.begin(values);
        expectAnswer();
        return true;
    }

    /** Whether to go on with the next step; asked once for each after the first, in their order. */
    boolean goesOn() {
        boolean on = proper && taken && !order.isOver();
        if (on) {
            expectAnswer();
        }
        proper = false;
        return on;
    }

    private void expectAnswer() {
        answered = false;
        proper = false;
        taken = true;
    }

    /** Whether the body is as it should be, and holds what is to be captured from it. */
    boolean takes(int step, byte[] body) {
        taken = order.chain.takes(step, body, values);
        return taken;
    }

    /** The server has said something, with the expected status or not. */
    void answered(boolean asExpected) {
        answered = true;
        proper = asExpected;
    }

    /** Then the type of what it said is looked at. */
    boolean ofType(boolean asExpected) {
        proper &= asExpected;
        return asExpected;
    }

    boolean unanswered() {
        return !answered;
    }

    /** 10, 20, 40, 80, 100 ms: as our own engine waits before it asks again a server that refuses, resets or closes. */
    Duration patience() {
        return Duration.ofMillis(Math.min(100, 10L << Math.min(failures, 4)));
    }
}
