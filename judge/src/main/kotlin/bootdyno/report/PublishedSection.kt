package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.FigureJudged
import bootdyno.analyse.Sweep
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.exact
import bootdyno.model.listed
import bootdyno.model.significant
import bootdyno.model.times

/** Published figures and our measurements. */
internal fun publishedSection(report: Report): Section? {
    val figures = report.analysis.published.ifEmpty { return null }
    val table = figureTable(report, figures)
    val sources = figures.map { it.source }.distinct().map { key ->
        report.experiment.source?.takeIf { it.key == key }?.let { source ->
            "“${source.title}” [$key]" + source.conditions?.let { " ($it)" }.orEmpty()
        } ?: "[$key]"
    }
    val counts = figures.groupingBy { sign(it.outcome).word }.eachCount().entries.sortedByDescending { it.value }
    val counted = listed(counts.map { (word, count) -> "$count ${word.substringAfter(' ')}" })
    val drawn = sweptTables(report).ifEmpty { listOfNotNull(publishedTable(report)) }
    return Section(
        "published",
        "Published and measured",
        "Published by ${listed(sources)}. The hardware differs, so compare the ratios to the baseline.",
        if (drawn.isEmpty()) {
            listOf(table)
        } else {
            listOf(Paragraph("Of ${figures.size} figures: $counted.")) + drawn + Folded("Figure by figure", listOf(table))
        },
    )
}

private fun figureTable(report: Report, figures: List<FigureJudged>): Table = table(
    "Published figures beside the measured ones",
    figures,
    emphasised = { it.cell == report.experiment.baseline },
) {
    text("cell") { cellOf(report, it.cell) }
    text("figure") { Words(kindOf(it), Tone.DIM) }
    figure("published") { Words(inColumn(it.measure, it.published), beside = it.publishedRatio?.let(::times)) }
    figure("measured") { figure -> figure.inUnit().let { it.copy(beside = figure.measured?.let(::plusMinus), hint = it.beside) } }
    if (figures.any { it.publishedRatio != null }) {
        figure("measured ratio", importance = 3) { measuredRatio(it.measuredRatio, it.ratioBound) }
    }
    text("outcome", importance = 2) { badge(sign(it.outcome)) }
}

private fun cellOf(report: Report, cell: CellId) = Words(cell.text, mark = report.analysis.cell(cell)?.let { report.mark(cell) })

private fun FigureJudged.inUnit(): Words = measured(measured, bound) { inColumn(measure, it) }

internal fun kindOf(figure: FigureJudged): String {
    val measure = figure.measure
    val name = if (measure.unit == MeasureUnit.PER_SECOND) listOf("requests/s") else listOf(measure.title, measure.unit.inHeading)
    return (listOf(figure.operation) + name).filterNotNull().joinToString(" ")
}

/** From this number of kinds of figures on, an article gets a table of its own. */
private const val KINDS_OF_A_TABLE = 4

private fun table(caption: String, name: String, heads: List<String>, importance: Int, rows: List<Row>): Table {
    val columns = heads.map { Column(it, right = true, importance = importance) }
    return Table(caption, listOf(Column(name, importance = 0), Column("", importance = 0)) + columns, rows)
}

/** Blank for missing figures. */
private fun row(name: Words, whose: Words, figures: List<Words?>, emphasised: Boolean = false) =
    Row(listOf(name, whose) + figures.map { it ?: Words("") }, emphasised)

/**
 * The article's table: a column per kind of figure, and two rows per cell, published and measured, coloured by outcome. Null for too few
 * kinds.
 */
internal fun publishedTable(report: Report): Table? {
    val figures = report.analysis.published
    val kinds = figures.map(::kindOf).distinct()
    if (kinds.size < KINDS_OF_A_TABLE) return null
    val rows = figures.groupBy { it.cell }.flatMap { (cell, own) ->
        val byKind = own.associateBy(::kindOf)
        val emphasised = cell == report.experiment.baseline
        val published = kinds.map { kind -> byKind[kind]?.let { Words(inColumn(it.measure, it.published), Tone.DIM) } }
        listOf(
            row(cellOf(report, cell), Words("published", Tone.DIM), published, emphasised),
            row(Words(""), Words("measured", Tone.DIM), kinds.map { kind -> byKind[kind]?.let(::toned) }, emphasised),
        )
    }
    return table("The article's table, as published and as measured here", "cell", kinds, importance = 2, rows)
}

private fun toned(figure: FigureJudged): Words {
    val words = figure.inUnit()
    if (figure.measured == null) return words
    return words.copy(tone = sign(figure.outcome).tone, beside = null, hint = words.beside)
}

/** The source's tables with our rows: one collapsed table per measure; empty without a sweep. */
private fun sweptTables(report: Report): List<Block> = report.drawnSweeps.groupBy { it.axis }.flatMap { (axis, sweeps) ->
    val values = sweeps.flatMap(::valuesOf).distinct().sorted()
    listOf(Measure.THROUGHPUT, Measure.P99).mapNotNull { measure ->
        val rows = rows(report, sweeps, values, measure).ifEmpty { return@mapNotNull null }
        val title = (if (measure == Measure.THROUGHPUT) "Requests/s" else "p99 in ms") + " by $axis"
        Folded("$title, published and measured", listOf(table(title, "", values.map(::exact), importance = 1, rows)))
    }
}

private fun rows(report: Report, sweeps: List<Sweep>, values: List<Double>, measure: Measure): List<Row> {
    fun published(cell: CellId?) = cell?.let { publishedOf(report, it, measure) }
    val lines = sweeps.flatMap { it.lines }.distinctBy { it.name }
    val printed = lines.filter { swept -> swept.points.any { published(it.cell) != null } }
    return printed.flatMap { swept ->
        val figures = values.map { value -> published(swept.cellAt(value))?.let { Words(significant(it), Tone.DIM) } }
        listOf(row(nameOf(report, swept), Words("published", Tone.DIM), figures)) + sweeps.flatMap { sweep ->
            val whose = Words(if (sweeps.size == 1) "measured" else sweep.profile)
            sweep.lines.filter { it.name == swept.name }.map { own ->
                row(Words(""), whose, values.map { value -> own.cellAt(value)?.let { measured(report.cell(it), measure) } })
            }
        }
    }
}

private fun measured(cell: CellAnalysis, measure: Measure): Words =
    if (measure == Measure.P99) latencyOf(cell.latency[measure]) else served(cell)
