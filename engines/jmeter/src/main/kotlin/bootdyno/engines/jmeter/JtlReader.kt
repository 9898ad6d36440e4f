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

    /** Where the fields stand; JMeter decides their order. */
    private inner class Columns(header: List<String>) {
        private val start = header.column("timeStamp")
        private val elapsed = header.column("elapsed")
        private val connect = header.column("Connect")
        private val label = header.column("label")
        private val code = header.column("responseCode")
        private val message = header.column("responseMessage")
        private val success = header.column("success")
        private val failure = header.column("failureMessage")
        private val threads = header.column("allThreads")

        private fun List<String>.column(name: String): Int = indexOf(name).also {
            if (it < 0) throw EngineFailed("JMeter's results have no field $name but ${shortened(this)}.")
        }

        fun row(fields: List<String>) = JtlRow(
            start = fields.number(start),
            elapsed = fields.number(elapsed),
            connect = fields.number(connect),
            label = fields.text(label),
            code = fields.text(code),
            message = fields.text(message),
            good = fields.text(success) == "true",
            failure = fields.text(failure),
            threads = fields.number(threads),
        )

        /** Neither a time nor a count is negative, nor so large that a sum of two would not fit. */
        private fun List<String>.number(column: Int): Long =
            text(column).toLongOrNull()?.takeIf { it in 0..LARGEST } ?: throw noSample(this)

        private fun List<String>.text(column: Int): String = getOrNull(column) ?: throw noSample(this)

        private fun noSample(fields: List<String>) =
            EngineFailed("Record $records of JMeter's results is no sample: ${shortened(fields)}")
    }

    private companion object {
        fun shortened(fields: List<String>) = "$fields".let { if (it.length <= SHOWN) it else it.take(SHOWN) + "…" }

        const val LONGEST_RECORD = 1 shl 20
        const val LARGEST = 1_000_000_000_000_000L
        const val SHOWN = 300
        const val QUOTE = '"'.code.toByte()
        const val LINE_FEED = '\n'.code.toByte()
    }
}
