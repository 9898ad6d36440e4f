package dyno;

import java.time.Duration;

/** One user's stay. Only that user's event loop touches it, one step after the other. */
final class Visit {
    private final Order order;
    private int asked;
    private boolean answered = true;
    private int failures;

    Visit(Order order) {
        this.order = order;
    }

    /** Whether to ask once more; asked once for each request. */
    boolean next() {
        if (asked == order.requestsEach || order.isOver()) {
            return false;
        }
        failures = answered ? 0 : failures + 1;
        answered = false;
        asked++;
        return true;
    }

    /** The server has said something, good or not. */
    void answered() {
        answered = true;
    }

    boolean unanswered() {
        return !answered;
    }

    /** 10, 20, 40, 80, 100 ms: as our own engine waits before it asks again a server that refuses, resets or closes. */
    Duration patience() {
        return Duration.ofMillis(Math.min(100, 10L << Math.min(failures, 4)));
    }
}
