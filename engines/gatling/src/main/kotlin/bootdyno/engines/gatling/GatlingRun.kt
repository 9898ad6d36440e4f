package bootdyno.engines.gatling

import bootdyno.engine.CpuTrace
import bootdyno.engine.EngineFailed
import bootdyno.system.BoundedLog
import bootdyno.system.boundedLines
import bootdyno.system.kill
import bootdyno.system.startChild
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * How a run of Gatling ended. [summary] is the last it printed, [lastLines] the last it said besides; [sendingSince] is when our
 * own simulation began to ask, ms since 1970.
 */
internal class GatlingEnded(
    val exitCode: Int,
    val summary: Summary?,
    val cpu: CpuTrace,
    val lastLines: List<String>,
    val sendingSince: Long? = null,
)

/** What a run tells while it goes on. */
internal interface GatlingListener {
    /** Nothing has been asked yet; it goes on when this returns. */
    fun began()

    /** [at] is the time since it [began]. */
    fun told(at: Duration, summary: Summary)
}

/** One process of Gatling, from its start to its end. */
internal class GatlingRun private constructor(private val process: Process, private val log: Path, scenario: String?) :
    AutoCloseable {
    val pid: Long get() = process.pid()
    private val said = LinkedBlockingQueue<Said>()
    private val cpu = CpuTrace()
    private val console = ConsoleReader(scenario)

    @Volatile
    private var sendingSince: Long? = null

    /** Guarded by itself: the listening thread adds, the driving one reads. */
    private val last = ArrayDeque<String>()

    /**
     * Follows it to its end; [gated], it waits before its first request for [listener] to be ready, else its word that it has
     * started is as early as one gets to know. Not longer than [longest] from there on, and never longer than [silence] without a
     * word: it tells its totals each second.
     */
    fun follow(gated: Boolean, longest: Duration, silence: Duration = LONGEST_SILENCE, listener: GatlingListener): GatlingEnded {
        listen()
        var summary: Summary? = null
        var began: TimeSource.Monotonic.ValueTimeMark? = null
        val started = TimeSource.Monotonic.markNow()
        var heard = started
        while (true) {
            val word = said.poll(CPU_EVERY_MILLIS, TimeUnit.MILLISECONDS)
            readCpu()
            if (word != null) heard = TimeSource.Monotonic.markNow()
            when (word) {
                Said.Ended -> return GatlingEnded(exitCode(), summary, cpu, lastLines(), sendingSince)

                Said.Ready, Said.Started -> if (began == null && gated == (word == Said.Ready)) {
                    began = TimeSource.Monotonic.markNow()
                    listener.began()
                    if (gated) openGate()
                }

                is Said.Told -> {
                    summary = word.summary
                    began?.let { listener.told(it.elapsedNow(), word.summary) }
                }

                null -> Unit
            }
            if (began == null && started.elapsedNow() > LONGEST_START) throw late("start within $LONGEST_START")
            if (began != null && heard.elapsedNow() > silence) throw late("say a word for $silence, and was killed")
            if (began != null && began.elapsedNow() > longest) throw late("end within $longest")
        }
    }

    fun cpuSeconds(): Double? = process.info().totalCpuDuration().map { it.toNanos() / 1e9 }.orElse(null)

    /** Kills it if it still runs, and waits until it is gone. */
    override fun close() {
        process.descendants().forEach { it.destroyForcibly() }
        process.kill()
        val interrupted = Thread.interrupted()
        try {
            process.waitFor(LONGEST_KILL.inWholeSeconds, TimeUnit.SECONDS)
        } finally {
            if (interrupted) Thread.currentThread().interrupt()
        }
    }

    private fun exitCode(): Int {
        if (!process.waitFor(LONGEST_KILL.inWholeSeconds, TimeUnit.SECONDS)) throw late("end when it had said its last word")
        return process.exitValue()
    }

    private fun late(what: String) = EngineFailed("Gatling did not $what: ${lastLines().joinToString(" | ")} (see $log)")

    private fun readCpu() {
        cpuSeconds()?.let { cpu.add(System.currentTimeMillis(), it) }
    }

    private fun openGate() {
        try {
            process.outputStream.write('g'.code)
            process.outputStream.flush()
        } catch (_: IOException) {
            // It died, which is what it says next.
        }
    }

    /** Reading a pipe cannot be interrupted; waiting for a queue can. */
    private fun listen() {
        thread(isDaemon = true, name = "gatling-$pid") {
            try {
                BoundedLog.open(log).use { log ->
                    process.inputStream.boundedLines().forEach { line -> hear(line)?.let { note(it, log) } }
                }
            } catch (_: IOException) {
                // The pipe broke with the process; that it ended is what the queue says next.
            } finally {
                said.put(Said.Ended)
            }
        }
    }

    /** @return the line for the log; null for a summary's, of which there is one a second */
    private fun hear(line: String): String? {
        SENDING.matchEntire(line)?.let { sendingSince = it.groupValues[1].toLongOrNull() }
        console.take(line)?.let { said.put(Said.Told(it)) }
        when {
            console.inSummary -> return null
            line == READY -> said.put(Said.Ready)
            STARTED.matches(line) -> said.put(Said.Started)
        }
        return line
    }

    private fun note(line: String, log: BoundedLog) {
        log.write("$line\n".toByteArray())
        if (line.isBlank()) return
        synchronized(last) {
            last.addLast(line.trim())
            if (last.size > LAST_LINES) last.removeFirst()
        }
    }

    private fun lastLines() = synchronized(last) { last.toList() }

    private sealed interface Said {
        data object Ready : Said

        data object Started : Said

        data class Told(val summary: Summary) : Said

        data object Ended : Said
    }

    companion object {
        /**
         * Starts [command] in [folder]; what it prints goes to [log], its summaries left out. Of the users only [scenario]'s are
         * told, if given.
         */
        fun start(
            command: List<String>,
            folder: Path,
            environment: Map<String, String>,
            log: Path,
            scenario: String?,
        ): GatlingRun = GatlingRun(startChild(command, environment, folder = folder, fed = true), log, scenario)

        private const val READY = "dyno: ready"
        private val SENDING = Regex("""dyno: sending since (\d+)""")
        private val STARTED = Regex("""Simulation \S+ started\.\.\.""")
        private const val LAST_LINES = 6
        private const val CPU_EVERY_MILLIS = 100L
        private val LONGEST_START = 180.seconds
        private val LONGEST_SILENCE = 60.seconds
        private val LONGEST_KILL = 10.seconds
    }
}
