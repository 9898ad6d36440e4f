package bootdyno.plan

import bootdyno.keys.ClaimKeys
import bootdyno.keys.FIGURE
import bootdyno.keys.FIGURE_OR_ZERO
import bootdyno.keys.MEASURES
import bootdyno.keys.Published
import bootdyno.keys.Quantity
import bootdyno.keys.quantityOf
import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.PublishedFigure
import bootdyno.yaml.Cursor
import bootdyno.yaml.Entry
import bootdyno.yaml.Fields
import bootdyno.yaml.MapNode
import bootdyno.yaml.suggestion

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
