package bootdyno.report.format

import bootdyno.analyse.LatencyEstimate
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.report.Rounded
import bootdyno.stats.CensoredValue
import bootdyno.stats.Estimate
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable

/** A value with its bounds (null without an interval), unit and number of rounds. [censored]: whether it is a lower bound, if that is said. */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal class EstimateJson(
    val value: Rounded,
    val low: Rounded?,
    val high: Rounded?,
    val unit: String,
    val n: Int,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val censored: Boolean? = null,
)

/** A single trial has no interval of its own. */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal class LatencyOfTrialJson(
    val value: Rounded,
    val unit: String,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val censored: Boolean = false,
)

internal fun Estimate.json(unit: MeasureUnit) = EstimateJson(value, interval?.low, interval?.high, unit.symbol, n)

internal fun LatencyEstimate.json(unit: MeasureUnit, isSaid: Boolean = censored) = estimate.run {
    EstimateJson(value, interval?.low, interval?.high, unit.symbol, n, censored.takeIf { isSaid })
}

internal fun Map<Measure, LatencyEstimate>.json() = mapValues { (measure, it) -> it.json(measure.unit) }

internal fun Map<Measure, CensoredValue>.jsonOfTrial() =
    mapValues { (measure, it) -> LatencyOfTrialJson(it.value, measure.unit.symbol, it.censored) }
