package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.Confirmation
import bootdyno.analyse.ConfirmationOutcome
import bootdyno.analyse.isWide
import bootdyno.model.roundedRange
import bootdyno.report.Column.WhenTight

/** Changes that were predicted, then measured. */
internal fun proofSection(report: Report): Section? {
    val confirmations = report.confirmations.ifEmpty { return null }
    val table = table("Predicted and measured effect of a change", confirmations) {
        column(Column("change", importance = 0, whenTight = WhenTight.WRAP)) { Words(it.prediction.change.text) }
        text(report.noun, importance = 1) { Words(it.original.text) }
        figure("predicted", "times the throughput", short = "×") { Words(predicted(it)) }
        figure("measured", "times the throughput", short = "×") { measured(it.ratio?.ratio, it.ratio?.bound ?: Bound.EXACT) }
        figure("before", "requests/s", importance = 3) { estimated(it.before) }
        figure("after", "requests/s", importance = 3) { estimated(it.after) }
        text("outcome", importance = 1) {
            badge(sign(it.outcome)).copy(beside = report.unsteadyMark(listOf(it.original, it.changed)))
        }
    }
    val lead = "The original and the change, measured in the same rounds. Confirmed: the interval lies within the " +
        "prediction ± 10 %. Refuted: it lies outside."
    val items = confirmations.map {
        Item(it.prediction.change.text, detail = listOfNotNull(it.prediction.sentence, wide(it), reason(it)))
    }
    return Section("proof", "Proof: predicted and measured effect", lead, listOf(table, Bullets(items)))
}

internal fun predicted(confirmation: Confirmation): String = confirmation.prediction.run { roundedRange(low, high) }

private fun wide(confirmation: Confirmation): String? =
    "The prediction is so wide that hardly any measurement refutes it.".takeIf { confirmation.prediction.isWide }

/** Why nothing is decided; null if something is. */
private fun reason(confirmation: Confirmation): String? = when {
    confirmation.outcome != ConfirmationOutcome.UNDECIDED -> null
    confirmation.ratio == null -> "No round measured both."
    confirmation.ratio.bound != Bound.EXACT -> "In some rounds the original answered nothing."
    confirmation.ratio.ratio.interval == null -> "One round has no interval."
    confirmation.ratio.ratio.n == 2 -> "Two rounds confirm nothing."
    confirmation.ratio.groups != null -> "The ratios of the rounds form two groups."
    confirmation.ratio.failsMore != null -> "One of both fails more requests."
    else -> "The interval is too wide for a decision. Measure more rounds."
}

internal fun sign(outcome: ConfirmationOutcome): Sign = when (outcome) {
    ConfirmationOutcome.CONFIRMED -> Sign("✓ confirmed", Tone.GOOD)
    ConfirmationOutcome.REFUTED -> Sign("✗ refuted", Tone.BAD)
    ConfirmationOutcome.UNDECIDED -> Sign("? undecided", Tone.WARN)
}
