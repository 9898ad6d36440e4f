package bootdyno.report.format

import bootdyno.model.significant
import bootdyno.report.Bar
import bootdyno.report.Column.WhenTight
import bootdyno.report.Row
import bootdyno.report.Table
import bootdyno.report.Tone
import bootdyno.report.Words

private const val INDENT = 2
private const val GAP = 2
private const val LEAST_WRAPPED = 24

/**
 * A table of limited width. Columns that do not fit are dropped, wrapped, or continued in a second table with the same key columns, as each
 * column specifies.
 */
internal class TextTable(private val table: Table, private val screen: Screen) {
    private val paint = Paint(screen)
    private val wrapping = table.columns.indexOfFirst { it.whenTight == WhenTight.WRAP }

    fun lines(): List<String> {
        val keys = table.columns.indices.filter { table.columns[it].importance == 0 }
        var left = table.columns.indices.toList() - keys.toSet()
        val lines = mutableListOf<String>()
        do {
            val fitting = fitting(keys, left)
            left = left - fitting.toSet()
            left = left.filter { table.columns[it].whenTight == WhenTight.CONTINUE }
            if (lines.isNotEmpty()) lines += ""
            lines += block((keys + fitting).sorted())
        } while (left.isNotEmpty())
        return lines
    }

    /** Columns by importance while they fit; at least one, so that the loop ends. */
    private fun fitting(keys: List<Int>, candidates: List<Int>): List<Int> {
        val taken = mutableListOf<Int>()
        for (column in candidates.sortedBy { table.columns[it].importance }) {
            if (width(keys + taken + column) > screen.width && taken.isNotEmpty()) break
            taken += column
        }
        return taken
    }

    private fun width(columns: List<Int>): Int = INDENT + columns.sumOf { least(it) } + GAP * (columns.size - 1)

    private fun least(column: Int): Int = if (column == wrapping) leastWrapped.coerceAtMost(natural(column)) else natural(column)

    private val leastWrapped: Int
        get() = (table.rows.flatMap { text(it, wrapping).split(' ') }.maxOfOrNull { it.length } ?: 0).coerceAtLeast(LEAST_WRAPPED)

    private fun natural(column: Int): Int = (table.rows.map { text(it, column).length } + head(column).length).max()

    private fun block(columns: List<Int>): List<String> {
        val widths = columns.associateWith { if (it == wrapping) widthOfWrapping(columns) else natural(it) }
        fun line(part: (Int) -> String) = columns.joinToString(" ".repeat(GAP), transform = part).trimEnd()
        fun aligned(text: String, column: Int) =
            widths.getValue(column).let { if (table.columns[column].right) text.padStart(it) else text.padEnd(it) }

        val head = line { aligned(head(it), it) }
        val rule = line { paint.signs("─").repeat(widths.getValue(it)) }
        val rows = table.rows.flatMap { row ->
            val parts = columns.associateWith { column ->
                text(row, column).let { if (column == wrapping) wrapped(it, widths.getValue(column)) else listOf(it) }
            }
            (0 until parts.values.maxOf { it.size }).map { nth ->
                line { column ->
                    val text = parts.getValue(column).getOrElse(nth) { "" }
                    aligned(text, column).replaceFirst(text, painted(row, column, text))
                }
            }
        }
        return (listOf(paint(head, Tone.DIM), paint(rule, Tone.DIM)) + rows).map { (" ".repeat(INDENT) + it).trimEnd() }
    }

    private fun widthOfWrapping(columns: List<Int>): Int {
        val room = screen.width - width(columns.filter { it != wrapping }) - GAP
        return natural(wrapping).coerceAtMost(room.coerceAtLeast(leastWrapped))
    }

    /** Colours the text, but not the padding. */
    private fun painted(row: Row, column: Int, text: String): String = when (val entry = row.entries[column]) {
        is Bar -> text

        is Words -> {
            val main = paint.signs(entry.text)
            val tone = if (row.emphasised && column <= 1 && entry.tone == Tone.PLAIN) Tone.STRONG else entry.tone
            if (text.startsWith(main) && text.length > main.length) {
                val beside = text.substring(main.length)
                paint(main, tone) + paint(beside.trimEnd(), Tone.DIM) + " ".repeat(beside.length - beside.trimEnd().length)
            } else {
                paint(text, tone)
            }
        }
    }

    private fun head(column: Int): String =
        paint.signs(table.columns[column].let { it.short ?: listOfNotNull(it.head, it.unit).joinToString(" ") })

    /** Aligns the intervals of a column, so that the values before them are aligned too. */
    private fun text(row: Row, column: Int): String = when (val entry = row.entries[column]) {
        is Bar -> paint.signs(significant(entry.estimate.value))

        is Words -> {
            val widest = table.rows.maxOf { (it.entries[column] as? Words)?.beside?.length ?: 0 }
            paint.signs(entry.text + entry.beside?.let { " " + it.padEnd(widest) }.orEmpty())
        }
    }
}
