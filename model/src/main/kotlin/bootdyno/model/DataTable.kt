package bootdyno.model

/** At least one row; each row has a value for every column. */
class DataTable(val columns: List<String>, val rows: List<List<String>>) {
    /** Row number [taken], from 0; the first row follows the last. */
    fun row(taken: Long): List<String> = rows[(taken % rows.size).toInt()]
}

/** The result of reading a CSV file. */
sealed interface CsvRead {
    data class Sound(val table: DataTable) : CsvRead

    /** [line] counts from 1. */
    data class Unsound(val line: Int, val reason: String) : CsvRead
}

/** The engine keeps all rows in memory. */
private const val MOST_ROWS = 500_000

/** Reads a table, see [csvRecords]. The first record has the column names; spaces around a name are removed. */
fun readCsv(text: String): CsvRead = try {
    readTable(text)
} catch (broken: BrokenCsv) {
    CsvRead.Unsound(broken.line, broken.reason)
}

private fun readTable(text: String): CsvRead {
    val records = csvRecords(text).take(MOST_ROWS + 2).toList()
    val header = records.firstOrNull() ?: return CsvRead.Unsound(1, "is empty: its first line should name the columns")
    val columns = header.fields.map { it.trim() }
    val rows = records.drop(1)
    val ragged = rows.find { it.fieldCount != columns.size }
    val twice = columns.groupBy { it }.values.find { it.size > 1 }?.first()
    fun unsound(line: Long, reason: String) = CsvRead.Unsound(line.toInt(), reason)
    return when {
        columns.any { it.isEmpty() } -> unsound(header.startingLineNumber, "has a column without a name")
        twice != null -> unsound(header.startingLineNumber, "names the column `$twice` twice")
        rows.isEmpty() -> unsound(header.startingLineNumber, "has no row below the line that names the columns")
        rows.size > MOST_ROWS -> unsound(rows.last().startingLineNumber, "is one row more than 500,000")
        ragged != null -> unsound(ragged.startingLineNumber, "has ${ragged.fieldCount} values for ${columns.size} columns")
        else -> CsvRead.Sound(DataTable(columns, rows.map { it.fields }))
    }
}
