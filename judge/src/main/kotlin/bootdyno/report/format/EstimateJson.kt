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

/** A value with its bounds (null without an interval), unit and number of rounds. */
@Serializable
internal class EstimateJson(val value: Rounded, val low: Rounded?, val high: Rounded?, val unit: String, val n: Int)

/** An [EstimateJson] that may be a lower bound ([censored]). */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal class CensoredJson(
    val value: Rounded,
    val low: Rounded?,
    val high: Rounded?,
    val unit: String,
    val n: Int,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val censored: Boolean = false,
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

internal fun LatencyEstimate.json(unit: MeasureUnit) =
    CensoredJson(estimate.value, estimate.interval?.low, estimate.interval?.high, unit.symbol, estimate.n, censored)

internal fun Map<Measure, LatencyEstimate>.json() = mapValues { (measure, it) -> it.json(measure.unit) }

internal fun Map<Measure, CensoredValue>.jsonOfTrial() =
    mapValues { (measure, it) -> LatencyOfTrialJson(it.value, measure.unit.symbol, it.censored) }
