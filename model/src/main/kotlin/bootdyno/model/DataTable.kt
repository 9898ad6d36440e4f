package bootdyno.model

/** At least one row; each row has a value for every column. */
class DataTable(val columns: List<String>, val rows: List<List<String>>) {
    /** Row number [taken], from 0; the first row follows the last. */
    fun row(taken: Long): List<String> = rows[(taken % rows.size).toInt()]
}

/** The engine keeps all rows in memory. */
private const val MOST_ROWS = 500_000

/**
 * Reads the data of a workload, see [csvRecords]. The first record has the column names; spaces around a name are removed. Throws [BrokenCsv].
 */
fun readCsv(text: String): DataTable {
    val records = csvRecords(text).take(MOST_ROWS + 2).toList()
    val header = records.firstOrNull() ?: throw BrokenCsv(1, "is empty: its first line should name the columns")
    val columns = header.fields.map { it.trim() }
    val rows = records.drop(1)
    val ragged = rows.find { it.fieldCount != columns.size }
    val twice = columns.groupBy { it }.values.find { it.size > 1 }?.first()
    fun unsound(line: Long, reason: String): Nothing = throw BrokenCsv(line.toInt(), reason)
    when {
        columns.any { it.isEmpty() } -> unsound(header.startingLineNumber, "has a column without a name")
        twice != null -> unsound(header.startingLineNumber, "names the column `$twice` twice")
        rows.isEmpty() -> unsound(header.startingLineNumber, "has no row below the line that names the columns")
        rows.size > MOST_ROWS -> unsound(rows.last().startingLineNumber, "is one row more than 500,000")
        ragged != null -> unsound(ragged.startingLineNumber, "has ${ragged.fieldCount} values for ${columns.size} columns")
        else -> return DataTable(columns, rows.map { it.fields })
    }
}
