package dyno;

import io.gatling.app.Gatling;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Runs Gatling's main, and exits when stdin closes, so that it cannot outlive the lab. */
public final class Guarded {
    private static final CountDownLatch GO = new CountDownLatch(1);

    private Guarded() {}

    public static void main(String[] arguments) {
        Thread watch = new Thread(Guarded::watch, "lab");
        watch.setDaemon(true);
        watch.start();
        Gatling.main(arguments);
    }

    /** Signals the lab that counted requests follow, and waits for its confirmation. */
    static void passGate() {
        System.out.println("dyno: ready");
        try {
            GO.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Any byte is the confirmation. */
    private static void watch() {
        try {
            while (System.in.read() >= 0) {
                GO.countDown();
            }
        } catch (IOException broken) {
            // Treated like the end of stdin.
        }
        Runtime.getRuntime().halt(130);
    }
}
