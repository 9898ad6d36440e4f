package bootdyno.report

import bootdyno.analyse.Analysis
import bootdyno.analyse.Bound
import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.Comparison
import bootdyno.analyse.FigureJudged
import bootdyno.analyse.GateJudged
import bootdyno.analyse.TrialFailure
import bootdyno.model.DamagedTrial
import bootdyno.model.Environment
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

/** `report.json`, a contract: `docs/report.schema.json` says all of it. A change of meaning raises `schemaVersion`. */
fun renderJson(report: Report): String = wholeJson.encodeToString(JsonObject.serializer(), json(report)) + "\n"

/** With every default written out: a reader of the file does not know ours. */
internal val wholeJson = Json {
    prettyPrint = true
    prettyPrintIndent = "  "
    encodeDefaults = true
}

private fun json(report: Report): JsonObject = buildJsonObject {
    val analysis = report.analysis
    put("schemaVersion", 1)
    put("experiment", experiment(report))
    put("environment", wholeJson.encodeToJsonElement(Environment.serializer(), analysis.run.environment))
    put("cells", JsonArray(analysis.cells.map { cell(it, report.explanation(it.cell.id)) }))
    put("ranking", ranking(analysis))
    put("comparisons", JsonArray(analysis.comparisons.map(::comparison)))
    put("resolution", analysis.resolution?.let(::comparison) ?: JsonNull)
    put("sweeps", JsonArray(analysis.sweeps.map(::sweep)))
    put("protocols", JsonArray(analysis.protocolPairs.map(::protocolPair)))
    put("engines", JsonArray(analysis.engineComparisons.map(::engineComparison)))
    put("footprints", JsonArray(analysis.footprints.map(::footprint)))
    put("claims", JsonArray(analysis.claims.map(::claim)))
    put("published", JsonArray(analysis.published.map(::figure)))
    put("gates", JsonArray(analysis.gates.map(::gate)))
    put("threats", JsonArray(analysis.threats.map(::threat)))
    put("failures", JsonArray(analysis.failures.map(::failure)))
    put("damaged", JsonArray(analysis.run.damaged.map(::damaged)))
}

private fun experiment(report: Report) = buildJsonObject {
    val experiment = report.experiment
    put("name", experiment.name)
    put("title", experiment.title)
    put("question", experiment.question)
    put("preset", presetOf(report))
    put("seed", experiment.protocol.seed)
    put("rounds", report.analysis.roundsDone)
    put("baseline", experiment.baseline?.text)
    val source = experiment.source
    if (source == null) {
        put("source", JsonNull)
    } else {
        putJsonObject("source") {
            put("key", source.key)
            put("title", source.title)
            put("conditions", source.conditions)
        }
    }
}

private fun ranking(analysis: Analysis) = JsonArray(
    analysis.ranking.map { rank ->
        buildJsonObject {
            put("rank", rank.rank)
            put("tied", rank.tied)
            put("cell", rank.cell.text)
        }
    },
)

private fun comparison(comparison: Comparison) = buildJsonObject {
    put("baseline", comparison.baseline.text)
    put("candidate", comparison.candidate.text)
    put("metric", comparison.measure.word)
    put("ratio", number(comparison.ratio.value))
    put("low", number(comparison.ratio.interval?.low))
    put("high", number(comparison.ratio.interval?.high))
    put("n", comparison.ratio.n)
    put("verdict", comparison.verdict?.word)
    put("furtherRounds", comparison.furtherRounds)
    put("delta", number(comparison.delta))
    put("p", number(comparison.p))
    put("bound", wireName(comparison.bound))
}

private fun claim(claim: ClaimJudged) = buildJsonObject {
    put("source", claim.source)
    put("text", claim.text)
    put("cells", JsonArray(claim.cells.map { JsonPrimitive(it.text) }))
    put("published", number(claim.published))
    put("tendency", claim.tendency?.word)
    put("measured", number(claim.measured?.value))
    put("low", number(claim.measured?.interval?.low))
    put("high", number(claim.measured?.interval?.high))
    put("n", claim.measured?.n)
    put("bound", wireName(claim.bound))
    put("outcome", claim.outcome.word)
}

private fun figure(figure: FigureJudged) = buildJsonObject {
    put("cell", figure.cell.text)
    put("metric", figure.measure.word)
    put("operation", figure.operation)
    put("source", figure.source)
    put("published", number(figure.published))
    put("measured", figure.measured?.let { estimate(it, figure.measure.unit.symbol) } ?: JsonNull)
    put("bound", wireName(figure.bound))
    put("publishedRatio", number(figure.publishedRatio))
    put("measuredRatio", figure.measuredRatio?.let { estimate(it, "1") } ?: JsonNull)
    put("ratioBound", wireName(figure.ratioBound))
    put("outcome", figure.outcome.word)
}

private fun gate(gate: GateJudged) = buildJsonObject {
    put("rule", gate.rule)
    put("observed", number(gate.observed?.value))
    put("low", number(gate.observed?.interval?.low))
    put("high", number(gate.observed?.interval?.high))
    put("n", gate.observed?.n)
    put("bound", wireName(gate.bound))
    put("outcome", gate.outcome.word)
}

private fun failure(failure: TrialFailure) = buildJsonObject {
    put("trial", failure.number)
    put("round", failure.round)
    put("cell", failure.cell.text)
    put("stage", failure.stage)
    put("reason", failure.reason)
    put("lastLines", JsonArray(failure.lastLines.map(::JsonPrimitive)))
}

private fun damaged(trial: DamagedTrial) = buildJsonObject {
    put("trial", trial.number)
    put("cell", trial.cell?.text)
    put("file", trial.file)
    put("reason", trial.reason)
}

internal fun wireName(bound: Bound): String = when (bound) {
    Bound.EXACT -> "exact"
    Bound.AT_LEAST -> "at-least"
    Bound.AT_MOST -> "at-most"
    Bound.UNKNOWN -> "unknown"
}
