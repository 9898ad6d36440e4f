package dyno;

import io.gatling.app.Gatling;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Runs Gatling as its own main does, but not longer than the lab that started it: it ends with its stdin. */
public final class Guarded {
    private static final CountDownLatch GO = new CountDownLatch(1);

    private Guarded() {}

    public static void main(String[] arguments) {
        Thread watch = new Thread(Guarded::watch, "lab");
        watch.setDaemon(true);
        watch.start();
        Gatling.main(arguments);
    }

    /** Tells the lab that the next request is one that counts, and waits until it has taken note. */
    static void passGate() {
        System.out.println("dyno: ready");
        try {
            GO.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Any byte opens the gate. */
    private static void watch() {
        try {
            while (System.in.read() >= 0) {
                GO.countDown();
            }
        } catch (IOException broken) {
            // It is the end as well.
        }
        Runtime.getRuntime().halt(130);
    }
}
