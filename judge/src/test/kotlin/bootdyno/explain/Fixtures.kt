package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.LatencyEstimate
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Environment
import bootdyno.model.Experiment
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.NamedProfile
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.RunFacts
import bootdyno.model.Stack
import bootdyno.model.Step
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.model.TrialFacts
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import bootdyno.stats.Estimate
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

internal const val VIRTUAL_THREADS = "spring.threads.virtual.enabled"

/** A cell of a subject with one endpoint `/x`; null [occupies] leaves its style unknown. */
internal fun cell(
    stack: Stack,
    occupies: Occupied?,
    settings: Map<String, String> = emptyMap(),
    jvm: List<String> = emptyList(),
    load: LoadProfile = LoadProfile.Closed(400),
    cpus: Double? = 1.0,
    holds: Duration? = 500.milliseconds,
    name: String = "v",
): Cell = Cell(
    id = CellId("$name/x"),
    variant = Variant(name, "app", settings, jvm),
    subject = Subject("app", Origin.Jar("/app.jar"), stack, styles = listOfNotNull(occupies?.let { Style("/x", "x", it) })),
    workload = Workload("x", listOf(Step("x", path = "/x?ms={ms}")), holds = holds),
    profile = NamedProfile("saturate", load, 10.seconds, 30.seconds),
    limits = Limits(cpus, null, CpuBy.PINNING),
)

internal fun plan(cells: List<Cell>) = Plan(
    Experiment(
        name = "e",
        title = "E",
        question = "",
        source = null,
        limits = cells.first().limits,
        subjects = cells.map { it.subject }.distinct(),
        variants = cells.map { it.variant },
        workloads = cells.map { it.workload }.distinct(),
        profiles = cells.map { it.profile }.distinct(),
        only = emptyList(),
        baseline = null,
        published = emptyList(),
        claims = emptyList(),
        gates = emptyList(),
        repetition = Repetition(Preset.QUICK, 1, 1, 1, WarmUp.Cold, 1.seconds, false),
    ),
    cells,
)

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

internal fun analysis(
    cell: Cell,
    measured: Measured,
    trials: List<TrialFacts> = emptyList(),
    environment: Environment = ENVIRONMENT,
): Analysis {
    val latency = mapOf(Measure.MEAN to measured.meanMs, Measure.MIN to measured.minMs)
        .mapNotNull { (point, ms) -> ms?.let { point to LatencyEstimate(one(it), false) } }.toMap()
    val resources = mapOf(Measure.CPU to measured.cpus, Measure.CPU_PER_REQUEST to measured.cpuPerRequest)
        .mapNotNull { (resource, value) -> value?.let { resource to one(it) } }.toMap() +
        measured.resources.mapValues { one(it.value) }
    val ofCell = CellAnalysis(
        cell = cell,
        throughput = measured.perSecond?.let(::one),
        latency = latency,
        answered = 0,
        inFlight = 0,
        errors = emptyMap(),
        resources = resources,
        curve = emptyList(),
        threats = emptyList(),
        trials = emptyList(),
        connect = measured.connectP99Ms?.let { mapOf(Measure.P99 to LatencyEstimate(one(it), false)) }.orEmpty(),
    )
    return Analysis(
        run = RunFacts(plan(listOf(cell)), environment, trials),
        roundsDone = 1,
        cells = listOf(ofCell),
        ranking = emptyList(),
        comparisons = emptyList(),
        resolution = null,
        resolved = emptyMap(),
        published = emptyList(),
        claims = emptyList(),
        gates = emptyList(),
        threats = emptyList(),
        failures = emptyList(),
    )
}

internal fun explained(cell: Cell, measured: Measured, trials: List<TrialFacts> = emptyList()): CellExplanation =
    explain(analysis(cell, measured, trials)).single()

private fun one(value: Double) = Estimate(value, null, 1)

internal val ENVIRONMENT = Environment(
    bootDyno = "0",
    startedAt = "2026-11-20T10:15:00Z",
    os = "Linux",
    kernel = "6",
    cpuModel = null,
    cpus = 2,
    memory = null,
    jdk = "25",
    cgroup = "none",
    somaxconn = null,
    openFiles = null,
    loadAverage = null,
    governor = null,
    virtualMachine = null,
)
