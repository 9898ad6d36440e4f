package bootdyno.model

import java.util.Locale

/** Rows under named columns. There is at least one row, and each has a value for every column. */
class DataTable(val columns: List<String>, val rows: List<List<String>>) {
    /** The row that is taken as number [taken], counted from 0: after the last comes the first. */
    fun row(taken: Long): List<String> = rows[(taken % rows.size).toInt()]
}

/** What reading a CSV file gives. */
sealed interface CsvRead {
    data class Sound(val table: DataTable) : CsvRead

    /** [line] counts from 1. */
    data class Unsound(val line: Int, val reason: String) : CsvRead
}

/**
 * Reads CSV as RFC 4180 has it: values between commas, in double quotes where a comma, a quote (doubled) or a line break is in them. The
 * first line names the columns. Lines without a character are passed over; blanks around a column's name are no part of it.
 */
fun readCsv(text: String): CsvRead {
    val records = try {
        CsvRecords(text.removePrefix("\uFEFF")).all()
    } catch (broken: BrokenCsv) {
        return CsvRead.Unsound(broken.line, broken.reason)
    }
    val header = records.firstOrNull() ?: return CsvRead.Unsound(1, "is empty: its first line should name the columns")
    val columns = header.values.map { it.trim() }
    val rows = records.drop(1)
    val ragged = rows.find { it.values.size != columns.size }
    val twice = columns.groupBy { it }.values.find { it.size > 1 }?.first()
    return when {
        columns.any { it.isEmpty() } -> CsvRead.Unsound(header.line, "has a column without a name")
        twice != null -> CsvRead.Unsound(header.line, "names the column `$twice` twice")
        rows.isEmpty() -> CsvRead.Unsound(header.line, "has no row below the line that names the columns")
        ragged != null -> CsvRead.Unsound(ragged.line, "has ${ragged.values.size} values for ${columns.size} columns")
        else -> CsvRead.Sound(DataTable(columns, rows.map { it.values }))
    }
}

/** The engine keeps all of them in its memory. */
private const val MOST_ROWS = 500_000
private const val MOST_COLUMNS = 1_000

private class CsvRecord(val line: Int, val values: List<String>)

private class BrokenCsv(val line: Int, val reason: String) : RuntimeException(reason)

private class CsvRecords(private val text: String) {
    private var at = 0
    private var line = 1

    fun all(): List<CsvRecord> = buildList {
        while (at < text.length) {
            if (endOfLine()) continue
            if (size > MOST_ROWS) throw BrokenCsv(line, "is one row more than ${"%,d".format(Locale.ROOT, MOST_ROWS)}")
            add(record())
        }
    }

    private fun record(): CsvRecord {
        val begins = line
        val values = mutableListOf(value())
        while (at < text.length && text[at] == ',') {
            at++
            if (values.size ==
                MOST_COLUMNS
            ) {
                throw BrokenCsv(line, "has more than ${"%,d".format(Locale.ROOT, MOST_COLUMNS)} values")
            }
            values += value()
        }
        if (at < text.length && !endOfLine()) throw BrokenCsv(line, "has text after a closing quote")
        return CsvRecord(begins, values)
    }

    private fun value(): String = if (at < text.length && text[at] == '"') quoted() else plain()

    private fun plain(): String {
        val from = at
        while (at < text.length && text[at] !in ",\r\n") at++
        return text.substring(from, at)
    }

    private fun quoted(): String {
        val opened = line
        val value = StringBuilder()
        at++
        while (at < text.length) {
            val c = text[at++]
            if (c == '\n') line++
            if (c != '"') {
                value.append(c)
            } else if (at < text.length && text[at] == '"') {
                value.append(text[at++])
            } else {
                return value.toString()
            }
        }
        throw BrokenCsv(opened, "opens a quote that is never closed")
    }

    /** Takes a line's end, LF, CR LF or CR, if one is here. */
    private fun endOfLine(): Boolean {
        val begins = at
        if (at < text.length && text[at] == '\r') at++
        if (at < text.length && text[at] == '\n') at++
        if (at > begins) line++
        return at > begins
    }
}
