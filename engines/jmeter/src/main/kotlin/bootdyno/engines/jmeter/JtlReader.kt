package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.model.BrokenCsv
import bootdyno.model.csvRecords
import java.io.ByteArrayOutputStream
import java.io.InputStream

/**
 * A sample as written by JMeter. Times are ms; [start] since 1970. [elapsed] is the time from connecting, if needed, to the last byte; [connect]
 * is the part for connecting (0 also below 1 ms).
 */
internal class JtlRow(
    val start: Long,
    val elapsed: Long,
    val connect: Long,
    val label: String,
    /** The status, or an exception's class after `Non HTTP response code: `. */
    val code: String,
    val message: String,
    val good: Boolean,
    /** The message of a failed assertion; empty without one. */
    val failure: String,
    /** Running JMeter threads at the end of the sample. */
    val threads: Long,
) {
    val end: Long get() = start + elapsed
}

/**
 * Reads JMeter's results (CSV with a header) in pieces, for growing or large files. A last record without a line feed is incomplete.
 * @throws EngineFailed for an invalid or too long record
 */
internal class JtlReader(private val onRow: (JtlRow) -> Unit) {
    private val unread = ByteArrayOutputStream()
    private val buffer = ByteArray(1 shl 16)
    private var columns: Columns? = null
    private var records = 0L

    /** Whether the last read byte is inside quotes, where a line feed does not end the record. */
    private var quoted = false

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
            throw EngineFailed("Record ${records + 1} of JMeter's results is longer than $LONGEST_RECORD bytes.")
        }
    }

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
            val known = columns
            if (known == null) columns = Columns(record.fields) else onRow(known.row(record.fields))
        }
    } catch (broken: BrokenCsv) {
        throw EngineFailed("Record ${records + 1} of JMeter's results ${broken.reason}.")
    }

    /** Positions of [FIELDS], which depend on JMeter's settings. */
    private inner class Columns(header: List<String>) {
        private val places = FIELDS.map { name ->
            header.indexOf(name).also {
                if (it <
                    0
                ) {
                    throw EngineFailed("JMeter's results have no field $name but ${shortened(header)}.")
                }
            }
        }

        fun row(fields: List<String>): JtlRow {
            val noSample = { EngineFailed("Record $records of JMeter's results is no sample: ${shortened(fields)}") }
            val texts = places.map { fields.getOrNull(it) ?: throw noSample() }
            // Times and counts are not negative, and small enough for sums of two.
            val (start, elapsed, connect, threads) =
                texts.take(NUMBERS).map { text -> text.toLongOrNull()?.takeIf { it in 0..LARGEST } ?: throw noSample() }
            val (label, code, message, success, failure) = texts.drop(NUMBERS)
            return JtlRow(start, elapsed, connect, label, code, message, success == "true", failure, threads)
        }
    }

    private companion object {
        fun shortened(fields: List<String>) = "$fields".let { if (it.length <= SHOWN) it else it.take(SHOWN) + "…" }

        val FIELDS = listOf("timeStamp", "elapsed", "Connect", "allThreads") +
            listOf("label", "responseCode", "responseMessage", "success", "failureMessage")

        /** Number of numeric fields, which are the first ones. */
        const val NUMBERS = 4
        const val LONGEST_RECORD = 1 shl 20
        const val LARGEST = 1_000_000_000_000_000L
        const val SHOWN = 300
        const val QUOTE = '"'.code.toByte()
        const val LINE_FEED = '\n'.code.toByte()
    }
}
