package bootdyno.report.format

import bootdyno.analyse.CapacityStep
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.OpenPoint
import bootdyno.analyse.OperationAnalysis
import bootdyno.analyse.TrialFigures
import bootdyno.explain.Bottleneck
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.explain.InUse
import bootdyno.explain.JudgedMove
import bootdyno.model.Limits
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit.MILLISECONDS
import bootdyno.model.MeasureUnit.PER_SECOND
import bootdyno.model.RequestCounts
import bootdyno.report.Rounded
import bootdyno.stats.Estimate
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlin.time.DurationUnit

/* Objects of `report.json` about one cell. */

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
    val throughput = of.throughput?.json(PER_SECOND)
    val latency = of.latency.json()
    val curve = CurveJson(of.curve)
    val connect = of.connect.json()
    val connectCurve = CurveJson(of.connectCurve)
    val burst = of.burst.json()
    val requests = of.sent
    val answered = of.answered
    val inFlight = of.inFlight
    val unsent = of.unsent
    val errors = ErrorsJson(of)
    val resources = of.resources.mapValues { (measure, estimate) -> estimate.json(measure.unit) }
    val ceilings = explanation?.ceilings.orEmpty().map { CeilingJson(it) }
    val bottleneck = explanation?.bottleneck?.let { BottleneckJson(it) }
    val missing = explanation?.missing
    val next = explanation?.next?.sentence
    val prediction = explanation?.next?.prediction?.let { PredictionJson(it) }
    val moved = explanation?.moves.orEmpty().map { MovedJson(it) }
    val operations = of.operations.map { OperationJson(it) }
    val openLoad = of.openPoints.map { OpenPointJson(it) }
    val capacity = of.capacity?.let { CapacityJson(it.json(PER_SECOND)) }
    val capacitySteps = of.capacitySteps.map { CapacityStepJson(it) }
    val threats = of.threats
    val unsteady = of.unsteady
    val trials = of.trials.map { TrialJson(it) }
}

@Serializable
internal class CapacityStepJson(@Transient private val of: CapacityStep = neverRead()) {
    val offered: Rounded = of.offered
    val met = of.met
    val trials = of.trials
    val notOffered = of.notOffered
    val latency = of.latency.json()
}

@Serializable
internal class AxisJson(val name: String, val value: Rounded, val line: String)

@Serializable
internal class LimitsJson(@Transient private val of: Limits = neverRead()) {
    val cpus: Rounded? = of.cpus
    val cpuBy = of.cpuBy.takeIf { of.cpus != null }
    val memory = of.memory
}

/** Of the searched capacity. Unlike elsewhere, [censored] is always written. */
@Serializable
internal class CapacityJson(@Transient private val of: CensoredJson = neverRead()) {
    val value: Rounded = of.value
    val low: Rounded? = of.low
    val high: Rounded? = of.high
    val unit = of.unit
    val n = of.n
    val censored = of.censored
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
    val throughput = of.throughput?.json(PER_SECOND)
    val latency = of.latency.json()
    val requests = of.sent
    val answered = of.answered
    val inFlight = of.inFlight
    val errors = ErrorsJson(of)
}

@Serializable
internal class CeilingJson(@Transient private val of: Ceiling = neverRead()) {
    val limit = of.limit.text
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
    val limit = of.limit.text
    val sentence = of.sentence
}

/** A limit that was changed while the application ran. Elasticities: d ln throughput / d ln limit, above and below the original value. */
@Serializable
internal class MovedJson(@Transient private val of: JudgedMove = neverRead()) {
    val limit = of.moved.noun
    val original: Rounded = of.moved.original
    val outcome = of.outcome.word
    val upwards = of.upwards?.let { ElasticityJson(it) }
    val downwards = of.downwards?.let { ElasticityJson(it) }
    val throughputs = of.throughputs.map { (value, rate) -> MovedValueJson(value, rate) }
    val putBack = of.moved.readBack == of.moved.original
    val missing = of.moved.missing
}

@Serializable
internal class ElasticityJson(@Transient private val of: Estimate = neverRead()) {
    val value: Rounded = of.value
    val low: Rounded? = of.interval?.low
    val high: Rounded? = of.interval?.high
    val n = of.n
}

/** [throughput] in requests per second at the [value] of a limit. */
@Serializable
internal class MovedValueJson(val value: Rounded, val throughput: Rounded)

@Serializable
internal class TrialJson(@Transient private val of: TrialFigures = neverRead()) {
    val number = of.number
    val round = of.round
    val again = of.again
    val valid = of.valid
    val throughput: Rounded = of.throughput
    val latency = of.latency.jsonOfTrial()
    val resources: Map<Measure, Rounded> = of.resources
    val threats = of.threats
    val burst = of.burst.jsonOfTrial()
}

@Serializable
internal class OpenPointJson(@Transient private val of: OpenPoint = neverRead()) {
    val share: Rounded? = of.share
    val offered = of.offered?.json(PER_SECOND)
    val throughput = of.answered?.json(PER_SECOND)
    val latency = of.latency.json()
    val threats = of.threats
}
