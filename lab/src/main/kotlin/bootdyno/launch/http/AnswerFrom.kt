package bootdyno.launch.http

import bootdyno.system.socket.DeadlinePassed
import java.io.ByteArrayOutputStream
import java.io.IOException

/**
 * Reads one HTTP/1.1 response from [socket], skipping interim ones; throws [NoAnswer] with the progress. It is limited by the socket's
 * deadline, and stores at most [keep] bytes of the body.
 */
internal class AnswerFrom(private val socket: ByteStream, private val keep: Int = 0) {
    private var begun = false
    private var soFar = "nothing"

    /** Bytes of the head, or of the lines between two chunks. */
    private var lineBytes = 0
    private var inBody = false
    private var bodyBytes = 0L
    private val body = ByteArrayOutputStream()

    /** Whether [text] has the complete body. */
    val isWhole: Boolean get() = body.size().toLong() == bodyBytes

    val text: String get() = body.toString(Charsets.UTF_8)

    /** The head of the final response. */
    fun head(): AnswerHead = telling {
        var head = oneHead()
        while (head.isInterim) head = oneHead()
        head
    }

    /** Reads the complete body after [head]. */
    fun readBody(head: AnswerHead): Unit = telling {
        inBody = true
        val length = head.length
        when {
            head.hasNoBody -> Unit
            head.isChunked -> readChunks()
            length != null -> readSized(length) { "$bodyBytes of $length bytes of its body" }
            else -> readToEnd()
        }
    }

    private fun <T> telling(read: () -> T): T = try {
        read()
    } catch (none: NoAnswer) {
        throw none
    } catch (late: DeadlinePassed) {
        throw NoAnswer(if (begun) "only $soFar$comma came within ${late.allowed}" else "none came within ${late.allowed}")
    } catch (broken: IOException) {
        throw NoAnswer("it broke the connection $untilWhen (${broken.message})", begun, cause = broken)
    }

    /** Closes an insertion in a sentence. */
    private val comma get() = if (',' in soFar) "," else ""

    private val untilWhen get() = if (begun) "after $soFar" else "without an answer"

    private fun oneHead(): AnswerHead {
        val lines = mutableListOf(line(isFirst = true))
        while (true) {
            val line = line()
            if (line.isEmpty()) return AnswerHead.of(lines)
            lines += line
        }
    }

    /** Invalid data may have no line feed, so the first bytes are checked. */
    private fun line(isFirst: Boolean = false): String {
        val line = StringBuilder()
        while (true) {
            val byte = next()
            begun = true
            if (++lineBytes > LONGEST_LINES) throw NoAnswer("its answer has more than ${LONGEST_LINES / 1024} KiB of headers")
            if (!inBody) soFar = "$lineBytes bytes of its head"
            if (byte == '\n') return line.removeSuffix("\r").toString()
            line.append(byte)
            if (isFirst && line.length <= BEGINNING.length && !BEGINNING.startsWith(line)) throw foreignAnswer(allOf(line))
        }
    }

    private fun allOf(begun: CharSequence): ByteArray {
        val rest = ByteArray(socket.received.remaining()).also { socket.received.get(it) }
        return begun.toString().toByteArray(Charsets.ISO_8859_1) + rest
    }

    private fun next(): Char {
        fill()
        return (socket.received.get().toInt() and 0xff).toChar()
    }

    private fun fill() {
        if (!socket.received.hasRemaining() && !socket.receive()) throw NoAnswer("it closed the connection $untilWhen", begun)
    }

    private fun readChunks() {
        while (true) {
            soFar = "$bodyBytes bytes of its body, between chunks"
            lineBytes = 0
            val size = chunkSize(line())
            if (size == 0L) break
            readSized(size) { "$bodyBytes bytes of its body, within a chunk" }
            if (line().isNotEmpty()) throw NoAnswer("a chunk of its body is longer than it says")
        }
        while (line().isNotEmpty()) soFar = "$bodyBytes bytes of its body, in its trailers"
    }

