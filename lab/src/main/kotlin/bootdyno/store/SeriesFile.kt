package bootdyno.store

import bootdyno.model.Metric
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.associateWithNotNull
import bootdyno.model.csvRecords
import bootdyno.model.csvText
import de.siegmar.fastcsv.reader.CsvRecord
import java.math.BigDecimal

/** `series.csv`: `at_s`, then every metric in the order of [Metric.entries]; empty for missing readings. */
internal object SeriesFile {
    private const val AT = "at_s"
    private const val FIRST_ROW = 2

    /** Maximum of any reading; sums stay finite. */
    private const val MOST = 1e18

    fun write(series: Series): String = csvText(
        sequenceOf(listOf(AT) + Metric.entries.map { it.column }) +
            series.rows.asSequence().map { row -> listOf(plain(row.at)) + Metric.entries.map { cell(row.values[it]) } },
    )

    /** Finds columns by name; unknown ones of other versions are skipped. Fails with a sentence that names the line. */
    fun read(text: String): Series {
        val records = csvRecords(text).iterator()
        require(records.hasNext()) { "it is empty" }
        require(text.endsWith("\n")) { "its last line has no end" }
        val names = records.next().fields
        require(names.first() == AT) { "its first column is ${names.first()}, not $AT" }
        val columns = names.mapIndexedNotNull { column, name ->
            Metric.entries.find { it.column == name }?.let { it to column }
        }.toMap()
        return Series(records.asSequence().map { row(it, names.size, columns) }.toList()).also(::requireOrder)
    }

    private fun row(record: CsvRecord, size: Int, columns: Map<Metric, Int>): SeriesRow {
        val line = record.startingLineNumber
        require(record.fieldCount == size) { "line $line has ${record.fieldCount} cells, not $size" }

        fun number(name: String, cell: String): Double {
            val value = requireNotNull(cell.toDoubleOrNull()) { "line $line: $name is $cell, which is no number" }
            require(value in 0.0..MOST) { "line $line: $name is $cell, which is impossible" }
            return value
        }
        val numbers = DoubleArray(size) { Double.NaN }
        columns.forEach { (metric, column) ->
            val cell = record.getField(column)
            if (cell.isNotEmpty()) numbers[column] = number(metric.column, cell)
        }
        return SeriesRow(number(AT, record.getField(0)), RowValues(columns, numbers))
    }

    /** Times must increase, and counters must not decrease. */
    private fun requireOrder(series: Series) {
        series.rows.zipWithNext().forEachIndexed { index, (row, next) ->
            require(next.at > row.at) {
                "line ${index + FIRST_ROW + 1}: $AT is ${plain(next.at)}, not later than the line before"
            }
        }
        // A hypervisor may reset counters of the machine: such a growth is missing, and the trial stays valid.
        Metric.entries.filter { it.kind == Metric.Kind.COUNTER && !it.ofMachine }.forEach { counter ->
            series.of(counter).zipWithNext().find { (before, after) -> after.value < before.value }?.let { (before, after) ->
                throw IllegalArgumentException(
                    "${counter.column} falls from ${plain(before.value)} to ${plain(after.value)} at ${plain(after.at)} s; " +
                        "a counter only grows",
                )
            }
        }
    }

    private fun cell(value: Double?): String = if (value != null && value.isFinite()) plain(value) else ""

    /** The shortest digits that read back as the same value, without exponent, with a decimal point in every locale. */
    private fun plain(value: Double): String = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
}

/** One line. All lines share [columns]; separate maps would be ten times as large as their [numbers]. */
private class RowValues(private val columns: Map<Metric, Int>, private val numbers: DoubleArray) : AbstractMap<Metric, Double>() {
    override val entries: Set<Map.Entry<Metric, Double>>
        get() = columns.keys.associateWithNotNull { get(it) }.entries

    override fun get(key: Metric): Double? = columns[key]?.let { numbers[it] }?.takeUnless(Double::isNaN)

    override fun containsKey(key: Metric): Boolean = get(key) != null
}
