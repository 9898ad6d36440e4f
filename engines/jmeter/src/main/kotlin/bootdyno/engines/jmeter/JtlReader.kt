package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.model.BrokenCsv
import bootdyno.model.csvRecords
import java.io.ByteArrayOutputStream
import java.io.InputStream

/**
 * One sample as JMeter wrote it. Times are ms; [start] since 1970. [elapsed] goes from the beginning of connecting, where it
 * had to connect, to the last byte; [connect] is that part of it (0 also where connecting took less than 1 ms).
 */
internal class JtlRow(
    val start: Long,
    val elapsed: Long,
    val connect: Long,
    val label: String,
    /** The status, or the exception's class after `Non HTTP response code: `. */
    val code: String,
    val message: String,
    val good: Boolean,
    /** What an assertion said; empty where none failed. */
    val failure: String,
    /** Threads alive in JMeter when the sample ended. */
    val threads: Long,
) {
    val end: Long get() = start + elapsed
}

/**
 * Reads JMeter's results, comma separated with a header, from whatever pieces they come in: a file that is still written, or
 * one of any size. A last record without its line feed is not a sample yet.
 * @throws EngineFailed at a record that is no sample, or that is longer than any.
 */
internal class JtlReader(private val onRow: (JtlRow) -> Unit) {
    private val unread = ByteArrayOutputStream()
    private val buffer = ByteArray(1 shl 16)
    private var columns: Columns? = null
    private var records = 0L

    /** The last unread byte is inside of quotes: a line feed there ends no record. */
    private var quoted = false

    /** Reads all that [file] has by now. */
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

    /** How many of the [bytes] belong to records that are complete. */
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

    /** Where the fields stand, of those in [FIELDS]; JMeter decides their order. */
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
            // Neither a time nor a count is negative, nor so large that a sum of two would not fit.
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

        /** So many of them are numbers, which are the first. */
        const val NUMBERS = 4
        const val LONGEST_RECORD = 1 shl 20
        const val LARGEST = 1_000_000_000_000_000L
        const val SHOWN = 300
        const val QUOTE = '"'.code.toByte()
        const val LINE_FEED = '\n'.code.toByte()
    }
}
