package bootdyno.engine

import bootdyno.model.BrokenCsv
import bootdyno.model.csvRecords
import java.io.ByteArrayOutputStream
import java.io.InputStream

/**
 * Reads the results of the load generator [of], CSV with a header, in pieces, for growing or large files. [take] gets the values of [fields] of
 * each record, in this order, empty for those that are [optional] and missing. A last record without a line feed is incomplete.
 * @throws EngineFailed for an invalid or too long record, or a header without one of [fields]
 */
abstract class CsvResults(private val of: String, private val fields: List<String>, private val optional: Set<String>) {
    private val unread = ByteArrayOutputStream()
    private val buffer = ByteArray(1 shl 16)

    /** Positions of [fields], which depend on the settings of the generator; null before the header. */
    private var places: List<Int>? = null
    private var records = 0L
    private var last = emptyList<String>()

    /** Whether the last read byte is inside quotes, where a line feed does not end the record. */
    private var quoted = false

    protected abstract fun take(values: List<String>)

    /** Reads the rest of [file]. */
    fun readOn(file: InputStream) {
        while (true) {
            val count = file.read(buffer)
            if (count <= 0) return
            read(buffer, count)
        }
    }

    fun read(bytes: ByteArray, count: Int) {
        val whole = endOfRecords(bytes, count)
        if (whole > 0) {
            unread.write(bytes, 0, whole)
            parse(unread.toString(Charsets.UTF_8))
            unread.reset()
        }
        unread.write(bytes, whole, count - whole)
        if (unread.size() > LONGEST_RECORD) {
            throw EngineFailed("Record ${records + 1} of $of's results is longer than $LONGEST_RECORD bytes.")
        }
    }

    /** The failure that the last record is no sample. */
    protected fun noSample() = EngineFailed("Record $records of $of's results is no sample: ${shortened(last)}")

    /** The number of [bytes] in complete records. */
    private fun endOfRecords(bytes: ByteArray, count: Int): Int {
        var end = 0
        for (i in 0 until count) {
            when (bytes[i]) {
                QUOTE -> quoted = !quoted
                LINE_FEED -> if (!quoted) end = i + 1
            }
        }
        return end
    }

    private fun parse(text: String) = try {
        csvRecords(text, LONGEST_RECORD).forEach { record ->
            records++
            last = record.fields
            val known = places
            if (known == null) places = placesIn(last) else take(known.map(::valueAt))
        }
    } catch (broken: BrokenCsv) {
        throw EngineFailed("Record ${records + 1} of $of's results ${broken.reason}.")
    }

    private fun valueAt(place: Int) = if (place == MISSING) "" else last.getOrNull(place) ?: throw noSample()

    private fun placesIn(header: List<String>): List<Int> = fields.map { name ->
        header.indexOf(name).takeIf { it != MISSING || name in optional }
            ?: throw EngineFailed("$of's results have no field $name but ${shortened(header)}.")
    }
}

private fun shortened(fields: List<String>) = "$fields".let { if (it.length <= SHOWN) it else it.take(SHOWN) + "…" }

private const val MISSING = -1
private const val LONGEST_RECORD = 1 shl 20
private const val SHOWN = 300
private const val QUOTE = '"'.code.toByte()
private const val LINE_FEED = '\n'.code.toByte()
