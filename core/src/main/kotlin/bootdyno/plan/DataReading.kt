package bootdyno.plan

import bootdyno.model.CsvRead
import bootdyno.model.DataFile
import bootdyno.model.readCsv

/** A data file as found: its absolute [path] and what is in it. */
data class FoundData(val path: String, val text: String)

/** Reads the CSV file that [cursor] names; null after a problem. [find] knows the files beside the experiment. */
internal fun readData(cursor: Cursor, parameters: Set<String>, find: (String) -> FoundData?): DataFile? {
    val name = cursor.text() ?: return null
    val found = find(name)
        ?: return cursor.problem("there is no file `$name`", "a CSV file, beside this one; its first line names the columns")
    return when (val read = readCsv(found.text)) {
        is CsvRead.Unsound -> cursor.problem("line ${read.line} of `$name` ${read.reason}", CSV)

        is CsvRead.Sound -> {
            val twice = read.table.columns.find { it in parameters }
            if (twice != null) cursor.problem("its column `$twice` is a parameter too", "rename one of the two")
            DataFile(found.path, read.table.columns, read.table.rows.size)
        }
    }
}

private const val CSV =
    "values between commas, in double quotes where they have a comma, as many in each line as there are columns"
