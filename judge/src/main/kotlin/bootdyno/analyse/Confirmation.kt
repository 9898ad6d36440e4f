package bootdyno.analyse

import bootdyno.model.ByWord
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Prediction
import bootdyno.model.Worded
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.Side
import bootdyno.stats.Zone
import bootdyno.stats.sideOfOne
import kotlinx.serialization.Serializable
import kotlin.math.max
import kotlin.math.sqrt

/** A predicted change, and what it did. */
data class Confirmation(
    val prediction: Prediction,
    val original: CellId,
    val changed: CellId,
    /** Successful responses per second of both cells; null without a valid trial. */
    val before: Estimate?,
    val after: Estimate?,
    /** The throughput of [changed] divided by that of [original], within rounds; null where no round has both. */
    val ratio: Comparison?,
    val outcome: ConfirmationOutcome,
    /** The folder of its run, as a user would type it. */
    val folder: String? = null,
)

@Serializable(with = ConfirmationOutcomeByWord::class)
enum class ConfirmationOutcome : Worded { CONFIRMED, REFUTED, UNDECIDED }

internal object ConfirmationOutcomeByWord : ByWord<ConfirmationOutcome>(ConfirmationOutcome.entries)

/** Null without a prediction. */
internal fun confirmationOf(measured: Measurements, comparisons: Comparisons): Confirmation? {
    val plan = measured.run.plan
    val prediction = plan.prediction ?: return null
    val (original, changed) = plan.cells.map { it.id }
    val ratio = comparisons.between(changed, original, Measure.THROUGHPUT)
    fun throughput(cell: CellId) = measured.figure(cell, Measure.THROUGHPUT)?.estimate
    return Confirmation(
        prediction = prediction,
        original = original,
        changed = changed,
        before = throughput(original),
        after = throughput(changed),
        ratio = ratio,
        outcome = outcomeOf(prediction, ratio),
    )
}

/**
 * Refuted: the interval of [ratio] lies outside the prediction, by more than the differences that do not matter (δ). Confirmed: it meets the
 * prediction so widened, excludes 1 on the predicted side, and is narrower than the predicted effect. Where hardly any effect is predicted, it is
 * confirmed by an interval inside the prediction. The rules are those of published ratios. Without an interval, and where the changed cell fails
 * more requests, nothing is decided.
 */
internal fun outcomeOf(prediction: Prediction, ratio: Comparison?): ConfirmationOutcome {
    val interval = ratio?.ratio?.interval
    if (ratio == null || interval == null || ratio.moreErrors) return ConfirmationOutcome.UNDECIDED
    val zone = Zone(ratio.delta)
    val near = Interval(prediction.low * zone.low, prediction.high * zone.high)
    val expected = sqrt(prediction.low * prediction.high)
    val side = zone.sideOf(expected)
    val confirms = if (side == Side.WITHIN) {
        interval.low >= near.low && interval.high <= near.high
    } else {
        interval.sideOfOne() == side && interval.high / interval.low < max(expected, 1 / expected)
    }
    return when {
        interval.low > near.high || interval.high < near.low -> ConfirmationOutcome.REFUTED
        confirms -> ConfirmationOutcome.CONFIRMED
        else -> ConfirmationOutcome.UNDECIDED
    }
}
