package bootdyno.engine

import bootdyno.model.redactText
import bootdyno.system.BoundedLog
import bootdyno.system.boundedLines
import bootdyno.system.cpuSecondsOf
import bootdyno.system.ioOrNull
import bootdyno.system.kill
import bootdyno.system.pinned
import bootdyno.system.readOrNull
import bootdyno.system.startChild
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.nio.file.Path
import java.util.TreeMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The process of an external load generator. Its output goes to the engine's log, without secrets; the last lines are kept. It and its child
 * processes are killed on close, and when this JVM ends.
 */
class GeneratorProcess private constructor(private val process: Process, private val log: Path) : AutoCloseable {
    val pid: Long = process.pid()
    val exitCode: Int? get() = if (process.isAlive) null else process.exitValue()

    private val started = System.currentTimeMillis()
    private val clock = TimeSource.Monotonic.markNow()

    /** Guarded by itself: the reading thread adds, the driving thread reads. */
    private val last = ArrayDeque<String>()
    private val listened = CountDownLatch(1)
    private val endWithJvm = Thread { kill() }

    /** Milliseconds since 1970: start time plus elapsed time, because the wall clock may be set meanwhile. */
    val now: Long get() = started + clock.elapsedNow().inWholeMilliseconds

    /** Whether it is stopped, as by SIGSTOP; its failures are not the subject's then. */
    val isStopped: Boolean
        get() = readOrNull(Path.of("/proc/$pid/stat"))?.substringAfterLast(") ")?.startsWith("T") ?: false

    /**
     * Calls [look] ten times per second, and once more with `true` after the process has ended or [isOver]. Adds its CPU time to [cpu].
     */
    fun follow(cpu: CpuTrace = CpuTrace(), isOver: () -> Boolean = { false }, look: (over: Boolean) -> Unit) {
        do {
            val ended = process.waitFor(LOOK.inWholeMilliseconds, TimeUnit.MILLISECONDS)
            if (ended) awaitOutput()
            val over = ended || isOver()
            if (!over) cpuSeconds()?.let { cpu.add(now, it) }
            look(over)
        } while (!over)
    }

    /** The last lines that are not blank; complete after the process has ended. */
    fun lastLines(): List<String> {
        if (!process.isAlive) awaitOutput()
        return synchronized(last) { last.toList() }
    }

    fun lastWords(): String = "${lastLines().joinToString(" | ").ifEmpty { "it printed nothing" }} (see $log)"

    /** CPU seconds of the process and its running child processes; null if unreadable. */
    fun cpuSeconds(): Double? =
        cpuSecondsOf(pid)?.let { own -> own + process.descendants().mapToDouble { cpuSecondsOf(it.pid()) ?: 0.0 }.sum() }

    fun write(byte: Int) {
        // It has ended; the next look reports that.
        ioOrNull {
            process.outputStream.write(byte)
            process.outputStream.flush()
        }
    }

    /** Kills it with its child processes, and waits until they have ended. */
    fun kill() {
        process.descendants().forEach { it.destroyForcibly() }
        process.kill()
        withoutInterrupts { process.waitFor(LONGEST_KILL.inWholeSeconds, TimeUnit.SECONDS) }
    }

    override fun close() {
        kill()
        awaitOutput()
        try {
            Runtime.getRuntime().removeShutdownHook(endWithJvm)
        } catch (_: IllegalStateException) {
            // The JVM is shutting down, and the hook is running.
        }
    }

    /** With a time limit, because a surviving child process may continue to print. */
    private fun awaitOutput() {
        withoutInterrupts { listened.await(LONGEST_OUTPUT.inWholeSeconds, TimeUnit.SECONDS) }
    }

    private fun listen(isLogged: (String) -> Boolean) {
        try {
            BoundedLog.open(log).use { log -> process.inputStream.boundedLines().filter(isLogged).forEach { keep(it, log) } }
        } catch (_: IOException) {
            // The pipe broke with the process.
        } finally {
            listened.countDown()
        }
    }

    private fun keep(line: String, log: BoundedLog) {
        log.write("${redactText(line)}\n".toByteArray())
        if (line.isBlank()) return
        synchronized(last) {
            last.addLast(line.trim())
            if (last.size > KEPT_LINES) last.removeFirst()
        }
    }

    companion object {
        private const val KEPT_LINES = 5
        private val LOOK = 100.milliseconds
        private val LONGEST_KILL = 10.seconds
        private val LONGEST_OUTPUT = 2.seconds

        /**
         * Starts [command] in [folder], on the CPUs of [context]. [isLogged] gets each printed line on a separate thread, and decides whether it is
         * logged. Stdin stays open if [fed].
         */
        fun start(
            context: EngineContext,
            command: List<String>,
            folder: Path,
            environment: Map<String, String> = emptyMap(),
            fed: Boolean = false,
            isLogged: (String) -> Boolean = { true },
        ): GeneratorProcess {
            val process = startChild(pinned(command, context.cpus), environment, folder = folder, fed = fed)
            return GeneratorProcess(process, context.log).also {
                Runtime.getRuntime().addShutdownHook(it.endWithJvm)
                thread(isDaemon = true, name = "generator-${it.pid}") { it.listen(isLogged) }
            }
        }
    }
}

/** CPU time of a process over time. */
class CpuTrace {
    private val readings = TreeMap<Long, Double>()

    /** [cpuSeconds] since the start of the process, read at [at], ms of the wall clock. */
    fun add(at: Long, cpuSeconds: Double) {
        readings[at] = cpuSeconds
    }

    /** CPU seconds from [from] to [to], ms of the wall clock, with linear interpolation between readings. */
    fun seconds(from: Long, to: Long): Double = at(to) - at(from)

    private fun at(time: Long): Double {
        val later = readings.ceilingEntry(time) ?: return readings.lastEntry()?.value ?: 0.0
        val earlier = readings.lowerEntry(time) ?: return later.value
        val share = (time - earlier.key).toDouble() / (later.key - earlier.key)
        return earlier.value + share * (later.value - earlier.value)
    }
}
