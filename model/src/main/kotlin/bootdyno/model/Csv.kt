package bootdyno.model

import de.siegmar.fastcsv.reader.CsvParseException
import de.siegmar.fastcsv.reader.CsvReader
import de.siegmar.fastcsv.reader.CsvRecord
import de.siegmar.fastcsv.reader.CsvRecordHandler
import de.siegmar.fastcsv.reader.FieldMismatchStrategy
import de.siegmar.fastcsv.writer.CsvWriter
import de.siegmar.fastcsv.writer.LineDelimiter
import java.io.StringWriter

private const val MOST_FIELDS = 1_000
private val LINE = Regex("""line (\d+)""")

/** [line] (from 1) is not valid CSV. [reason] is part of a sentence. */
class BrokenCsv(val line: Int, val reason: String) : RuntimeException("line $line $reason") {
    fun inFile(name: String): String = "line $line of $name $reason"
}

/**
 * The records of [text], read one by one, as CSV of RFC 4180: commas, double quotes around values with a comma, a quote (doubled) or a line
 * break. Lines end in LF, CR LF or CR; empty lines are skipped. Invalid CSV, more than 1,000 fields in a record, and fields longer than
 * [longestField] characters throw [BrokenCsv].
 */
fun csvRecords(text: String, longestField: Int = 1 shl 24): Sequence<CsvRecord> {
    val records = CsvReader.builder()
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
        .allowUnclosedQuote(false)
        .build(CsvRecordHandler.of { it.maxFields(MOST_FIELDS).maxFieldSize(longestField) }, text.removePrefix("\uFEFF"))
        .iterator()
    return generateSequence {
        try {
            if (records.hasNext()) records.next() else null
        } catch (broken: CsvParseException) {
            val said = broken.message.orEmpty()
            throw BrokenCsv(
                LINE.find(said)?.groupValues?.get(1)?.toInt() ?: 1,
                "is no CSV: ${said.substringBefore(" (record starting")}",
            )
        }
    }
}

/** [records] as CSV of RFC 4180, with lines that end in LF. */
fun csvText(records: Sequence<List<String>>): String = StringWriter().also { text ->
    CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text).use { csv -> records.forEach { csv.writeRecord(it) } }
}.toString()
