package bootdyno.engines.jmeter

import bootdyno.engine.CpuTrace
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadFound
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The files of one run of JMeter in its [folder]: the properties it reads, the samples it writes, what it has to say about
 * itself.
 */
internal class RunFiles(folder: Path) {
    val properties: Path = folder.resolve("run.properties")
    val results: Path = folder.resolve("results.jtl")
    val log: Path = folder.resolve("jmeter.log")
}

/** One run of JMeter followed from its start to its end, and what its results come to. */
internal class JMeterDrive(
    private val order: LoadOrder,
    private val plan: PreparedPlan,
    private val run: JMeterRun,
    private val files: RunFiles,
    private val onSecond: (LoadSecond) -> Unit,
    tell: (String) -> Unit,
) {
    private val cpu = CpuTrace()
    private val started = System.currentTimeMillis()
    private val clock = TimeSource.Monotonic.markNow()
    private val stopLate = StopLate(run, order.timeout, tell)

    /** @throws EngineFailed when JMeter made no load, or not as long as it should. */
    fun measure(engine: String, cpus: Int): LoadMeasured {
        val span = follow()
        if (stopLate.foundStopped) {
            throw EngineFailed(
                "JMeter was stopped from outside (SIGSTOP) and never went on: it was killed.",
            )
        }
        if (span.samples == 0L) throw EngineFailed("$NO_SAMPLE ${why()}")
        val code = run.exitCode
        if (code != 0 && stopLate.stoppedAt == null && !run.isOver) {
            throw EngineFailed("JMeter ended with exit code $code. ${why()}")
        }
        val window = window(span)
        val count = JtlCount(window, plan.expected)
        readResults(files.results) { if (plan.transactions.counts(it)) count.add(it) }
        if (stopLate.killed) plan.users?.let { count.neverEnded(it - count.inFlight) }
        val found = LoadFound(
            engine = engine,
            windowSeconds = window.seconds,
            answered = count.answered,
            errors = count.errors,
            inFlight = count.inFlight,
            due = null,
            generator = GeneratorFound(cpu.seconds(window.from, window.to), cpus.toDouble(), lagP99Ms = null),
            leftBefore = 0,
            leftAfter = 0,
            drainSeconds = (span.last + 1 - window.to).coerceAtLeast(0) / 1e3,
            printed = printed(span),
            operations = count.operations,
        )
        return LoadMeasured(found, count.latencies())
    }

    /** Until it has ended, by itself or not. */
    private fun follow(): JtlSpan = JtlTail(files.results, plan.transactions, plan.length).use { tail ->
        do {
            // Its process lives on for a second after its run.
            val ended = run.endsWithin(LOOK) || run.isOver
            // The wall clock may be set meanwhile, which must not make a run late, or endless.
            val now = started + clock.elapsedNow().inWholeMilliseconds
            tail.readOn()
            if (!ended) run.cpuSeconds()?.let { cpu.add(now, it) }
            tail.second(now, if (ended) LOOK else SECOND)?.let(onSecond)
            if (!ended) stopLate.look(now, due(tail.span))
        } while (!ended)
        tail.span
    }

    /** Samples of remote engines may come late, of a silent subject after its timeout. */
    private fun due(span: JtlSpan): Long {
        val began = if (span.samples > 0) span.first else started + (LONGEST_START + order.timeout).inWholeMilliseconds
        return began + plan.length.stopAfter.inWholeMilliseconds
    }

    private fun window(span: JtlSpan): JtlWindow {
        val from = span.first + plan.length.settle.inWholeMilliseconds
        val latest = if (plan.length.window.isInfinite()) Long.MAX_VALUE else from + plan.length.window.inWholeMilliseconds
        // A sample that ended at one millisecond ended before the next.
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

    private fun printed(span: JtlSpan): Map<String, Double> {
        val stopped = stopLate.stoppedAt.takeUnless { plan.length.lasts }
        return run.summary.orEmpty() + listOfNotNull(stopped?.let { "plan stopped after s" to (it - span.first) / 1e3 })
    }

    private fun why(): String {
        val said = complaints(files.log, MOST_COMPLAINTS).ifEmpty { run.lastLines().takeLast(MOST_COMPLAINTS) }
        val plugin = if (said.any { "CannotResolveClassException" in it }) PLUGIN else ""
        return "Its last words: ${said.joinToString(" | ")}$plugin"
    }

    private companion object {
        val LOOK: Duration = 100.milliseconds
        val SECOND: Duration = 1.seconds
        val LONGEST_START: Duration = 90.seconds
        const val MOST_COMPLAINTS = 5
        const val NO_SAMPLE = "JMeter made no sample: is a thread group enabled, does it come to a sampler?"
        const val PLUGIN =
            ". The plan uses an element that this JMeter does not know: a plugin, whose jar belongs into lib/ext of a JMeter 5 " +
                "that JMETER_HOME names."
    }
}
