package dyno;

import bootdyno.engines.gatling.PreparedStep;
import bootdyno.engines.gatling.SimulationOrder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** One user's stay. Only that user's event loop touches it, one step after the other. */
final class Visit {
    private final SimulationOrder order;

    /** Of the chain under way: its row, and what was captured. */
    final Map<String, String> values = new HashMap<>();

    private int begun;
    private boolean answered = true;
    private int failures;

    /** Whether the last answer was of the status and the type it should be: Gatling looks at its body either way. */
    private boolean proper;

    /** Whether its body was as it should be, where that is looked at. */
    private boolean taken;

    Visit(SimulationOrder order) {
        this.order = order;
    }

    /** Begins a chain, unless all are over; called once for each chain. */
    boolean next() {
        if (begun == order.getChainsEach() || order.isOver()) {
            return false;
        }
        begun++;
        failures = answered ? 0 : failures + 1;
        order.begin(values);
        begin();
        return true;
    }

    /** A chain of the warm-up. */
    void warmUp() {
        order.beginWarmUp(values);
        begin();
    }

    /** Whether to send the next step, which is not the first; called once for each, in their order. */
    boolean goesOn() {
        if (!proper || !taken || order.isOver()) {
            proper = false;
            return false;
        }
        begin();
        return true;
    }

    private void begin() {
        answered = false;
        proper = false;
        taken = true;
    }

    /** Whether the body is as it should be, and holds what is to be captured from it. */
    boolean takes(PreparedStep step, byte[] body) {
        taken = step.takes(body, values);
        return taken;
    }

    /** There was an answer, with the expected status or not. */
    void answered(boolean asExpected) {
        answered = true;
        proper = asExpected;
    }

    /** Then its type is looked at. */
    boolean ofType(boolean asExpected) {
        proper &= asExpected;
        return asExpected;
    }

    boolean unanswered() {
        return !answered;
    }

    /** 10, 20, 40, 80, 100 ms: as our own engine waits before it sends again to a server that refuses, resets or closes. */
    Duration patience() {
        return Duration.ofMillis(Math.min(100, 10L << Math.min(failures, 4)));
    }
}
