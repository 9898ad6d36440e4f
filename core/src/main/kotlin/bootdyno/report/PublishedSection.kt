package bootdyno.report

import bootdyno.analyse.FigureJudged
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.listed
import bootdyno.model.times

/** The figures an article printed beside ours. */
internal fun publishedSection(report: Report): Section? {
    val figures = report.analysis.published
    if (figures.isEmpty()) return null
    val withRatios = figures.any { it.publishedRatio != null }
    val columns = listOf(
        Column("cell", importance = 0),
        Column("figure", importance = 0),
        Column("published", right = true, importance = 1),
        Column("measured", right = true, importance = 1),
    ) + (if (withRatios) listOf(Column("measured ratio", right = true, importance = 3)) else emptyList()) +
        Column("outcome", importance = 2)
    val table = Table("Published figures beside the measured ones", columns, figures.map { row(report, it, withRatios) })
    val sources = figures.map { it.source }.distinct().map { key ->
        report.experiment.source?.takeIf { it.key == key }?.let { source ->
            "“${source.title}” [$key]" + source.conditions?.let { " ($it)" }.orEmpty()
        } ?: "[$key]"
    }
    val lead = "Published by ${listed(sources)}. The hardware differs, so compare the ratios to the baseline."
    val drawn = publishedLines(report).ifEmpty { listOfNotNull(publishedTable(report)) }
    if (drawn.isEmpty()) return Section("published", "Published and measured", lead, listOf(table))
    val counts = figures.groupingBy { sign(it.outcome, it.measured).word }.eachCount().entries.sortedByDescending { it.value }
    val counted =
        "Of ${figures.size} figures: " + listed(counts.map { (word, count) -> "$count ${word.substringAfter(' ')}" }) + "."
    return Section(
        "published",
        "Published and measured",
        lead,
        listOf(Paragraph(counted)) + drawn + Folded("Figure by figure", listOf(table)),
    )
}

private fun row(report: Report, figure: FigureJudged, withRatios: Boolean): Row {
    val inUnit = { value: Double -> inColumn(figure.measure, value) }
    val cell = Words(figure.cell.text, mark = report.analysis.cell(figure.cell)?.let { report.mark(it.cell.id) })
    val measured = measured(figure.measured, figure.bound, inUnit).let {
        it.copy(beside = figure.measured?.let(::plusMinus), hint = it.beside)
    }
    val published = Words(inUnit(figure.published), beside = figure.publishedRatio?.let(::times))
    val measuredRatio = if (withRatios) listOf(measuredRatio(figure.measuredRatio, figure.ratioBound)) else emptyList()
    val entries = listOf(cell, Words(listOfNotNull(figure.operation, figureName(figure.measure)).joinToString(" "), Tone.DIM)) +
        published + measured + measuredRatio + badge(sign(figure.outcome, figure.measured))
    return Row(entries, emphasised = figure.cell == report.experiment.baseline)
}

internal fun figureName(measure: Measure): String =
    if (measure.unit == MeasureUnit.PER_SECOND) "requests/s" else listOfNotNull(measure.title, unitOf(measure)).joinToString(" ")