    private fun chunkSize(line: String): Long {
        val digits = line.substringBefore(';').trim()
        val size = if (digits.length > MOST_HEX_DIGITS) null else digits.toLongOrNull(16)?.takeIf { it >= 0 }
        return size ?: throw NoAnswer("a chunk of its body has no size: '${printable(line)}'")
    }

    private fun readSized(length: Long, soFar: () -> String) {
        if (length > LONGEST_BODY) throw tooLong()
        var left = length
        while (left > 0) {
            this.soFar = soFar()
            fill()
            val count = minOf(left, socket.received.remaining().toLong()).toInt()
            take(count)
            left -= count
        }
    }

    private fun readToEnd() {
        do {
            take(socket.received.remaining())
            soFar = "$bodyBytes bytes of its body, which has no length"
        } while (socket.receive())
    }

    private fun take(count: Int) {
        bodyBytes += count
        if (bodyBytes > LONGEST_BODY) throw tooLong()
        val bytes = ByteArray(count).also { socket.received.get(it) }
        body.write(bytes, 0, minOf(count, keep - body.size()))
    }

    private fun tooLong() = NoAnswer("its answer is longer than ${LONGEST_BODY shr 20} MiB")

    private companion object {
        const val BEGINNING = "HTTP/1."
        const val LONGEST_LINES = 64 * 1024
        const val LONGEST_BODY = 256L shl 20
        const val MOST_HEX_DIGITS = 15
    }
}

/** Status and headers of a response; names in lower case, with all values. */
internal class AnswerHead(val status: Int, private val minor: Char, val headers: Map<String, List<String>>) {
    val contentType: String? get() = all("content-type").firstOrNull()
    val location: String? get() = all("location").firstOrNull()

    /** Whether it is interim and another response follows, as after `100 Continue` and `103 Early Hints`. */
    val isInterim: Boolean get() = status < 200 && status != SWITCHING_PROTOCOLS

    val hasNoBody: Boolean get() = status == NO_CONTENT || status == NOT_MODIFIED || status == SWITCHING_PROTOCOLS
    val isChunked: Boolean get() = "chunked" in tokens("transfer-encoding")

    /** Whether the connection stays open; a body without a length ends with its connection. */
    val keepsConnection: Boolean
        get() = (hasNoBody || isChunked || length != null) && status != SWITCHING_PROTOCOLS && "close" !in tokens("connection") &&
            (minor != '0' || "keep-alive" in tokens("connection"))

    /** Null without a length, and for encoded bodies such as chunks. */
    val length: Long?
        get() = if ("transfer-encoding" in headers) null else all("content-length").firstOrNull()?.toLong()

    private fun checked(): AnswerHead {
        val lengths = all("content-length")
        if (lengths.distinct().size <= 1 && lengths.all(LENGTH::matches)) return this
        throw NoAnswer("the head of its answer is damaged: 'Content-Length: ${printable(lengths.joinToString())}'")
    }

    private fun all(name: String): List<String> = headers[name].orEmpty()

    private fun tokens(name: String): List<String> = all(name).flatMap { it.lowercase().split(',') }.map { it.trim() }

    companion object {
        /** Throws [NoAnswer] for invalid [lines]; continuation lines, which begin with a space, are skipped. */
        fun of(lines: List<String>): AnswerHead {
            val status = STATUS_LINE.find(lines.first())?.groupValues
                ?: throw foreignAnswer(lines.first().toByteArray(Charsets.ISO_8859_1))
            val headers = lines.drop(1).filterNot { it.startsWith(' ') || it.startsWith('\t') }.map { line ->
                val colon = line.indexOf(':')
                if (colon < 1) throw NoAnswer("the head of its answer is damaged: '${printable(line)}'")
                line.take(colon).lowercase() to line.drop(colon + 1).trim()
            }
            return AnswerHead(status[2].toInt(), status[1].single(), headers.groupBy({ it.first }, { it.second })).checked()
        }

        private val STATUS_LINE = Regex("""^HTTP/1\.(\d) ([1-9]\d\d)( .*)?$""")
        private const val SWITCHING_PROTOCOLS = 101
        private const val NO_CONTENT = 204
        private const val NOT_MODIFIED = 304
        private val LENGTH = Regex("""[0-9]{1,18}""")
    }
}
