import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that wait for each other in known ways: 2 for a monitor, 2 for a lock, 5 virtual ones for a semaphore, 2 workers of an executor that sleep.
 * One computes for a quarter of the time.
 * Listens on a port, accepts one connection and no more, and opens one to the port of its argument. Ends when its input does.
 */
public class Waiting {
    static final Object MONITOR = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Semaphore PERMITS = new Semaphore(0);
    static final CountDownLatch OWNED = new CountDownLatch(2);

    public static void main(String[] arguments) throws Exception {
        start("holder-1", () -> { synchronized (MONITOR) { OWNED.countDown(); sleep(); } });
        start("owner-1", () -> { LOCK.lock(); OWNED.countDown(); sleep(); });
        OWNED.await();
        for (int i = 1; i <= 2; i++) {
            Thread blocked = start("monitor-waiter-" + i, () -> { synchronized (MONITOR) { sleep(); } });
            while (blocked.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
            Thread parked = start("lock-waiter-" + i, LOCK::lock);
            while (parked.getState() != Thread.State.WAITING) Thread.onSpinWait();
        }
        var executor = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 2; i++) executor.submit(Waiting::sleep);
        try {
            var startVirtual = Thread.class.getMethod("startVirtualThread", Runnable.class);
            for (int i = 0; i < 5; i++) startVirtual.invoke(null, (Runnable) PERMITS::acquireUninterruptibly);
            while (PERMITS.getQueueLength() < 5) Thread.onSpinWait();
        } catch (NoSuchMethodException before21) {
            // This JDK has none.
        }
        start("spinner", () -> { while (true) spin(); });
        try (var peer = new Socket("127.0.0.1", Integer.parseInt(arguments[0])); var server = new ServerSocket(0)) {
            System.out.println(server.getLocalPort());
            try (var client = server.accept()) {
                System.out.println("accepted");
                System.in.read();
            }
        }
        System.exit(0);
    }

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void spin() {
        long end = System.nanoTime() + 5_000_000;
        while (System.nanoTime() < end) Thread.onSpinWait();
        LockSupport.parkNanos(15_000_000);
    }

    static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
