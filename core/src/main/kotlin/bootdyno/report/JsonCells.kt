package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.OpenPoint
import bootdyno.analyse.OperationAnalysis
import bootdyno.analyse.Threat
import bootdyno.analyse.TrialFigures
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject
import kotlin.time.DurationUnit

/** A cell of `report.json`. */
internal fun cell(analysis: CellAnalysis, explanation: CellExplanation?): JsonObject = buildJsonObject {
    identity(analysis.cell)
    put("throughput", analysis.throughput?.let { estimate(it, "1/s") } ?: JsonNull)
    putJsonObject("latency") { analysis.latency.forEach { (point, latency) -> put(point.word, latency(latency)) } }
    put("curve", curve(analysis.curve))
    putJsonObject("connect") { analysis.connect.forEach { (point, latency) -> put(point.word, latency(latency)) } }
    put("connectCurve", curve(analysis.connectCurve))
    put("requests", analysis.sent)
    put("answered", analysis.answered)
    put("inFlight", analysis.inFlight)
    put("unsent", analysis.unsent)
    put("errors", errors(analysis.errors))
    putJsonObject("resources") {
        analysis.resources.forEach { (resource, value) -> put(resource.word, estimate(value, resource.unit.symbol)) }
    }
    put("ceilings", JsonArray(explanation?.ceilings.orEmpty().map(::ceiling)))
    val bottleneck = explanation?.bottleneck
    if (bottleneck == null) {
        put("bottleneck", JsonNull)
    } else {
        putJsonObject("bottleneck") {
            put("limit", bottleneck.limit)
            put("sentence", bottleneck.sentence)
        }
    }
    put("missing", explanation?.missing)
    put("next", explanation?.next?.sentence)
    put("operations", JsonArray(analysis.operations.map(::operation)))
    put("openLoad", JsonArray(analysis.openPoints.map(::openPoint)))
    put("threats", JsonArray(analysis.threats.map(::threat)))
    put("trials", JsonArray(analysis.trials.map(::trial)))
}

private fun JsonObjectBuilder.identity(cell: Cell) {
    put("id", cell.id.text)
    put("variant", cell.variant.name)
    put("runtime", cell.variant.runtime.word)
    put("style", cell.style?.name)
    put("workload", cell.workload.name)
    put("profile", cell.profile.name)
    put("protocol", cell.profile.protocol.word)
    put("engine", cell.profile.engine.name)
    put("script", cell.profile.engine.scriptName)
    val point = cell.workload.point ?: cell.profile.point
    if (point == null) {
        put("axis", JsonNull)
    } else {
        putJsonObject("axis") {
            put("name", point.axis)
            put("value", number(point.value))
            put("line", "${cell.variant.name}/${cell.workload.declared}")
        }
    }
    put("load", cell.profile.loadInWindow?.let { wholeJson.encodeToJsonElement(LoadProfile.serializer(), it) } ?: JsonNull)
    putJsonObject("limits") {
        put("cpus", number(cell.limits.cpus))
        put("cpuBy", cell.limits.cpus?.let { wireName(cell.limits.cpuBy) })
        put("memory", cell.limits.memory?.count)
    }
    putJsonObject("parameters") { cell.workload.parameters.forEach { (name, value) -> put(name, value) } }
}

private fun latency(latency: LatencyEstimate): JsonObject {
    val estimate = estimate(latency.estimate, "ms")
    return if (latency.censored) JsonObject(estimate + ("censored" to JsonPrimitive(true))) else estimate
}

/** A single trial has no interval of its own. */
private fun ofTrial(latency: LatencyEstimate) = buildJsonObject {
    put("value", number(latency.estimate.value))
    put("unit", "ms")
    if (latency.censored) put("censored", true)
}

/** The whole distribution, as two lists of equal length; from the index `censoredFrom` on the truth lies at or beyond. */
private fun curve(points: List<CurvePoint>) = buildJsonObject {
    put("unit", "ms")
    put("percentiles", JsonArray(points.map { number(it.percentile) }))
    put("values", JsonArray(points.map { number(it.milliseconds) }))
    put("censoredFrom", points.indexOfFirst { it.censored }.takeIf { it >= 0 })
}

private fun errors(errors: Map<ErrorCause, Long>) = buildJsonObject {
    put("total", errors.values.sum())
    putJsonObject("byCause") { errors.forEach { (cause, count) -> put(wireName(cause), count) } }
}

private fun operation(operation: OperationAnalysis) = buildJsonObject {
    put("name", operation.name)
    put("throughput", operation.throughput?.let { estimate(it, "1/s") } ?: JsonNull)
    putJsonObject("latency") { operation.latency.forEach { (point, latency) -> put(point.word, latency(latency)) } }
    put("requests", operation.sent)
    put("answered", operation.answered)
    put("inFlight", operation.inFlight)
    put("errors", errors(operation.errors))
}

private fun openPoint(point: OpenPoint) = buildJsonObject {
    put("share", number(point.share))
    put("offered", point.offered?.let { estimate(it, "1/s") } ?: JsonNull)
    put("throughput", point.answered?.let { estimate(it, "1/s") } ?: JsonNull)
    putJsonObject("latency") { point.latency.forEach { (which, latency) -> put(which.word, latency(latency)) } }
    put("threats", JsonArray(point.threats.map(::threat)))
}

private fun ceiling(ceiling: Ceiling) = buildJsonObject {
    put("limit", ceiling.limit)
    put("value", number(ceiling.size))
    put("heldFor", number(ceiling.heldFor?.toDouble(DurationUnit.SECONDS)))
    put("allows", number(ceiling.allows))
    put("source", ceiling.source)
}

internal fun threat(threat: Threat) = buildJsonObject {
    put("kind", threat.kind.word)
    put("sentence", threat.sentence)
    put("advice", threat.advice)
}

private fun trial(trial: TrialFigures) = buildJsonObject {
    put("number", trial.number)
    put("round", trial.round)
    put("again", trial.again)
    put("valid", trial.valid)
    put("throughput", number(trial.throughput))
    putJsonObject("latency") { trial.latency.forEach { (point, latency) -> put(point.word, ofTrial(latency)) } }
    putJsonObject("resources") { trial.resources.forEach { (resource, value) -> put(resource.word, number(value)) } }
    put("threats", JsonArray(trial.threats.map(::threat)))
}

/** The names that files use, which are those of the model's own serialisation. */
internal fun wireName(cause: ErrorCause): String = ErrorCause.serializer().descriptor.getElementName(cause.ordinal)

private fun wireName(cpuBy: CpuBy): String = CpuBy.serializer().descriptor.getElementName(cpuBy.ordinal)
