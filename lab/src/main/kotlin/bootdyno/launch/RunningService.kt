package bootdyno.launch

import bootdyno.model.ServedCounts
import bootdyno.model.ServiceFound
import kotlin.time.Duration

/** A service that was started (or, given by its address, found). Closing it leaves nothing behind; closing twice is fine. */
interface RunningService : AutoCloseable {
    val name: String

    /** What it is, where it can be reached and what it may use, as the kernel says now. */
    val found: ServiceFound

    /** Its processes of this moment; none of a server that already ran. */
    fun pids(): List<Long>

    /** As long as it may take by its declaration, else null. */
    val readyWithin: Duration? get() = null

    /** Waits until it can be called, and counts where it says that it does; [tell] as in [RunningSubject.awaitReady]. Throws [LaunchFailed], at once when it dies. */
    fun awaitReady(deadline: Duration, tell: (Awaited) -> Unit = {}): Startup

    /** What it has served so far, [at] seconds since the trial began; null where it does not say. */
    fun counts(at: Double): ServedCounts?

    /** Null while it lives; then how it ended, in a sentence. */
    fun deathReport(): String?

    fun lastLogLines(n: Int = 20): List<String>
}
