package bootdyno.engines.jmeter

import bootdyno.engine.CpuTrace
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.SampleProgress
import bootdyno.model.Step
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * The counted part of a run, and its end; all times count from the first sample.
 *
 * The window opens after [settle] and ends with the last sample, or after [window]. If the load [lasts] beyond the window, the window is
 * exactly [window] long. A run is stopped after [stopAfter].
 */
internal data class RunLength(val settle: Duration, val window: Duration, val lasts: Boolean, val stopAfter: Duration)

/** A plan ready to run, and how to read its results. Closing it deletes its temporary files. */
internal class PreparedPlan(
    val file: Path,
    /** Working directory of JMeter, the base of the plan's relative paths. */
    val workingFolder: Path,
    /** Properties that the plan reads by `${__P(name)}`. */
    val properties: Map<String, String>,
    /** Number of threads, if known. */
    val users: Int?,
    val length: RunLength,
    /** Its requests; empty for a user's plan, which may send any. */
    val steps: List<Step> = emptyList(),
    val transactions: TransactionRows = TransactionRows.NONE,
    /** What the reader of the figures must know of the plan, with numbers. */
    val complaints: Map<String, Long> = emptyMap(),
    private val atEnd: () -> Unit = {},
) : AutoCloseable {
    override fun close() = atEnd()
}

/** Names of JMeter's results and log in the folder of a run. */
internal const val RESULTS = "results.jtl"
internal const val LOG = "jmeter.log"

/** One run of JMeter in [folder] and its results. */
internal class JMeterDrive(
    private val order: LoadOrder,
    private val plan: PreparedPlan,
    private val process: GeneratorProcess,
    private val console: JMeterConsole,
    folder: Path,
    private val context: EngineContext,
    private val onSecond: (LoadSecond) -> Unit,
) {
    private val results = folder.resolve(RESULTS)
    private val log = folder.resolve(LOG)
    private val cpu = CpuTrace()
    private val started = process.now
    private val stopLate = StopLate(process, console, order.timeout, context::note)

    /** @throws EngineFailed if JMeter made no load, or not long enough */
    fun measure(engine: String): LoadMeasured {
        val span = follow()
        if (stopLate.foundStopped) {
            throw EngineFailed("JMeter was stopped from outside (SIGSTOP) and never went on: it was killed.")
        }
        if (span.samples == 0L) {
            throw EngineFailed("JMeter made no sample: is a thread group enabled, does it come to a sampler? ${why()}")
        }
        val code = process.exitCode
        if (code != 0 && stopLate.stoppedAt == null && !console.isOver) {
            throw EngineFailed("JMeter ended with exit code $code. ${why()}")
        }
        val window = window(span)
        val count = JtlCount(window, plan.steps, isBurst = order.load.isBurst)
        var summarised = 0L
        var helpers = 0L
        var failedOutside = 0L
        readResults(results) {
            if (!it.good && plan.transactions.isOutside(it)) failedOutside++
            if (plan.transactions.isOfHelper(it)) helpers++
            if (!plan.transactions.isOfController(it)) summarised++
            if (plan.transactions.counts(it)) count.add(it)
        }
        if (!stopLate.killed) check(summarised)
        if (stopLate.killed) plan.users?.let { count.neverEnded(it - count.inFlight) }
        return count.toMeasured(
            engine = engine,
            windowSeconds = window.seconds,
            generator = context.generator(cpu.seconds(window.from, window.to)),
            drainSeconds = (span.last + 1 - window.to).coerceAtLeast(0) / 1e3,
            printed = console.summary.orEmpty(),
            complaints = plan.complaints + stopped(span) + mapOf(
                "samples of elements without HTTP, which are not counted" to helpers,
                "failed samples of setUp and tearDown groups, which are not counted" to failedOutside,
            ).filterValues { it > 0 },
        )
    }

    /** Rejects [samples], those read from the results, if JMeter's own summary has another number. */
    private fun check(samples: Long) {
        val printed = console.summary?.get(SUMMARISED)?.toLong() ?: return
        if (printed != samples) throw EngineFailed("JMeter's summary has $printed samples, and its results have $samples.")
    }

    /** The process continues for a second after its run. */
    private fun follow(): SampleProgress = JtlTail(results, plan.transactions, plan.length).use { tail ->
        process.follow(cpu, console::isOver) { over ->
            val now = process.now
            tail.readOn()
            tail.second(now, if (over) 100.milliseconds else 1.seconds)?.let(onSecond)
            if (!over) stopLate.look(now, due(tail.span))
        }
        tail.span
    }

    /** When the run should have ended: samples of remote engines may be late, those of a silent subject take its timeout. */
    private fun due(span: SampleProgress): Long {
        val began = if (span.samples > 0) span.first else started + (LONGEST_START + order.timeout).inWholeMilliseconds
        return began + plan.length.stopAfter.inWholeMilliseconds
    }

    private fun window(span: SampleProgress): JtlWindow {
        val from = span.first + plan.length.settle.inWholeMilliseconds
        val latest = if (plan.length.window.isInfinite()) Long.MAX_VALUE else from + plan.length.window.inWholeMilliseconds
        // The end of a sample is exclusive, in whole milliseconds.
        val ended = minOf(span.last + 1, stopLate.stoppedAt ?: Long.MAX_VALUE)
        if (plan.length.lasts && ended < latest) {
            throw EngineFailed("JMeter's load ended ${latest - ended} ms before the window did. ${why()}")
        }
        if (ended <= from) {
            throw EngineFailed(
                "JMeter's load was over ${ended - span.first} ms after its first sample, before settling had ended.",
            )
        }
        return JtlWindow(from, minOf(ended, latest))
    }

    /** A plan that is to end by itself, and did not. */
    private fun stopped(span: SampleProgress): Map<String, Long> {
        val stopped = stopLate.stoppedAt.takeUnless { plan.length.lasts } ?: return emptyMap()
        return mapOf("seconds after which the plan, which had not ended, was stopped" to (stopped - span.first) / 1000)
    }

    private fun why(): String {
        val lines = complaints(log, most = 5).ifEmpty(process::lastLines)
        val plugin = if (lines.any { "CannotResolveClassException" in it }) PLUGIN else ""
        return "Its last lines: ${lines.joinToString(" | ")}$plugin"
    }
}

private val LONGEST_START: Duration = 90.seconds
private const val PLUGIN =
    ". The plan uses an element that this JMeter does not know: a plugin, whose jar belongs into lib/ext of a JMeter 5 " +
        "that JMETER_HOME names."
