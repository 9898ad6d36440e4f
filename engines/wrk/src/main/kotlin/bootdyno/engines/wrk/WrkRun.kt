package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.system.readOrNull
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/** A run of wrk, from its start to its end. */
internal class WrkRun(private val process: GeneratorProcess) {
    private val began = TimeSource.Monotonic.markNow()

    val seconds: Double get() = began.elapsedNow().toDouble(DurationUnit.SECONDS)

    /**
     * Waits for its end, and calls [eachSecond] for each second that passes.
     * @return its exit code
     * @throws EngineFailed when it goes on for [farewell] longer than [length]
     */
    fun await(length: Duration, farewell: Duration = FAREWELL, eachSecond: () -> Unit = {}): Int {
        var next = 1.seconds
        process.follow { ended ->
            val elapsed = began.elapsedNow()
            if (!ended && elapsed > length + farewell) {
                process.kill()
                throw EngineFailed("wrk was still running $farewell after it should have ended, and was killed.")
            }
            if (!ended && elapsed >= next) {
                next += 1.seconds
                eachSecond()
            }
        }
        return process.exitCode ?: error("wrk still runs")
    }

    /** Requests written so far, as the kernel counts wrk's `write` calls (proc_pid_io(5)); null where it does not say. */
    fun written(): Long? = readOrNull(Path.of("/proc/${process.pid}/io"))?.lineSequence()
        ?.find { it.startsWith("syscw:") }?.substringAfter(':')?.trim()?.toLongOrNull()

    private companion object {
        /** Its threads end within 100 ms; then it writes down what it measured, and a user's `done` may take its time. */
        val FAREWELL = 30.seconds
    }
}
