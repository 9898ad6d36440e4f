package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Measure
import bootdyno.model.PublishedFigure
import bootdyno.model.Tendency

internal val CLAIM_KINDS = listOf("ratio", "figure")
internal val CLAIM_KEYS = listOf("text") + CLAIM_KINDS + listOf("published", "tolerance", "measure")

/** The names of the measures, as gates, claims and published figures write them. */
internal val MEASURES: Map<String, Measure> = Measure.entries.associateBy { it.word }

/** What a claim may say was published where there is no figure. */
internal val TENDENCIES: Map<String, Tendency> = Tendency.entries.associateBy { it.word }

/** A claim holds when the measured figure is this near the published one. */
private const val TOLERANCE = 0.10

/** Reads what an article says. [source] is its key; [grid] knows the cells. */
internal class ClaimReading(private val source: String, private val grid: Grid) {
    /** The claim for each protocol the experiment measures in; empty after a problem. */
    fun read(cursor: Cursor): List<Claim> {
        val fields = cursor.fields(CLAIM_KEYS) ?: return emptyList()
        val text = fields.required("text")?.text()
        val kind = fields.exactlyOne(CLAIM_KINDS)
        val published = fields.required("published")?.let(::figureOrTendency)
        val written = fields["measure"]
        val quantity = if (written == null) Quantity(Measure.THROUGHPUT) else readQuantity(written)
        val tolerance = fields["tolerance"]?.percentage(TOLERANCES, "write 10 %") ?: TOLERANCE
        val said = kind?.let { fields[it] }
        if (text == null || published == null || said == null || quantity == null) return emptyList()
        val claims = assertions(kind, said, quantity, published).map { Claim(text, source, it, tolerance) }
        if (written != null && !checkOperation(quantity, claims.flatMap { it.cells }, grid, written::problem)) return emptyList()
        return claims
    }

    private sealed interface Said {
        data class Number(val value: Double) : Said

        data class Only(val tendency: Tendency) : Said
    }

    private fun figureOrTendency(cursor: Cursor): Said? = cursor.value(
        "a number ${words(FIGURES)}",
        "without a figure, a ratio may say ${TENDENCIES.keys.joinToString(" or ")}",
    ) { text ->
        TENDENCIES[text]?.let(Said::Only) ?: text.toDoubleOrNull()?.takeIf { it in FIGURES }?.let(Said::Number)
    }

    private fun assertions(kind: String, cursor: Cursor, of: Quantity, published: Said): List<Assertion> = when (published) {
        is Said.Number -> when (kind) {
            "figure" -> grid.cells(cursor).map { Assertion.Figure(it, of.measure, published.value, of.operation) }
            else -> pairs(cursor).map { Assertion.Ratio(it.candidate, it.baseline, of.measure, published.value, of.operation) }
        }

        is Said.Only -> when (kind) {
            "figure" -> {
                cursor.problem("is one cell, and `${published.tendency.word}` compares two", "write ratio: [ a, b ]")
                emptyList()
            }

            else -> pairs(cursor).map {
                Assertion.Difference(it.candidate, it.baseline, of.measure, published.tendency, of.operation)
            }
        }
    }

    private class Pair(val candidate: CellId, val baseline: CellId)

    private fun pairs(cursor: Cursor): List<Pair> {
        val items = cursor.list() ?: return emptyList()
        if (items.size != 2) {
            cursor.problem("needs two cells", "write [ candidate, baseline ]: the first is divided by the second")
            return emptyList()
        }
        val (above, below) = items.map(grid::cells)
        if (above.isNotEmpty() && below.isNotEmpty() && above.size != below.size) {
            cursor.problem("names the protocol of one cell only", "name it for both, or for none to speak of each protocol")
        }
        return above.zip(below) { candidate, baseline -> Pair(candidate, baseline) }
    }

    /** The figures an article printed for one cell, or for a line of them: `{ throughput: { 100: 13409.62, 1000: 12037.07 } }`. */
    fun published(entry: Entry): List<PublishedFigure> {
        val swept = grid.valuesOf(entry.name).isNotEmpty()
        val cells = if (swept) emptyList() else grid.cells(entry.name) { message, hint -> entry.problem(message, hint) }
        val figures = entry.value.entries() ?: return emptyList()
        val read = figures.flatMap { figure ->
            val quantity = quantityOf(figure.name)
            when {
                quantity == null -> {
                    figure.problem("unknown key `${figure.name}`", suggestion(figure.name, MEASURES.keys))
                    emptyList()
                }

                swept -> alongAxis(entry.name, quantity, figure.value)

                else -> figure.value.figure(quantity.measure)?.let { value ->
                    cells.map { figure(it, quantity, value) }
                }.orEmpty()
            }.takeIf { quantity == null || checkOperation(quantity, it.map { of -> of.cell }, grid, figure::problem) }.orEmpty()
        }
        return read.sortedBy { grid.ids.indexOf(it.cell) }
    }

    private fun figure(cell: CellId, of: Quantity, value: Double) = PublishedFigure(cell, of.measure, value, source, of.operation)

    private fun alongAxis(line: String, of: Quantity, cursor: Cursor): List<PublishedFigure> {
        val axis = grid.valuesOf(line)
        return cursor.entries().orEmpty().flatMap { entry ->
            val point = axis.find { it.value == entry.name.toDoubleOrNull() }
            if (point == null) {
                entry.problem(
                    "`${entry.name}` is no value of ${axis.first().axis}",
                    axis.joinToString(", ", "values: ") {
                        it.text
                    },
                )
            }
            val value = entry.value.figure(of.measure)
            if (point == null || value == null) return@flatMap emptyList()
            grid.atPoint(line, point.value).map { figure(it, of, value) }
        }
    }
}

/** That nothing fails is a figure, too; that nothing is served, or takes no time, is none. */
private fun Cursor.figure(measure: Measure): Double? = number(if (measure.mayBeZero) 0.0..FIGURES.endInclusive else FIGURES)
