package bootdyno.store

import bootdyno.model.Metric
import bootdyno.model.Metrics
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import java.math.BigDecimal

/** `series.csv`: `at_s`, then every metric in the order of [Metrics.all]; an empty cell is a missing reading. */
internal object SeriesFile {
    private const val AT = "at_s"

    fun write(series: Series): String = buildString {
        appendLine((listOf(AT) + Metrics.all.map { it.name }).joinToString(","))
        series.rows.forEach { row ->
            appendLine((listOf(plain(row.at)) + Metrics.all.map { cell(row.values[it]) }).joinToString(","))
        }
    }

    /** Columns are found by name: those unknown here, of a later version, are skipped. Fails with a sentence that names the line. */
    fun read(text: String): Series {
        val lines = text.lines().filter { it.isNotEmpty() }
        val names = lines.firstOrNull()?.split(',') ?: throw IllegalArgumentException("it is empty")
        require(names.first() == AT) { "its first column is ${names.first()}, not $AT" }
        val metrics = names.map { Metrics.named(it) }
        return Series(lines.drop(1).mapIndexed { index, line -> row(line, metrics, lineNumber = index + 2) })
    }

    private fun row(line: String, metrics: List<Metric?>, lineNumber: Int): SeriesRow {
        val cells = line.split(',')
        require(cells.size == metrics.size) { "line $lineNumber has ${cells.size} cells, not ${metrics.size}" }

        fun number(cell: String): Double = requireNotNull(cell.toDoubleOrNull()) { "line $lineNumber: $cell is no number" }
        val values = metrics.zip(cells) { metric, cell -> metric?.takeIf { cell.isNotEmpty() }?.let { it to number(cell) } }
        return SeriesRow(number(cells.first()), values.filterNotNull().toMap())
    }

    private fun cell(value: Double?): String = if (value != null && value.isFinite()) plain(value) else ""

    /** The shortest digits that read back as the same value, without an exponent, a point in every locale. */
    private fun plain(value: Double): String = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
}
