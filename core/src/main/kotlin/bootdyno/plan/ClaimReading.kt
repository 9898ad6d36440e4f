package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Measure
import bootdyno.model.PublishedFigure

internal val CLAIM_KINDS = listOf("ratio", "figure")
internal val CLAIM_KEYS = listOf("text") + CLAIM_KINDS + listOf("published", "tolerance", "measure")

/** The names of the measures, as gates, claims and published figures write them. */
internal val MEASURES: Map<String, Measure> = Measure.entries.associateBy { measure ->
    when (measure) {
        Measure.THROUGHPUT -> "throughput"
        Measure.MEAN -> "mean"
        Measure.P50 -> "p50"
        Measure.P90 -> "p90"
        Measure.P99 -> "p99"
        Measure.P999 -> "p99.9"
        Measure.ERRORS -> "errors"
        Measure.RSS -> "rss"
        Measure.STARTUP -> "startup"
        Measure.THREADS -> "threads"
        Measure.CPU_PER_REQUEST -> "cpuPerRequest"
    }
}

internal val Measure.word: String get() = MEASURES.entries.first { it.value == this }.key

/** A claim holds when the measured figure is this near the published one. */
private const val TOLERANCE = 0.10

/** Reads what an article says. [source] is its key; [grid] knows the cells. */
internal class ClaimReading(private val source: String, private val grid: Grid) {
    fun read(cursor: Cursor): Claim? {
        val fields = cursor.fields(CLAIM_KEYS) ?: return null
        val text = fields.required("text")?.text()
        val kind = fields.exactlyOne(CLAIM_KINDS)
        val published = fields.required("published")?.positiveNumber()
        val measure = fields["measure"]?.oneOf(MEASURES) ?: Measure.THROUGHPUT
        val tolerance = fields["tolerance"]?.value("a percentage", "write 10 %", ::parsePercent) ?: TOLERANCE
        val cells = kind?.let { fields[it] }?.let { cells(kind, it) }
        if (text == null || published == null || cells == null) return null
        val assertion = when (cells.size) {
            1 -> Assertion.Figure(cells.first(), measure, published)
            else -> Assertion.Ratio(cells.first(), cells.last(), measure, published)
        }
        return Claim(text, source, assertion, tolerance)
    }

    private fun cells(kind: String, cursor: Cursor): List<CellId>? {
        if (kind == "figure") return grid.cell(cursor)?.let(::listOf)
        val items = cursor.list() ?: return null
        if (items.size !=
            2
        ) {
            return cursor.problem("needs two cells", "write [ candidate, baseline ]: the first is divided by the second")
        }
        return items.mapNotNull(grid::cell).takeIf { it.size == 2 }
    }

    /** The figures an article printed for one cell. */
    fun published(entry: Entry): List<PublishedFigure> {
        val cell = grid.cell(entry.name) { message, hint -> entry.problem(message, hint) }
        val figures = entry.value.fields(MEASURES.keys.toList()) ?: return emptyList()
        return MEASURES.mapNotNull { (name, measure) ->
            val value = figures[name]?.positiveNumber()
            if (cell == null || value == null) null else PublishedFigure(cell, measure, value, source)
        }
    }
}
