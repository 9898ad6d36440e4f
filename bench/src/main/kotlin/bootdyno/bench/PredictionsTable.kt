package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.analyse.Confirmation
import bootdyno.analyse.ConfirmationOutcome
import bootdyno.analyse.isWide
import bootdyno.flags.CONFIRMS
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.stats.median
import kotlin.math.abs
import kotlin.math.sqrt

/**
 * Every prediction of [runs] with the measured effect, wrong ones too, and the median error; in Markdown. Wide: hardly any measurement refutes it.
 * Runs without a prediction are left out.
 */
internal fun predictionsTable(runs: List<Analysis>): List<String> {
    val predicted = runs.filter { it.confirmation != null }
    val confirmations = predicted.mapNotNull { it.confirmation }
    val errors = confirmations.mapNotNull { it.error }
    val outcomes = ConfirmationOutcome.entries.joinToString { outcome ->
        "${confirmations.count { it.outcome == outcome }} ${outcome.word}"
    }
    return listOf(
        "| experiment | cell | load | change | predicted | measured | rounds | error | outcome |",
        "|---|---|---|---|---:|---:|---:|---:|---|",
    ) + predicted.zip(confirmations, ::row) + listOf(
        "",
        "${plural(confirmations.size, "prediction")}: $outcomes." +
            if (errors.isEmpty()) "" else " Median error ${percent(median(errors))}.",
    )
}

private fun row(run: Analysis, confirmation: Confirmation): String = confirmation.run {
    val ratio = ratio?.ratio
    val measured = ratio?.let {
        significant(it.value) + it.interval?.run { " [${significant(low)}, ${significant(high)}]" }.orEmpty()
    }
    val expected = listOf(prediction.low, prediction.high).map(::significant).distinct().joinToString(" to ") +
        if (prediction.isWide) " (wide)" else ""
    listOf(
        run.run.plan.experiment.name.removeSuffix(CONFIRMS),
        "$original".substringBefore('@'),
        run.run.plan.cell(original).profile.declared,
        "`${prediction.change.text}`",
        expected,
        measured ?: "–",
        "${ratio?.n ?: 0}",
        error?.let(::percent) ?: "–",
        outcome.word,
    ).joinToString(" | ", "| ", " |")
}

/** How far the measured ratio is from the middle of the prediction; null if it was not measured. */
private val Confirmation.error: Double?
    get() = ratio?.let { abs(it.ratio.value / sqrt(prediction.low * prediction.high) - 1) }
