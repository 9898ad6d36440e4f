package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.analyse
import bootdyno.analyse.experiment
import bootdyno.analyse.quietMachine
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Environment
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.model.TrialFacts
import bootdyno.model.Variant
import bootdyno.stats.Estimate
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

internal const val VIRTUAL_THREADS = "spring.threads.virtual.enabled"

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

/** What was measured of a cell; null is not measured. */
internal data class Measured(
    val perSecond: Double?,
    val meanMs: Double? = null,
    val minMs: Double? = null,
    val cpus: Double? = null,
    val cpuPerRequest: Double? = null,
    val resources: Map<Measure, Double> = emptyMap(),
    val connectP99Ms: Double? = null,
)

/** The analysis of [trials] with the figures of [measured] instead of theirs. */
internal fun analysis(
    cell: Cell,
    measured: Measured,
    trials: List<TrialFacts> = emptyList(),
    environment: Environment = quietMachine.copy(cpus = 2),
): Analysis = analyse(testRun(trials, listOf(cell), environment = environment)).run {
    val costs = mapOf(Measure.CPU to measured.cpus, Measure.CPU_PER_REQUEST to measured.cpuPerRequest)
    copy(
        cells = listOf(
            cells.single().copy(
                throughput = measured.perSecond?.let(::one),
                latency = latencies(Measure.MEAN to measured.meanMs, Measure.MIN to measured.minMs),
                resources = measured.resources.mapValues { one(it.value) } + known(costs).mapValues { one(it.value) },
                connect = latencies(Measure.P99 to measured.connectP99Ms),
            ),
        ),
    )
}

internal fun explained(cell: Cell, measured: Measured, trials: List<TrialFacts> = emptyList()): CellExplanation =
    explain(analysis(cell, measured, trials)).single()

private fun one(value: Double) = Estimate(value, null, 1)

private fun latencies(vararg milliseconds: Pair<Measure, Double?>) =
    known(mapOf(*milliseconds)).mapValues { LatencyEstimate(one(it.value), false) }

private fun known(figures: Map<Measure, Double?>): Map<Measure, Double> =
    figures.mapNotNull { (measure, value) -> value?.let { measure to it } }.toMap()
