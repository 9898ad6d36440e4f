package bootdyno.report.format

import bootdyno.analyse.CapacityStep
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.Comparison
import bootdyno.analyse.Confirmation
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.FigureJudged
import bootdyno.analyse.GateJudged
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.OperationAnalysis
import bootdyno.analyse.PerSecond
import bootdyno.analyse.Rounded
import bootdyno.analyse.SecondsOrBound
import bootdyno.analyse.Share
import bootdyno.analyse.written
import bootdyno.explain.Bottleneck
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.explain.InUse
import bootdyno.explain.instancesNeeded
import bootdyno.model.Limits
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit.MILLISECONDS
import bootdyno.model.MeasureUnit.PER_SECOND
import bootdyno.model.Prediction
import bootdyno.model.RequestCounts
import bootdyno.report.Report
import bootdyno.report.presetOf
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.Json
import kotlin.time.DurationUnit

/** `report.json`, as specified by `docs/report.schema.json`. A change of meaning increases `schemaVersion`. */
fun renderJson(report: Report): String = wholeJson.encodeToString(ReportJson.serializer(), ReportJson(report)) + "\n"

/** Writes all defaults, because readers of the file do not have them. */
internal val wholeJson = Json {
    prettyPrint = true
    prettyPrintIndent = "  "
    encodeDefaults = true
}

/*
 * Each class below is one object of the file, with the names and types of its members. Constructor parameters are not written.
 */
internal fun <T> neverRead(): T = error("a report is never read back")

@Serializable
internal class ReportJson(@Transient private val of: Report = neverRead()) {
    val schemaVersion = 1
    val experiment = ExperimentJson(of)
    val environment = of.analysis.run.environment
    val machines = of.analysis.machines.map { MachineJson(it) }
    val cells = of.analysis.cells.map { CellJson(it, of.explanation(it.cell.id)) }
    val ranking = of.analysis.ranking
    val comparisons = of.analysis.comparisons.map { ComparisonJson(it) }
    val resolution = of.analysis.resolution?.let { ComparisonJson(it) }
    val resolved = of.analysis.resolved.map { (rounds, share) -> ResolvedJson(rounds, share) }
    val sweeps = of.analysis.sweeps
    val protocols = of.analysis.protocolPairs
    val engines = of.analysis.engineComparisons.map { it.sides }
    val footprints = of.analysis.footprints
    val instances = instancesNeeded(of.analysis, of.explanations)
    val claims = of.analysis.claims.map { ClaimJson(it) }
    val published = of.analysis.published.map { FigureJson(it) }
    val gates = of.analysis.gates.map { GateJson(it) }
    val threats = of.analysis.threats
    val failures = of.analysis.failures
    val repeated = of.analysis.repeated
    val damaged = of.analysis.run.damaged
    val confirmations = of.confirmations.map { ConfirmationJson(it) }
}

@Serializable
internal class ExperimentJson(@Transient private val of: Report = neverRead()) {
    val name = of.experiment.name
    val title = of.experiment.title
    val question = of.experiment.question
    val preset = presetOf(of)
    val seed = of.experiment.repetition.seed
    val rounds = of.analysis.roundsDone
    val baseline = of.experiment.baseline
    val source = of.experiment.source
    val objective = of.experiment.capacity?.text
    val headroom: Rounded = of.experiment.headroom
    val currency = of.experiment.prices?.currency
}

@Serializable
internal class CellJson(
    @Transient private val of: CellAnalysis = neverRead(),
    @Transient private val explanation: CellExplanation? = null,
) {
    val id = of.cell.id
    val variant = of.cell.variant.name
    val runtime = of.cell.variant.runtime
    val style = of.cell.style?.name
    val workload = of.cell.workload.name
    val profile = of.cell.profile.name
    val protocol = of.cell.profile.protocol
    val engine = of.cell.profile.engine.name
    val script = of.cell.profile.engine.scriptName
    val axis = of.cell.point?.let { AxisJson(it.axis, it.value, of.cell.line) }
    val load = of.cell.profile.loadInWindow
    val limits = LimitsJson(of.cell.limits)
    val parameters = of.cell.workload.parameters
    val throughput: PerSecond? = of.throughput
    val latency = of.latency
    val curve = CurveJson(of.curve)
    val connect = of.connect
    val connectCurve = CurveJson(of.connectCurve)
    val burst: Map<Measure, SecondsOrBound> = of.burst
    val requests = of.sent
    val answered = of.answered
    val inFlight = of.inFlight
    val unsent = of.unsent
    val errors = ErrorsJson(of)
    val resources = of.resources.mapValues { (measure, estimate) -> estimate.written(measure.unit) }
    val ceilings = explanation?.ceilings.orEmpty().map { CeilingJson(it) }
    val bottleneck = explanation?.bottleneck?.let { BottleneckJson(it) }
    val missing = explanation?.missing
    val next = explanation?.next?.sentence
    val prediction = explanation?.next?.prediction?.let { PredictionJson(it) }
    val operations = of.operations.map { OperationJson(it) }
    val openLoad = of.openPoints
    val capacity = of.capacity?.let { CapacityJson(it) }
    val capacitySteps = of.capacitySteps.map { CapacityStepJson(it) }
    val threats = of.threats
    val unsteady = of.unsteady
    val trials = of.trials
}

