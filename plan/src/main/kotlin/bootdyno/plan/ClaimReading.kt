package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Measure
import bootdyno.model.PublishedFigure
import bootdyno.model.Tendency
import bootdyno.model.plainText
import bootdyno.yaml.Cursor
import bootdyno.yaml.Entry
import bootdyno.yaml.Fields
import bootdyno.yaml.MapNode
import bootdyno.yaml.Scalar
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.anyOf
import bootdyno.yaml.number
import bootdyno.yaml.oneOf
import bootdyno.yaml.percentage
import bootdyno.yaml.suggestion

/** A claim holds when the measured figure is this near the published one. */
private const val TOLERANCE = 0.10

/** A published figure or, for a ratio, only its direction. */
internal sealed class Published(val text: String) {
    class Figure(val value: Double) : Published(plainText(value))

    class Direction(val tendency: Tendency) : Published(tendency.word)
}

private val TENDENCIES = Tendency.entries.associateBy { it.word }
internal val FIGURE = number(FIGURES)
internal val FIGURE_OR_ZERO = number(0.0..FIGURES.endInclusive)

private val PUBLISHED = Scalar<Published>(
    "${FIGURE.words}, or of a ratio ${TENDENCIES.keys.joinToString(" or ") { "`$it`" }}",
    anyOf(listOf(FIGURE.schema, oneOf(TENDENCIES.keys))),
    Published::text,
) { cursor ->
    cursor.value(FIGURE.words, "without a figure, a ratio may say ${TENDENCIES.keys.joinToString(" or ")}") { text ->
        TENDENCIES[text]?.let(Published::Direction) ?: text.toDoubleOrNull()?.takeIf { it in FIGURES }?.let(Published::Figure)
    }
}

internal object ClaimKeys : Shape<Fields, Claim>("claim", "A published claim.", whole = true) {
    val text by key(TEXT, "The claim in your own words.", required = true) { it.text }
    val ratio by key(TEXTS, "`[ a, b ]`: the measure of cell `a` divided by that of cell `b`.") { claim ->
        claim.cells.map { it.text }.takeIf { it.size == 2 }
    }
    val figure by key(TEXT, "Cell of the published figure.") { claim -> claim.cells.singleOrNull()?.text }
    override val kinds = listOf(ratio, figure)
    val published by key(PUBLISHED, "The published ratio or figure.", required = true) { claim ->
        when (val says = claim.assertion) {
            is Assertion.Ratio -> Published.Figure(says.published)
            is Assertion.Figure -> Published.Figure(says.published)
            is Assertion.Difference -> Published.Direction(says.tendency)
        }
    }
    val tolerance by key(
        percentage(TOLERANCES, "write 10 %"),
        "Allowed difference between the measured and the published value.",
        TOLERANCE,
    ) { it.tolerance }
    val measure by key(QUANTITY_NAME, "Measure that the claim is about.", Quantity(Measure.THROUGHPUT)) {
        Quantity(it.assertion.measure, it.assertion.operation)
    }

    override fun make(fields: Fields) = fields
}

/** Reads claims and published figures. [source] is the key of their source; [grid] has the cells. */
internal class ClaimReading(private val source: String, private val grid: Grid) {
    /** The claim, once per protocol of the experiment; empty after a problem. */
    fun read(fields: Fields): List<Claim> {
        val kind = fields.exactlyOne(ClaimKeys.kinds)
        val cursor = kind?.let(fields::at) ?: return emptyList()
        val text = fields[ClaimKeys.text] ?: return emptyList()
        val said = fields[ClaimKeys.published] ?: return emptyList()
        val of = fields[ClaimKeys.measure]
        val named = if (kind == ClaimKeys.ratio) pairs(cursor) else grid.cells(cursor).map(::listOf)
        fields.at(ClaimKeys.measure)?.let { checkOperation(of, named.flatten(), it) }
        if (kind == ClaimKeys.figure && said is Published.Direction) {
            cursor.problem("is one cell, and `${said.tendency.word}` compares two", "write ratio: [ a, b ]")
        }
        return named.mapNotNull { cells -> assertion(cells.first().id, cells.getOrNull(1)?.id, of, said) }
            .map { Claim(text, source, it, fields[ClaimKeys.tolerance]) }
    }

    private fun assertion(cell: CellId, baseline: CellId?, of: Quantity, said: Published): Assertion? = when (said) {
        is Published.Figure ->
            if (baseline == null) {
                Assertion.Figure(cell, of.measure, said.value, of.operation)
            } else {
                Assertion.Ratio(cell, baseline, of.measure, said.value, of.operation)
            }

        is Published.Direction -> baseline?.let { Assertion.Difference(cell, it, of.measure, said.tendency, of.operation) }
    }

    private fun pairs(cursor: Cursor): List<List<GridCell>> {
        val items = cursor.list() ?: return emptyList()
        if (items.size != 2) {
            cursor.problem("needs two cells", "write [ candidate, baseline ]: the first is divided by the second")
            return emptyList()
        }
        val (above, below) = items.map { grid.cells(it) }
        if (above.isNotEmpty() && below.isNotEmpty() && above.size != below.size) {
            cursor.problem("names the protocol of one cell only", "name it for both cells, or for none to compare each protocol")
        }
        return above.zip(below) { candidate, baseline -> listOf(candidate, baseline) }
    }

    /** Published figures of one cell, or of a line: `{ throughput: { 100: 13409.62, 1000: 12037.07 } }`. */
    fun published(entry: Entry): List<PublishedFigure> {
        val line = grid.line(entry.name)
        val cells = line.ifEmpty { grid.cells(entry.key) }
        val read = entry.value.entries().orEmpty().flatMap { figure ->
            val of = quantityOf(figure.name, figure.key)
            if (of == null) {
                figure.problem("unknown key `${figure.name}`", suggestion(figure.name, MEASURES.keys))
                return@flatMap emptyList()
            }
            checkOperation(of, cells, figure.key)
            when {
                line.isNotEmpty() -> alongAxis(line, of, figure.value)

                // Of a line whose workload or profile could not be read.
                cells.isEmpty() && figure.value.node is MapNode -> emptyList()

                else -> figures(cells, of, figure.value)
            }
        }
        val order = grid.cells.map { it.id }
        return read.sortedBy { order.indexOf(it.cell) }
    }

    /** 0 is allowed for measures like errors, but not for throughput or times. */
    private fun figures(cells: List<GridCell>, of: Quantity, cursor: Cursor): List<PublishedFigure> {
        val value = (if (of.measure.mayBeZero) FIGURE_OR_ZERO else FIGURE).read(cursor) ?: return emptyList()
        return cells.map { PublishedFigure(it.id, of.measure, value, source, of.operation) }
    }

    private fun alongAxis(line: List<GridCell>, of: Quantity, cursor: Cursor) = cursor.entries().orEmpty().flatMap { entry ->
        val here = line.filter { it.point?.value == entry.name.toDoubleOrNull() }
        if (here.isEmpty()) {
            val points = line.mapNotNull { it.point }.distinct()
            val values = points.joinToString(", ", "values: ") { it.text }
            entry.problem("`${entry.name}` is no value of ${points.first().axis}", values)
        }
        figures(here, of, entry.value)
    }
}
