package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.Comparison
import bootdyno.analyse.FigureJudged
import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.Rounded
import bootdyno.analyse.Share
import bootdyno.analyse.Verdict
import bootdyno.analyse.WrittenEstimate
import bootdyno.analyse.written
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Tendency
import kotlinx.serialization.Serializable

@Serializable
internal class ComparisonJson(
    val baseline: CellId,
    val candidate: CellId,
    val metric: Measure,
    val ratio: Rounded,
    val low: Rounded?,
    val high: Rounded?,
    val n: Int,
    val verdict: Verdict?,
    val furtherRounds: Int?,
    val delta: Rounded,
    val p: Rounded?,
    val bound: Bound,
)

internal fun Comparison.json() = ComparisonJson(
    baseline = baseline,
    candidate = candidate,
    metric = measure,
    ratio = ratio.value,
    low = ratio.interval?.low,
    high = ratio.interval?.high,
    n = ratio.n,
    verdict = verdict,
    furtherRounds = furtherRounds,
    delta = delta,
    p = p,
    bound = bound,
)

@Serializable
internal class ClaimJson(
    val source: String,
    val text: String,
    val cells: List<CellId>,
    val published: Rounded?,
    val tendency: Tendency?,
    val measured: Rounded?,
    val low: Rounded?,
    val high: Rounded?,
    val n: Int?,
    val bound: Bound,
    val outcome: ClaimOutcome,
)

internal fun ClaimJudged.json() = ClaimJson(
    source = source,
    text = text,
    cells = cells,
    published = published,
    tendency = tendency,
    measured = measured?.value,
    low = measured?.interval?.low,
    high = measured?.interval?.high,
    n = measured?.n,
    bound = bound,
    outcome = outcome,
)

@Serializable
internal class FigureJson(
    val cell: CellId,
    val metric: Measure,
    val operation: String?,
    val source: String,
    val published: Rounded,
    val measured: WrittenEstimate?,
    val bound: Bound,
    val publishedRatio: Rounded?,
    val measuredRatio: Share?,
    val ratioBound: Bound,
    val outcome: ClaimOutcome,
)

internal fun FigureJudged.json() = FigureJson(
    cell = cell,
    metric = measure,
    operation = operation,
    source = source,
    published = published,
    measured = measured?.written(measure.unit),
    bound = bound,
    publishedRatio = publishedRatio,
    measuredRatio = measuredRatio,
    ratioBound = ratioBound,
    outcome = outcome,
)

@Serializable
internal class GateJson(
    val rule: String,
    val observed: Rounded?,
    val low: Rounded?,
    val high: Rounded?,
    val n: Int?,
    val bound: Bound,
    val outcome: GateOutcome,
)

internal fun GateJudged.json() =
    GateJson(rule, observed?.value, observed?.interval?.low, observed?.interval?.high, observed?.n, bound, outcome)
