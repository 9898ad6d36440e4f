package bootdyno.measure

import bootdyno.launch.docker.removeDockerResource
import bootdyno.run.MachineBusy
import bootdyno.run.MachineLock
import bootdyno.system.Watchdog
import bootdyno.system.endAllChildren
import bootdyno.system.ledger.Ledger
import bootdyno.system.onFailure
import com.github.ajalt.clikt.core.ProgramResult
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path

/** The machine, for one measurement or build; [close] ends all that was started meanwhile. */
internal class HeldMachine private constructor(private val lock: MachineLock, val ledger: Ledger) : AutoCloseable {
    private val watchdog = Watchdog.start(cleanUpCommand())

    override fun close() = lock.use { watchdog.use { ledger.use { endAllChildren() } } }

    companion object {
        /**
         * Takes the lock, and removes what dead processes left.
         * @throws MachineBusy when another measurement is running
         */
        fun take(say: (String) -> Unit): HeldMachine {
            val lock = MachineLock.take(Path(System.getProperty("java.io.tmpdir"), "boot-dyno.lock"))
            return onFailure(lock::close) {
                val ledger = Ledger(madeStateFolder()) { removeDockerResource(it) }
                ledger.cleanUpAfterTheDead().forEach(say)
                HeldMachine(lock, ledger)
            }
        }
    }
}

/** Time limit for child processes to end after Ctrl-C. */
private const val FAREWELL_SECONDS = 30L

/**
 * Runs [action] so that Ctrl-C (or a kill) interrupts it, and the JVM waits for its cleanup and [interrupted]. The command ends then.
 */
fun <T> interruptible(interrupted: () -> Unit = {}, action: () -> T): T {
    val worker = Thread.currentThread()
    val cleaned = CountDownLatch(1)
    val hook = Thread {
        worker.interrupt()
        cleaned.await(FAREWELL_SECONDS, TimeUnit.SECONDS)
    }
    Runtime.getRuntime().addShutdownHook(hook)
    return try {
        action()
    } catch (_: InterruptedException) {
        interrupted()
        throw ProgramResult(INTERRUPTED)
    } finally {
        cleaned.countDown()
        // Refused during shutdown, when the hook has already run.
        runCatching { Runtime.getRuntime().removeShutdownHook(hook) }
    }
}
