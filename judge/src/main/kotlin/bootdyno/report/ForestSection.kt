package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.Confirmation
import bootdyno.analyse.Verdict
import bootdyno.analyse.met
import bootdyno.model.percent
import bootdyno.stats.Estimate
import bootdyno.stats.Interval

/** What a run that answers yes or no compares, on one axis: the builds measure by measure, or a prediction with its measurement. */
internal fun forestSection(report: Report): Section? {
    val forest = report.analysis.confirmation?.let(::ofPrediction) ?: ofBuilds(report) ?: return null
    val lead = if (report.comparesBuilds) {
        "Point: ratio of the new build to the old one. Line: its interval. Grey: too small to matter. Ratios are turned so that right is better."
    } else {
        "Ratio of the requests with and without the change. Grey: where a measurement confirms the prediction."
    }
    val title = if (report.comparesBuilds) "New ÷ old" else "Predicted and measured"
    return Section("forest", title, lead, listOf(forest), setOf(Medium.HTML))
}

private fun ofPrediction(confirmation: Confirmation): Forest? {
    val ratio = confirmation.ratio?.ratio ?: return null
    val predicted = confirmation.prediction.run { Estimate((low + high) / 2, Interval(low, high), 1) }
    val confirming = confirmation.prediction.met.run { low..high }
    return Forest(
        listOf(
            ForestRow("predicted", predicted, "", Tone.PLAIN, confirming),
            sign(confirmation.outcome).run { ForestRow("measured", ratio, word, tone, confirming) },
        ),
    )
}

private fun ofBuilds(report: Report): Forest? =
    if (report.comparesBuilds) forest(report.analysis.comparisons.filter { it.at == null }) else null

/** The measures of a newer build or run, divided by those of the older one; null without an interval. */
internal fun forest(comparisons: List<Comparison>): Forest? {
    val compared = comparisons.filter { it.ratio.interval != null }.ifEmpty { return null }
    val several = compared.map { it.candidate }.distinct().size > 1
    val rows = compared.map {
        val name = (if (several) "${it.candidate}: " else "") + it.measure.title
        ForestRow(name, turned(it), word(it), tone(it), 1 / (1 + it.delta)..1 + it.delta)
    }
    return Forest(rows)
}

private fun turned(comparison: Comparison): Estimate {
    val ratio = comparison.ratio
    if (comparison.measure.moreIsBetter) return ratio
    return Estimate(1 / ratio.value, ratio.interval?.let { Interval(1 / it.high, 1 / it.low, it.level) }, ratio.n)
}

private fun word(comparison: Comparison): String = when (comparison.verdict) {
    Verdict.FASTER -> "✓ better"
    Verdict.SLOWER -> if (comparison.matters == true) "✗ worse" else "worse, perhaps below ${percent(comparison.delta)}"
    Verdict.EQUIVALENT -> "= same"
    Verdict.UNDECIDED, null -> "? not decided"
}

private fun tone(comparison: Comparison): Tone =
    comparison.verdict?.takeUnless { it == Verdict.SLOWER && comparison.matters != true }?.let(::tone) ?: Tone.WARN
