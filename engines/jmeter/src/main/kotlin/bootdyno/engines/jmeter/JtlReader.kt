package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed

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
 * one of any size. Fields may be quoted and then hold commas, line feeds and doubled quotes. A last line without its end is not
 * a row yet.
 * @throws EngineFailed at a line that is no sample, or that is longer than any.
 */
internal class JtlReader(private val onRow: (JtlRow) -> Unit) {
    private var field = ByteArray(256)
    private var length = 0
    private val record = ArrayList<String>()
    private var columns: Columns? = null
    private var lines = 0L

    /** Bytes of the fields of the record that is being read. */
    private var recordLength = 0
    private var quoted = false

    /** A quote inside a quoted field has been read: it is the field's end, or the first half of a doubled one. */
    private var quoteBefore = false

    fun read(bytes: ByteArray, count: Int) {
        for (i in 0 until count) read(bytes[i])
    }

    private fun read(byte: Byte) {
        if (quoted && !quoteBefore) {
            if (byte == QUOTE) quoteBefore = true else add(byte)
            return
        }
        if (quoteBefore) {
            quoteBefore = false
            if (byte == QUOTE) {
                add(byte)
                return
            }
            quoted = false
        }
        when (byte) {
            QUOTE -> quoted = true

            COMMA -> endField()

            LINE_FEED -> {
                endField()
                endRecord()
            }

            CARRIAGE_RETURN -> Unit

            else -> add(byte)
        }
    }

    private fun add(byte: Byte) {
        if (++recordLength >
            LONGEST_RECORD
        ) {
            throw EngineFailed("Record ${lines + 1} of JMeter's results is longer than $LONGEST_RECORD bytes.")
        }
        if (length == field.size) field = field.copyOf(2 * length)
        field[length++] = byte
    }

    private fun endField() {
        if (record.size ==
            MOST_FIELDS
        ) {
            throw EngineFailed("Record ${lines + 1} of JMeter's results has more than $MOST_FIELDS fields.")
        }
        record += if (length == 0) "" else String(field, 0, length, Charsets.UTF_8)
        length = 0
    }

    private fun endRecord() {
        lines++
        recordLength = 0
        val known = columns
        when {
            known == null -> columns = Columns(record)
            record.size > 1 || record[0].isNotEmpty() -> onRow(known.row(record))
        }
        record.clear()
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
            EngineFailed("Record $lines of JMeter's results is no sample: ${shortened(fields)}")
    }

    private companion object {
        fun shortened(fields: List<String>) = "$fields".let { if (it.length <= SHOWN) it else it.take(SHOWN) + "…" }

        const val LONGEST_RECORD = 1 shl 20
        const val MOST_FIELDS = 1_000
        const val LARGEST = 1_000_000_000_000_000L
        const val SHOWN = 300
        const val QUOTE = '"'.code.toByte()
        const val COMMA = ','.code.toByte()
        const val LINE_FEED = '\n'.code.toByte()
        const val CARRIAGE_RETURN = '\r'.code.toByte()
    }
}
