package dyno;

import bootdyno.engines.gatling.PreparedStep;
import bootdyno.engines.gatling.SimulationOrder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** State of one user. Used only by that user's event loop. */
final class Visit {
    private final SimulationOrder order;

    /** Values of the current chain: its data row and captured values. */
    final Map<String, String> values = new HashMap<>();

    private int begun;
    private boolean answered = true;
    private int failures;

    /** Whether status and type of the last response were as expected; Gatling checks the body in any case. */
    private boolean proper;

    /** Whether its body was as expected, if checked. */
    private boolean taken;

    Visit(SimulationOrder order) {
        this.order = order;
    }

    /** Starts a chain unless the load has ended; called once per chain. */
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

    /** Whether to send the next step after the first; called once per step, in order. */
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

    /** Whether the body is as expected and contains all values to capture. */
    boolean takes(PreparedStep step, byte[] body) {
        taken = step.takes(body, values);
        return taken;
    }

    /** Called for a response with any status. */
    void answered(boolean asExpected) {
        answered = true;
        proper = asExpected;
    }

    /** Called for its content type. */
    boolean ofType(boolean asExpected) {
        proper &= asExpected;
        return asExpected;
    }

    boolean unanswered() {
        return !answered;
    }

    /** 10, 20, 40, 80, 100 ms: delays before retries after refused, reset or closed connections, as in our own engine. */
    Duration patience() {
        return Duration.ofMillis(Math.min(100, 10L << Math.min(failures, 4)));
    }
}
