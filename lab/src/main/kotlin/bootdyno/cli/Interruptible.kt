package bootdyno.cli

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** How long Ctrl-C waits for children to end before the JVM goes. */
private const val FAREWELL_SECONDS = 30L

/**
 * Runs [action] so that Ctrl-C (or a kill) interrupts it and then waits until it has cleaned up and [interrupted] has said so. Returns
 * false when that happened.
 */
internal fun interruptible(interrupted: () -> Unit, action: () -> Unit): Boolean {
    val worker = Thread.currentThread()
    val cleaned = CountDownLatch(1)
    val hook = Thread {
        worker.interrupt()
        cleaned.await(FAREWELL_SECONDS, TimeUnit.SECONDS)
    }
    Runtime.getRuntime().addShutdownHook(hook)
    return try {
        action()
        true
    } catch (_: InterruptedException) {
        interrupted()
        false
    } finally {
        cleaned.countDown()
        // Refused while shutting down, when the hook has done its duty.
        runCatching { Runtime.getRuntime().removeShutdownHook(hook) }
    }
}
