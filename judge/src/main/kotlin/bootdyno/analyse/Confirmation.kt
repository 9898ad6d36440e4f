package bootdyno.analyse

import bootdyno.model.ByWord
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Prediction
import bootdyno.model.Worded
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import kotlinx.serialization.Serializable

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

/** How far from its ends a prediction still counts as met. */
private const val TOLERANCE = 0.1

/** Two rounds have one degree of freedom: their interval is hardly an interval. */
private const val FEWEST_ROUNDS = 3

internal val Prediction.met get() = Interval(low * (1 - TOLERANCE), high * (1 + TOLERANCE))

/** Whether its ends are more than a factor of two apart, so that hardly any measurement refutes it. */
val Prediction.isWide: Boolean get() = high / low > WIDE

private const val WIDE = 2.0

/**
 * Confirmed: the whole interval of [ratio] lies within the prediction ± 10 %. Refuted: it lies outside, wholly. Otherwise, with fewer than three
 * rounds, and where these form two groups, nothing is decided. Requests that fail early make room for others: a change that fails more of them is not
 * confirmed. If the original fails more, too small a ratio refutes nothing.
 */
internal fun outcomeOf(prediction: Prediction, ratio: Comparison?): ConfirmationOutcome {
    val interval = ratio?.ratio?.interval
    val isJudged = interval != null && ratio.groups == null && ratio.ratio.n >= FEWEST_ROUNDS
    if (!isJudged) return ConfirmationOutcome.UNDECIDED
    val met = prediction.met
    return when {
        interval.high < met.low && ratio.failsMore != ratio.baseline -> ConfirmationOutcome.REFUTED
        ratio.moreErrors || ratio.failsMore == ratio.candidate -> ConfirmationOutcome.UNDECIDED
        interval.low > met.high -> ConfirmationOutcome.REFUTED
        interval.low in met && interval.high in met -> ConfirmationOutcome.CONFIRMED
        else -> ConfirmationOutcome.UNDECIDED
    }
}
