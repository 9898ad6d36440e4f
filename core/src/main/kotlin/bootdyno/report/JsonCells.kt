package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.OpenPoint
import bootdyno.analyse.OperationAnalysis
import bootdyno.analyse.PerSecond
import bootdyno.analyse.Rounded
import bootdyno.analyse.Threat
import bootdyno.analyse.TrialFigures
import bootdyno.analyse.WrittenEstimate
import bootdyno.analyse.written
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.model.AxisPoint
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.ErrorCause
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit.MILLISECONDS
import bootdyno.model.MeasuringProtocol
import bootdyno.model.RequestCounts
import bootdyno.model.RuntimeForm
import kotlinx.serialization.Serializable
import kotlin.time.DurationUnit

/** A cell of `report.json`. */
@Serializable
internal class CellJson(
    val id: CellId,
    val variant: String,
    val runtime: RuntimeForm,
    val style: String?,
    val workload: String,
    val profile: String,
    val protocol: MeasuringProtocol,
    val engine: String,
    val script: String?,
    val axis: AxisJson?,
    val load: LoadProfile?,
    val limits: LimitsJson,
    val parameters: Map<String, String>,
    val throughput: PerSecond?,
    val latency: Map<Measure, LatencyEstimate>,
    val curve: CurveJson,
    val connect: Map<Measure, LatencyEstimate>,
    val connectCurve: CurveJson,
    val requests: Long,
    val answered: Long,
    val inFlight: Long,
    val unsent: Long,
    val errors: ErrorsJson,
    val resources: Map<Measure, WrittenEstimate>,
    val ceilings: List<CeilingJson>,
    val bottleneck: BottleneckJson?,
    val missing: String?,
    val next: String?,
    val operations: List<OperationJson>,
    val openLoad: List<OpenPoint>,
    val threats: List<Threat>,
    val trials: List<TrialFigures>,
)

internal fun CellAnalysis.json(explanation: CellExplanation?) = CellJson(
    id = cell.id,
    variant = cell.variant.name,
    runtime = cell.variant.runtime,
    style = cell.style?.name,
    workload = cell.workload.name,
    profile = cell.profile.name,
    protocol = cell.profile.protocol,
    engine = cell.profile.engine.name,
    script = cell.profile.engine.scriptName,
    axis = cell.point?.json(cell),
    load = cell.profile.loadInWindow,
    limits = cell.limits.json(),
    parameters = cell.workload.parameters,
    throughput = throughput,
    latency = latency,
    curve = curve.json(),
    connect = connect,
    connectCurve = connectCurve.json(),
    requests = sent,
    answered = answered,
    inFlight = inFlight,
    unsent = unsent,
    errors = errorsJson(),
    resources = resources.mapValues { (measure, estimate) -> estimate.written(measure.unit) },
    ceilings = explanation?.ceilings.orEmpty().map { it.json() },
    bottleneck = explanation?.bottleneck?.let { BottleneckJson(it.limit, it.sentence) },
    missing = explanation?.missing,
    next = explanation?.next?.sentence,
    operations = operations.map { it.json() },
    openLoad = openPoints,
    threats = threats,
    trials = trials,
)

@Serializable
internal class AxisJson(val name: String, val value: Rounded, val line: String)

private fun AxisPoint.json(cell: Cell) = AxisJson(axis, value, cell.line)

@Serializable
internal class LimitsJson(val cpus: Rounded?, val cpuBy: CpuBy?, val memory: Bytes?)

private fun Limits.json() = LimitsJson(cpus, cpuBy.takeIf { cpus != null }, memory)

/** The whole distribution, as two lists of equal length; from the index [censoredFrom] on the truth lies at or beyond. */
@Serializable
internal class CurveJson(val unit: String, val percentiles: List<Rounded>, val values: List<Rounded>, val censoredFrom: Int?)

private fun List<CurvePoint>.json() = CurveJson(
    unit = MILLISECONDS.symbol,
    percentiles = map { it.percentile },
    values = map { it.milliseconds },
    censoredFrom = indexOfFirst { it.censored }.takeIf { it >= 0 },
)

@Serializable
internal class ErrorsJson(val total: Long, val byCause: Map<ErrorCause, Long>)

private fun RequestCounts.errorsJson() = ErrorsJson(failed, errors)

@Serializable
internal class OperationJson(
    val name: String,
    val throughput: PerSecond?,
    val latency: Map<Measure, LatencyEstimate>,
    val requests: Long,
    val answered: Long,
    val inFlight: Long,
    val errors: ErrorsJson,
)

private fun OperationAnalysis.json() = OperationJson(name, throughput, latency, sent, answered, inFlight, errorsJson())

@Serializable
internal class CeilingJson(val limit: String, val value: Rounded, val heldFor: Rounded?, val allows: Rounded?, val source: String)

private fun Ceiling.json() = CeilingJson(limit, size, heldFor?.toDouble(DurationUnit.SECONDS), allows, source)

@Serializable
internal class BottleneckJson(val limit: String, val sentence: String)