/** Of the searched capacity; [censored]: a lower bound, without an interval. */
@Serializable
internal class CapacityJson(@Transient private val of: LatencyEstimate = neverRead()) {
    val value: Rounded = of.estimate.value
    val low: Rounded? = of.estimate.interval?.low
    val high: Rounded? = of.estimate.interval?.high
    val unit = PER_SECOND.symbol
    val n = of.estimate.n
    val censored = of.censored
}

@Serializable
internal class CapacityStepJson(@Transient private val of: CapacityStep = neverRead()) {
    val offered: Rounded = of.offered
    val met = of.met
    val trials = of.trials
    val notOffered = of.notOffered
    val latency = of.latency
}

@Serializable
internal class AxisJson(val name: String, val value: Rounded, val line: String)

@Serializable
internal class LimitsJson(@Transient private val of: Limits = neverRead()) {
    val cpus: Rounded? = of.cpus
    val cpuBy = of.cpuBy.takeIf { of.cpus != null }
    val memory = of.memory
}

/** The distribution as two lists of equal length. From the index [censoredFrom] on, values are lower bounds. */
@Serializable
internal class CurveJson(@Transient private val of: List<CurvePoint> = neverRead()) {
    val unit = MILLISECONDS.symbol
    val percentiles: List<Rounded> = of.map { it.percentile }
    val values: List<Rounded> = of.map { it.milliseconds }
    val censoredFrom = of.indexOfFirst { it.censored }.takeIf { it >= 0 }
}

@Serializable
internal class ErrorsJson(@Transient private val of: RequestCounts = neverRead()) {
    val total = of.failed
    val byCause = of.errors
}

@Serializable
internal class OperationJson(@Transient private val of: OperationAnalysis = neverRead()) {
    val name = of.name
    val throughput: PerSecond? = of.throughput
    val latency = of.latency
    val requests = of.sent
    val answered = of.answered
    val inFlight = of.inFlight
    val errors = ErrorsJson(of)
}

@Serializable
internal class CeilingJson(@Transient private val of: Ceiling = neverRead()) {
    val limit = of.limit
    val value: Rounded = of.size
    val heldFor: Rounded? = of.heldFor?.toDouble(DurationUnit.SECONDS)
    val allows: Rounded? = of.allows
    val source = of.source
    val inUse = of.inUse?.let { InUseJson(it) }
    val waiting = of.waiting?.let { InUseJson(it) }
}

@Serializable
internal class InUseJson(@Transient private val of: InUse = neverRead()) {
    val median: Rounded = of.median
    val most: Rounded = of.most
}

@Serializable
internal class BottleneckJson(@Transient private val of: Bottleneck = neverRead()) {
    val limit = of.limit
    val sentence = of.sentence
}

@Serializable
internal class ComparisonJson(@Transient private val of: Comparison = neverRead()) {
    val baseline = of.baseline
    val candidate = of.candidate
    val metric = of.measure
    val ratio: Rounded = of.ratio.value
    val low: Rounded? = of.ratio.interval?.low
    val high: Rounded? = of.ratio.interval?.high
    val n = of.ratio.n
    val verdict = of.verdict
    val furtherRounds = of.furtherRounds
    val delta: Rounded = of.delta
    val p: Rounded? = of.p
    val bound = of.bound
    val level: Rounded? = of.ratio.interval?.level
    val matters = of.matters
    val moreErrors = of.moreErrors
    val dependsOnRounds = of.dependsOn
    val at = of.at
    val betweenMachines = of.betweenMachines?.let { BetweenJson(it) }
}

@Serializable
internal class ResolvedJson(val rounds: Int, val share: Rounded)

@Serializable
internal class ClaimJson(@Transient private val of: ClaimJudged = neverRead()) {
    val source = of.source
    val text = of.text
    val cells = of.cells
    val published: Rounded? = of.published
    val tendency = of.tendency
    val measured: Rounded? = of.measured?.value
    val low: Rounded? = of.measured?.interval?.low
    val high: Rounded? = of.measured?.interval?.high
    val n = of.measured?.n
    val bound = of.bound
    val outcome = of.outcome
    val effect: Rounded? = of.effect
}

@Serializable
internal class FigureJson(@Transient private val of: FigureJudged = neverRead()) {
    val cell = of.cell
    val metric = of.measure
    val operation = of.operation
    val source = of.source
    val published: Rounded = of.published
    val measured = of.measured?.written(of.measure.unit)
    val bound = of.bound
    val publishedRatio: Rounded? = of.publishedRatio
    val measuredRatio: Share? = of.measuredRatio
    val ratioBound = of.ratioBound
    val outcome = of.outcome
}

@Serializable
internal class PredictionJson(@Transient private val of: Prediction = neverRead()) {
    val change = of.change
    val text = of.change.text
    val low: Rounded = of.low
    val high: Rounded = of.high
    val sentence = of.sentence
}

@Serializable
internal class ConfirmationJson(@Transient private val of: Confirmation = neverRead()) {
    val prediction = PredictionJson(of.prediction)
    val original = of.original
    val changed = of.changed
    val before: PerSecond? = of.before
    val after: PerSecond? = of.after
    val ratio = of.ratio?.let { ComparisonJson(it) }
    val outcome = of.outcome
    val folder = of.folder
}

@Serializable
internal class GateJson(@Transient private val of: GateJudged = neverRead()) {
    val rule = of.rule
    val observed: Rounded? = of.observed?.value
    val low: Rounded? = of.observed?.interval?.low
    val high: Rounded? = of.observed?.interval?.high
    val n = of.observed?.n
    val bound = of.bound
    val outcome = of.outcome
}
