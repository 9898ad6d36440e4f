package bootdyno.engines.k6

import bootdyno.engine.CpuTrace
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.SampleProgress
import bootdyno.engine.allToSubject
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

/**
 * One run of k6, which writes its samples to [results] and its totals to [summary]; by our [own] script, or a user's with [local] addresses. [takeLine] is for the reading thread, the rest for the
 * driving thread.
 */
internal class K6Run(
    private val order: LoadOrder,
    own: Boolean,
    private val results: Path,
    private val summary: Path,
    private val context: EngineContext,
    private val local: Set<String> = emptySet(),
    private val onSecond: (LoadSecond) -> Unit,
) {
    private val cpu = CpuTrace()
    private val outcome = K6Outcome(order, own, results)
    private val progress =
        if (own) SampleProgress(order.settle, order.window) else SampleProgress(Duration.ZERO, Duration.INFINITE)

    /** When our own script began to send, ms since 1970; null for a user's. */
    private var startedAt: Long? = null

    /** The first error that k6 logged: it says why there are no requests. */
    @Volatile
    private var complaint: String? = null

    /** How many iterations ended with an exception of the script, and the first. */
    @Volatile
    private var exceptions = 0L

    @Volatile
    private var exception = ""

    /** The metrics whose thresholds failed. */
    @Volatile
    private var crossed = emptyList<String>()

    /** Every line is logged. */
    fun takeLine(line: String): Boolean {
        if (ERROR !in line) return true
        val message = MESSAGE.find(line)?.groupValues?.get(1)?.let(::plain) ?: line.trim()
        if (complaint == null) complaint = message
        if (EXCEPTION in line && exceptions++ == 0L) exception = message.take(SHOWN)
        CROSSED.find(message)?.let { crossed = it.groupValues[1].split(", ") }
        return true
    }

    /** @throws EngineFailed if k6 made no load, or wrote nothing for [silence] */
    fun measure(engine: String, process: GeneratorProcess, silence: Duration = LONGEST_SILENCE): LoadMeasured {
        follow(process, silence)
        val code = process.exitCode
        fun failed(what: String) = EngineFailed("$what: ${complaint ?: process.lastWords()}")
        when (code) {
            GOOD, THRESHOLDS_FAILED, MARKED_FAILED -> Unit
            INVALID_OPTIONS, SCRIPT_FAILED -> throw failed("The script of k6 is broken")
            SCRIPT_ABORTED -> throw failed("The script of k6 aborted its run")
            else -> throw failed("k6 ended with exit code $code")
        }
        if (progress.samples == 0L) {
            throw failed("k6 made no request: does the script have scenarios or a default function that send one?")
        }
        val count = outcome.counted(progress, startedAt)
        requestsIn(summary)?.takeIf { it != count.requests }?.let {
            throw EngineFailed("k6 counted $it requests, and its samples show ${count.requests}: some were lost")
        }
        val generator = context.generator(cpu.seconds(count.from / MICROS_PER_MILLI, count.to / MICROS_PER_MILLI))
        val complaints = mapOf(
            "iterations ended by an exception of the script ($exception)" to exceptions,
            "metrics with failed thresholds (${crossed.joinToString()})" to crossed.size.toLong(),
            "verdicts of the script that the run failed" to if (code == MARKED_FAILED) 1L else 0L,
        ) + allToSubject("script", local)
        return outcome.measured(count, engine, generator, complaints.filterValues { it > 0 })
    }

    /** Follows [process] to its end, and reports its seconds. k6 writes its number of users every second, also before the first request. */
    private fun follow(process: GeneratorProcess, silence: Duration) {
        var users = 0L
        var heard = Monotonic.markNow()
        var size = 0L
        val samples = K6Results(order.base, progress::add) {
            if (it.metric == "vus") users = it.value.toLong()
            if (it.metric == STARTED) startedAt = it.value.toLong()
        }
        val file = lazy { Files.newInputStream(results) }
        try {
            process.follow(cpu) { over ->
                if (Files.exists(results)) samples.readOn(file.value)
                progress.second(process.now, if (over) 1.milliseconds else 1.seconds, users)?.let(onSecond)
                val now = if (Files.exists(results)) Files.size(results) else 0L
                if (now != size) heard = Monotonic.markNow()
                size = now
                if (!over && heard.elapsedNow() > silence) {
                    throw EngineFailed("k6 wrote nothing for $silence, and was killed: ${process.lastWords()}")
                }
            }
        } finally {
            if (file.isInitialized()) file.value.close()
        }
    }
}

private val LONGEST_SILENCE = 60.seconds

/** Exit codes: errext/exitcodes/codes.go of k6. */
private const val GOOD = 0
private const val INVALID_OPTIONS = 104
private const val SCRIPT_FAILED = 107
private const val SCRIPT_ABORTED = 108

/** The run is complete, and the script calls it a failure. */
private const val THRESHOLDS_FAILED = 99
private const val MARKED_FAILED = 110
private val CROSSED = Regex("thresholds on metrics '([^']*)' have been crossed")

/** `time="…" level=error msg="SyntaxError: …\n\tat …" hint="script exception"`. */
private const val ERROR = "level=error"
private const val EXCEPTION = "source=stacktrace"
private const val SHOWN = 150
private val MESSAGE = Regex("""msg="((?:[^"\\]|\\.)*)"""")

private val WHICH = Regex("^could not initialize '.*?': could not load JS test '.*?': ")

private fun plain(quoted: String) = quoted.replace("\\n", " ").replace("\\t", "").replace("\\\"", "\"").replace(WHICH, "").trim()
