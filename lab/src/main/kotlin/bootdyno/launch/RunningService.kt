package bootdyno.launch

import bootdyno.model.ServedCounts
import bootdyno.model.ServiceFound
import kotlin.time.Duration

/** A running service, started by us or not. Closing it cleans up, and may be repeated. */
interface RunningService : AutoCloseable {
    val name: String

    /** Its command, addresses and CPUs as read back. */
    val found: ServiceFound

    /** Its current processes; empty for a server that was already running. */
    fun pids(): List<Long>

    /** Its declared time limit for the start; null for the default. */
    val readyWithin: Duration? get() = null

    /** Waits until it is ready, and returns its counts if it declares them; [tell] as in [RunningSubject.awaitReady]. Throws [LaunchFailed], immediately if it ends. */
    fun awaitReady(deadline: Duration, tell: (Awaited) -> Unit = {}): Startup

    /** Its counts, [at] seconds since the start of the trial; null if it has none. */
    fun counts(at: Double): ServedCounts?

    /** How it ended, as a sentence; null while it runs. */
    fun deathReport(): String?

    fun lastLogLines(n: Int = 20): List<String>
}
