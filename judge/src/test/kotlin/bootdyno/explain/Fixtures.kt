package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.WINDOW_SECONDS
import bootdyno.analyse.analyse
import bootdyno.analyse.experiment
import bootdyno.analyse.quietMachine
import bootdyno.analyse.seen
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Distribution
import bootdyno.model.Environment
import bootdyno.model.LatencyFacts
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.model.TrialFacts
import bootdyno.model.Variant
import org.HdrHistogram.Histogram
import kotlin.math.roundToLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** A cell of a subject with one endpoint; null [occupies] leaves its style unknown. */
internal fun cell(
    stack: Stack,
    occupies: Occupied?,
    settings: Map<String, String> = emptyMap(),
    jvm: List<String> = emptyList(),
    load: LoadProfile = LoadProfile.Closed(400),
    cpus: Double? = 1.0,
    holds: Duration? = 500.milliseconds,
    name: String = "v",
): Cell = testCell(CellId("$name/x"), load, "saturate", Limits(cpus, null, CpuBy.PINNING), holds).run {
    val styles = listOfNotNull(occupies?.let { Style(workload.steps.single().path, "x", it) })
    copy(variant = Variant(name, "app", settings, jvm), subject = Subject("app", Origin.Jar("/app.jar"), stack, styles = styles))
}

internal fun plan(cells: List<Cell>) = Plan(experiment(cells), cells)

/** What is measured in the window of a trial; null is not measured. [metrics]: gauges, and the growth of counters per second. */
internal data class Measured(
    val perSecond: Double,
    val meanMs: Double? = null,
    val minMs: Double = 1.0,
    val cpus: Double? = null,
    val metrics: Map<Metric, Double> = emptyMap(),
) {
    fun trial(cell: Cell): TrialFacts {
        val readings = (metrics + listOfNotNull(cpus?.let { Metric.CPU to it })).mapValues { (metric, value) ->
            { second: Double -> if (metric.kind == Metric.Kind.COUNTER) value * second else value }
        }
        return testTrial(cell.id, perSecond = perSecond, latencies = meanMs?.let(::latencies), series = series(readings))
    }

    /** One response takes [minMs], all others equally long. */
    private fun latencies(meanMs: Double): LatencyFacts {
        val count = (perSecond * WINDOW_SECONDS).roundToLong()
        val histogram = Histogram(3)
        if (count > 0) histogram.recordValue((minMs * 1e6).toLong())
        if (count > 1) {
            histogram.recordValueWithCount(((meanMs * count - minMs) / (count - 1) * 1e6).toLong(), count - 1)
        }
        return Distribution.of(histogram).let { LatencyFacts(it, it, seen()) }
    }
}

/** What is analysed of [trial], the only one of its run. */
internal fun analysed(cell: Cell, trial: TrialFacts, environment: Environment = quietMachine): Analysis =
    analyse(testRun(listOf(trial), listOf(cell), environment = environment))

internal fun explained(cell: Cell, trial: TrialFacts, environment: Environment = quietMachine): CellExplanation =
    explain(analysed(cell, trial, environment)).single()

internal fun explained(cell: Cell, measured: Measured): CellExplanation = explained(cell, measured.trial(cell))
