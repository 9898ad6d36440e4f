package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.system.ChildOutput
import bootdyno.system.kill
import bootdyno.system.pinned
import bootdyno.system.startChild
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A run of wrk, from its start to its end; what it prints goes to [said]. */
internal class WrkRun private constructor(private val process: Process, private val said: ChildOutput) {
    val pid: Long = process.pid()
    private val began = System.nanoTime()

    val seconds: Double get() = (System.nanoTime() - began) / NANOS_PER_SECOND

    /**
     * Waits for its end, telling each second that passes. An interrupt kills it.
     * @return its exit code
     * @throws EngineFailed when it goes on for [farewell] longer than [length]
     */
    fun await(length: Duration, farewell: Duration = FAREWELL, eachSecond: () -> Unit): Int {
        try {
            val deadline = began + (length + farewell).inWholeNanoseconds
            var next = began
            while (true) {
                next += 1.seconds.inWholeNanoseconds
                if (process.waitFor(minOf(next, deadline) - System.nanoTime(), TimeUnit.NANOSECONDS)) return process.exitValue()
                if (System.nanoTime() >= deadline) {
                    throw EngineFailed("wrk was still running $farewell after it should have ended, and was killed.")
                }
                eachSecond()
            }
        } finally {
            if (process.isAlive) {
                process.kill()
                process.waitFor(KILLED.inWholeSeconds, TimeUnit.SECONDS)
            }
            said.close()
        }
    }

    fun lastLines(): String = said.lastLines(LAST_LINES).joinToString(" | ")

    /** Requests written so far, as the kernel counts wrk's `write` calls (proc_pid_io(5)); null where it does not tell. */
    fun written(): Long? {
        val file = Path.of("/proc/$pid/io")
        if (!Files.isReadable(file)) return null
        return runCatching { Files.readAllLines(file) }.getOrNull()
            ?.find { it.startsWith("syscw:") }?.substringAfter(':')?.trim()?.toLongOrNull()
    }

    companion object {
        fun start(command: List<String>, cpus: List<Int>, folder: Path, log: Path): WrkRun {
            val process = startChild(pinned(command, cpus), folder = folder)
            return WrkRun(process, ChildOutput.start(log, process.inputStream))
        }

        /** Its threads end within 100 ms; then it writes down what it knows, and a user's `done` may take its time. */
        private val FAREWELL = 30.seconds
        private val KILLED = 5.seconds
        private const val LAST_LINES = 5
        private const val NANOS_PER_SECOND = 1e9
    }
}
