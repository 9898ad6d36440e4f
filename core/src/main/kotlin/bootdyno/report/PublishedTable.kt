package bootdyno.report

import bootdyno.analyse.FigureJudged
import bootdyno.model.CellId

/** With so many kinds of figures an article has a table of its own. */
private const val KINDS_OF_A_TABLE = 4

/**
 * The article's table: a column for each kind of figure, and for each cell a row as published and one as measured, toned by its
 * outcome. Null where there are too few kinds for one.
 */
internal fun publishedTable(report: Report): Table? {
    val figures = report.analysis.published
    val kinds = figures.map(::kindOf).distinct()
    if (kinds.size < KINDS_OF_A_TABLE) return null
    val columns =
        listOf(Column("cell", importance = 0), Column("", importance = 0)) +
            kinds.map { Column(it, right = true, importance = 2) }
    val rows = figures.groupBy { it.cell }.flatMap { (cell, own) -> rows(report, cell, kinds, own.associateBy(::kindOf)) }
    return Table("The article's table, as published and as measured here", columns, rows)
}

private fun rows(report: Report, cell: CellId, kinds: List<String>, figures: Map<String, FigureJudged>): List<Row> {
    val name = Words(cell.text, mark = report.analysis.cell(cell)?.let { report.mark(it.cell.id) })
    val emphasised = cell == report.experiment.baseline
    fun row(of: Words, whose: String, entry: (FigureJudged) -> Words) =
        Row(listOf(of, Words(whose, Tone.DIM)) + kinds.map { kind -> figures[kind]?.let(entry) ?: Words("") }, emphasised)
    return listOf(
        row(name, "published") { Words(inColumn(it.measure, it.published), Tone.DIM) },
        row(Words(""), "measured") { figure ->
            val words = measured(figure.measured, figure.bound) { inColumn(figure.measure, it) }
            if (figure.measured ==
                null
            ) {
                words
            } else {
                words.copy(tone = sign(figure.outcome, figure.measured).tone, beside = null, hint = words.beside)
            }
        },
    )
}

private fun kindOf(figure: FigureJudged): String = listOfNotNull(figure.operation, figureName(figure.measure)).joinToString(" ")
