package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Measure
import bootdyno.model.PublishedFigure
import bootdyno.model.Tendency

/** A claim holds when the measured figure is this near the published one. */
private const val TOLERANCE = 0.10

/** What a source says: a figure or, of a ratio, which way it goes. */
internal sealed interface Published {
    data class Figure(val value: Double) : Published

    data class Direction(val tendency: Tendency) : Published
}

private val TENDENCIES = Tendency.entries.associateBy { it.word }
internal val FIGURE = number(FIGURES)
internal val FIGURE_OR_ZERO = number(0.0..FIGURES.endInclusive)

private val PUBLISHED = Scalar<Published>(
    "${FIGURE.words}, or of a ratio ${TENDENCIES.keys.joinToString(" or ") { "`$it`" }}",
    anyOf(listOf(FIGURE.schema, oneOf(TENDENCIES.keys))),
    { published ->
        when (published) {
            is Published.Figure -> plainText(published.value)
            is Published.Direction -> published.tendency.word
        }
    },
) { cursor ->
    cursor.value(FIGURE.words, "without a figure, a ratio may say ${TENDENCIES.keys.joinToString(" or ")}") { text ->
        TENDENCIES[text]?.let(Published::Direction) ?: text.toDoubleOrNull()?.takeIf { it in FIGURES }?.let(Published::Figure)
    }
}

internal object ClaimKeys : Shape<Fields, Claim>("claim", "Something an article says.", whole = true) {
    val text by key(TEXT, "The claim in your own words.", required = true) { it.text }
    val ratio by key(TEXTS, "`[ a, b ]`: the measure of cell a divided by that of cell b.") { claim ->
        claim.cells.map { it.text }.takeIf { it.size == 2 }
    }
    val figure by key(TEXT, "The cell whose measure was published.") { claim -> claim.cells.singleOrNull()?.text }
    override val kinds = listOf(ratio, figure)
    val published by key(PUBLISHED, "The ratio or the figure as printed.", required = true) { claim ->
        when (val says = claim.assertion) {
            is Assertion.Ratio -> Published.Figure(says.published)
            is Assertion.Figure -> Published.Figure(says.published)
            is Assertion.Difference -> Published.Direction(says.tendency)
        }
    }
    val tolerance by key(
        percentage(TOLERANCES, "write 10 %"),
        "The claim holds when the measured value is this near.",
        TOLERANCE,
    ) {
        it.tolerance
    }
    val measure by key(QUANTITY_NAME, "What the claim is about.", Quantity(Measure.THROUGHPUT)) {
        Quantity(it.assertion.measure, it.assertion.operation)
    }

    override fun make(fields: Fields) = fields
}

/** Reads what an article says. [source] is its key; [grid] knows the cells. */
internal class ClaimReading(private val source: String, private val grid: Grid) {
    /** The claim for each protocol the experiment measures in; empty after a problem. */
    fun read(fields: Fields): List<Claim> {
        val text = fields[ClaimKeys.text]
        val kind = fields.exactlyOne(ClaimKeys.kinds)
        val published = fields[ClaimKeys.published]
        val written = fields.at(ClaimKeys.measure)
        val quantity = fields[ClaimKeys.measure]
        val tolerance = fields[ClaimKeys.tolerance]
        val said = kind?.let(fields::at)
        if (text == null || published == null || said == null) return emptyList()
        val claims = assertions(kind, said, quantity, published).map { Claim(text, source, it, tolerance) }
        if (written != null && !checkOperation(quantity, claims.flatMap { it.cells }, grid, written::problem)) return emptyList()
        return claims
    }

    private fun assertions(kind: Key<*, *>, cursor: Cursor, of: Quantity, said: Published): List<Assertion> = when (said) {
        is Published.Figure -> when (kind) {
            ClaimKeys.figure -> grid.cells(cursor).map { Assertion.Figure(it, of.measure, said.value, of.operation) }
            else -> pairs(cursor).map { Assertion.Ratio(it.candidate, it.baseline, of.measure, said.value, of.operation) }
        }

        is Published.Direction -> when (kind) {
            ClaimKeys.figure -> {
                cursor.problem("is one cell, and `${said.tendency.word}` compares two", "write ratio: [ a, b ]")
                emptyList()
            }

            else -> pairs(cursor).map {
                Assertion.Difference(it.candidate, it.baseline, of.measure, said.tendency, of.operation)
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
        val read = entry.value.entries().orEmpty().flatMap { figure ->
            val quantity = figure.quantity() ?: return@flatMap emptyList()
            val found = if (swept) {
                alongAxis(entry.name, quantity, figure.value)
            } else {
                val value = figure.value.figure(quantity.measure)
                cells.mapNotNull { cell -> value?.let { figure(cell, quantity, it) } }
            }
            found.takeIf { checkOperation(quantity, it.map { of -> of.cell }, grid, figure::problem) }.orEmpty()
        }
        return read.sortedBy { grid.ids.indexOf(it.cell) }
    }

    private fun Entry.quantity(): Quantity? = quantityOf(name, place, value.problems)
        ?: problem("unknown key `$name`", suggestion(name, MEASURES.keys))

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
private fun Cursor.figure(measure: Measure): Double? = (if (measure.mayBeZero) FIGURE_OR_ZERO else FIGURE).read(this)
