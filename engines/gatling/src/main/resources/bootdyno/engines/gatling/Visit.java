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

    /** Whether the step of a chain that was asked last is behind us. */
    private boolean passed;

    Visit(Order order) {
        this.order = order;
    }

    /** Whether to ask once more; asked once for each request, or each chain. */
    boolean next() {
        if (asked == order.requestsEach || order.isOver()) {
            return false;
        }
        failures = answered ? 0 : failures + 1;
        answered = false;
        asked++;
        if (order.chain != null) {
            order.chain.begin(values);
        }
        return true;
    }

    /** Whether to go on with this step of a chain; asked once for each, in their order. */
    boolean asks(int step) {
        if (step > 0 && (!passed || order.isOver())) {
            passed = false;
            return false;
        }
        passed = false;
        answered = false;
        return true;
    }

    /** Whether the body is as it should be, and holds what is to be captured from it. */
    boolean takes(int step, byte[] body) {
        boolean taken = order.chain.takes(step, body, values);
        passed = taken && proper;
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
