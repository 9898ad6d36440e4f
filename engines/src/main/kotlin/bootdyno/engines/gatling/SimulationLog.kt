package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.engine.causeOfMessage
import bootdyno.model.ErrorCause
import java.io.BufferedInputStream
import java.io.DataInputStream
import java.io.EOFException
import java.nio.ByteOrder
import java.nio.charset.Charset
import java.nio.file.Files
import java.nio.file.Path

/** A record of `simulation.log`. Times are ms of Gatling's wall clock. */
internal sealed interface LogRecord {
    /** The first record. */
    data class Run(val simulation: String, val start: Long, val scenarios: List<String>) : LogRecord

    /** Start or end of a user. [scenario] is an index of [Run.scenarios]. */
    data class User(val scenario: Int, val starts: Boolean, val at: Long) : LogRecord

    /** A completed request. [message] is the reason of a failure; empty after success. */
    data class Request(
        val groups: List<LoggedText>,
        val name: LoggedText,
        val start: Long,
        val end: Long,
        val good: Boolean,
        val message: LoggedText,
    ) : LogRecord

    /** A request that a user's script could not build, and that was not sent. */
    data class Crash(val message: LoggedText, val at: Long) : LogRecord
}

/**
 * Reads Gatling's binary `simulation.log` in constant memory.
 *
 * The format is undocumented and changes between versions, so only [GATLING_VERSION] is supported, as written by
 * `io.gatling.core.stats.writer.LogFileDataWriter`: big-endian; times are offsets in ms from the start of the run; a text is its length, the
 * bytes of a Java string, and its coder; a repeated text is the negative of its first number.
 * @throws EngineFailed for another version, or a truncated or invalid file
 */
internal fun readSimulationLog(file: Path, take: (LogRecord) -> Unit) {
    DataInputStream(BufferedInputStream(Files.newInputStream(file), BUFFER)).use { input ->
        try {
            SimulationLogReader(input, file).read(take)
        } catch (_: EOFException) {
            throw EngineFailed("Gatling's log $file is cut off in the middle of a record")
        }
    }
}

private class SimulationLogReader(private val input: DataInputStream, private val file: Path) {
    private val texts = LoggedTexts()
    private var start = 0L

    fun read(take: (LogRecord) -> Unit) {
        if (input.read() != RUN) throw notOurs("it does not begin with a run record")
        take(run())
        while (true) {
            when (val kind = input.read()) {
                REQUEST -> take(request())
                USER -> take(LogRecord.User(input.readInt(), input.readBoolean(), time()))
                GROUP -> skipGroup()
                ERROR -> take(LogRecord.Crash(cachedText(), time()))
                END_OF_FILE -> return
                else -> throw broken("no record is of kind $kind")
            }
        }
    }

    private fun run(): LogRecord.Run {
        val version = text(LONGEST_VERSION) { throw notOurs("its first text is $it bytes long") }
        if (version != GATLING_VERSION) throw notOurs("it is of version $version")
        val simulation = text()
        start = input.readLong()
        if (start !in 0..LATEST) throw broken("its run starts at $start")
        text() // the description of the run
        val scenarios = List(count("scenarios")) { text() }
        repeat(count("assertions")) { input.skipNBytes(count("bytes of an assertion").toLong()) }
        return LogRecord.Run(simulation, start, scenarios)
    }

    private fun request(): LogRecord.Request {
        val groups = groups()
        val name = cachedText()
        val begins = time()
        val endsAfter = input.readInt()
        // Unrequested messages (server push) have only one time.
        val ends = if (endsAfter == (Long.MIN_VALUE - start).toInt()) begins else start + endsAfter
        return LogRecord.Request(groups, name, begins, ends, input.readBoolean(), cachedText())
    }

    private fun groups(): List<LoggedText> {
        val depth = count("groups around a request")
        return if (depth == 0) emptyList() else List(depth) { cachedText() }
    }

    /** Groups summarise requests that have records of their own. */
    private fun skipGroup() {
        groups()
        input.skipNBytes(GROUP_REST)
    }

    private fun time() = start + input.readInt()

    private fun cachedText(): LoggedText {
        val number = input.readInt()
        return if (number > 0) {
            if (number != texts.next) throw broken("text number $number comes after number ${texts.next - 1}")
            texts.add(text())
        } else {
            texts[-number] ?: throw broken("it has no text number ${-number.toLong()}")
        }
    }

    private fun text(longest: Int = LONGEST_TEXT, tooLong: (Int) -> Nothing = ::brokenText): String {
        val length = input.readInt()
        if (length == 0) return ""
        if (length !in 0..longest) tooLong(length)
        val bytes = input.readNBytes(length)
        if (bytes.size < length) throw EOFException()
        return String(bytes, if (input.readByte() == LATIN1) Charsets.ISO_8859_1 else UTF16)
    }

    /** A count from a possibly invalid log, checked before allocating memory. */
    private fun count(what: String): Int = input.readInt().also { if (it !in 0..MOST) throw broken("$it $what") }

    private fun brokenText(length: Int): Nothing = throw broken("a text of $length bytes")

    private fun broken(how: String) = EngineFailed("Gatling's log $file is broken: $how")

    private fun notOurs(why: String) = EngineFailed(
        "$file is not a simulation.log of Gatling $GATLING_VERSION, the only version that can be read: $why",
    )
}

private const val RUN = 0
private const val REQUEST = 1
private const val USER = 2
private const val GROUP = 3
private const val ERROR = 4
private const val END_OF_FILE = -1

/** Start, end and cumulated time as ints, the status as a byte. */
private const val GROUP_REST = 13L
private const val LATIN1: Byte = 0
private const val LONGEST_VERSION = 100
private const val LONGEST_TEXT = 1 shl 20
private const val MOST = 10_000

/** Milliseconds since 1970, in the year 5138. */
private const val LATEST = 100_000_000_000_000L

/** Java strings store bytes in native order. */
private val UTF16: Charset = if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) Charsets.UTF_16LE else Charsets.UTF_16BE

private const val BUFFER = 1 shl 16

/** A name or a message of the log; [cause] is its meaning as the message of a failed request, null if unknown. */
internal class LoggedText(val text: String, val cause: ErrorCause?)

/**
 * The texts of one log by number. Scripts may write a new text with every request (a generated name, a body in a message), so only the first
 * [KEPT] are stored; later ones only by their cause.
 */
internal class LoggedTexts {
    private val texts = ArrayList<LoggedText?>()
    private val others = (ErrorCause.entries + null).associateWith { LoggedText(OTHERS, it) }

    /** The number of the next new text; numbers are consecutive. */
    val next: Int get() = texts.size

    operator fun get(number: Int): LoggedText? = texts.getOrNull(number)

    fun add(text: String): LoggedText {
        val cause = causeOf(text)
        return (if (next <= KEPT) LoggedText(text.take(LONGEST), cause) else others.getValue(cause)).also(texts::add)
    }

    init {
        texts.add(null) // they count from 1
    }
}

private const val KEPT = 10_000
private const val LONGEST = 300
private const val OTHERS = "others"

/**
 * The class of a failed request by Gatling's message; null if unknown.
 *
 * Connection failures are logged as `j.n.ConnectException: Connection refused`, failed checks as `status.find.is(200), but actually found 500`.
 * A failed check other than that of the status implies the expected status, because Gatling checks the status first and stops at the first
 * failure.
 */
internal fun causeOf(message: String): ErrorCause? = when {
    "status." in message -> ErrorCause.STATUS
    ".find" in message -> ErrorCause.BODY
    else -> causeOfMessage(message)
}
