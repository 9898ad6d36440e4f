package bootdyno.engine.netty

import bootdyno.model.ResponseText
import bootdyno.model.printable

/**
 * Reads HTTP/1.1 responses from pieces of any size, one at a time; verification and load share it.
 *
 * Supports content-length, chunked and close-delimited bodies, interim (1xx) responses, and responses without a body. The expected body is
 * compared while it arrives; as much of it is kept as is asked for. Anything that is not HTTP/1.x is [State.BROKEN]. Not a general parser:
 * header values are not validated and trailers are skipped.
 */
class AnswerReader(private var expectedBody: ByteArray? = null, private var expectedType: TypeCheck? = null) {
    enum class State { STATUS_LINE, HEADER, SIZED_BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, UNTIL_CLOSE, COMPLETE, BROKEN }

    var state = State.COMPLETE
        private set

    /** Why it is [State.BROKEN], as a clause in which "it" is the server; null for what is not HTTP, see [foreign]. */
    var damage: String? = null
        private set

    /** The first bytes of what is not HTTP; null otherwise. */
    var foreign: ByteArray? = null
        private set
    var status = 0
        private set

    /** Whether the server keeps the connection open. */
    var keepAlive = true
        private set
    private var headRequest = false

    /** Whether the content type of the head is as expected. */
    var typeFits = true
        private set
    private var bodyEquals = true

    /** Bytes of the head, or since the last byte of the body. */
    var lineBytes = 0
        private set

    /** Bytes of the body so far. */
    var bodySeen = 0L
        private set

    /** Bytes that are missing of the body, or of the chunk; negative if unknown. */
    var length = -1L
        private set
    private var chunked = false
    private var otherEncoding = false
    private var kept: KeptBody? = null
    private var keptHeaders = KeptHeaders.NONE
    private val allHeaders = HashMap<String, MutableList<String>>()

    /** The headers that are kept; names in lower case. */
    val headers: Map<String, List<String>> get() = allHeaders

    /** The incomplete last line. */
    private var carried = ByteArray(0)
    private var carriedCount = 0

    val complete: Boolean get() = state == State.COMPLETE
    val broken: Boolean get() = state == State.BROKEN

    /** Whether the body of the complete response is as expected. Responses to HEAD have no body to compare. */
    val bodyFits: Boolean
        get() = expectedBody?.let { headRequest || (bodyEquals && bodySeen == it.size.toLong()) } != false
    val contentFits: Boolean get() = typeFits && bodyFits

    /** The values of a header that is kept; [name] in lower case. */
    fun header(name: String): List<String> = headers[name].orEmpty()

    /** Sets the expected response; [keep]: how many bytes of its body are kept. */
    fun expect(body: ByteArray?, type: TypeCheck?, keep: Int, keptHeaders: KeptHeaders = KeptHeaders.NONE) {
        this.keptHeaders = keptHeaders
        expectedBody = body
        expectedType = type
        kept = if (keep > 0) kept?.takeIf { it.most == keep } ?: KeptBody(keep) else null
    }

    /** The kept beginning of the body. */
    val text: String get() = kept?.text.orEmpty()

    /** Whether [text] is the complete body. */
    val isWhole: Boolean get() = kept?.isWhole == true

    /** Lets [cursor] capture its values from the response; false if they are missing. */
    internal fun give(cursor: ChainCursor): Boolean = kept == null || (isWhole && cursor.capture(ResponseText(headers, text)))

    /** Resets the reader for the next response; [head]: whether it is a response to HEAD. */
    fun begin(head: Boolean) {
        headRequest = head
        carriedCount = 0
        lineBytes = 0
        damage = null
        foreign = null
        expectStatusLine()
    }

    private fun expectStatusLine() {
        state = State.STATUS_LINE
        status = 0
        keepAlive = true
        typeFits = expectedType == null
        bodyEquals = true
        bodySeen = 0
        kept?.clear()
        if (allHeaders.isNotEmpty()) allHeaders.clear()
        length = -1
        chunked = false
        otherEncoding = false
    }

    /** Reads [bytes] from [from] to [to]; returns the index of the first unread byte. */
    fun read(bytes: ByteArray, from: Int, to: Int): Int {
        var at = from
        while (at < to) {
            at = when (state) {
                State.STATUS_LINE, State.HEADER, State.CHUNK_SIZE, State.CHUNK_END, State.TRAILER -> readLine(bytes, at, to)
                State.SIZED_BODY, State.CHUNK -> readSized(bytes, at, to)
                State.UNTIL_CLOSE -> readBody(bytes, at, to)
                State.COMPLETE, State.BROKEN -> return at
            }
        }
        return at
    }

    /** Called when the server closed the connection; true if this completes the response. */
    fun close(): Boolean {
        if (state == State.UNTIL_CLOSE) state = State.COMPLETE
        return complete
    }

    private fun readLine(bytes: ByteArray, from: Int, to: Int): Int {
        var lineFeed = from
        while (lineFeed < to && bytes[lineFeed] != LF) lineFeed++
        lineBytes += minOf(lineFeed + 1, to) - from
        if (lineBytes > LONGEST_LINES) {
            broken("its answer has more than ${LONGEST_LINES / 1024} KiB of headers")
            return lineFeed
        }
        if (lineFeed == to || carriedCount > 0) carry(bytes, from, lineFeed)
        if (lineFeed == to || broken) return lineFeed
        if (carriedCount > 0) {
            val count = carriedCount
            carriedCount = 0
            line(carried, 0, count)
        } else {
            line(bytes, from, lineFeed)
        }
        return lineFeed + 1
    }

    private fun carry(bytes: ByteArray, from: Int, to: Int) {
        val count = to - from
        if (carriedCount + count > carried.size) carried = carried.copyOf(maxOf(256, 2 * (carriedCount + count)))
        bytes.copyInto(carried, carriedCount, from, to)
        carriedCount += count
        // Invalid data may have no line feed, so its first bytes are checked instead of waiting for a timeout.
        if (state == State.STATUS_LINE && !carried.startsWith(VERSION, 0, minOf(carriedCount, VERSION.size))) {
            broken(null, carried.copyOf(carriedCount))
        }
    }

    private fun broken(damage: String?, foreign: ByteArray? = null) {
        state = State.BROKEN
        this.damage = damage
        this.foreign = foreign
    }

    private fun brokenHead(bytes: ByteArray, from: Int, to: Int) =
        broken("the head of its answer is damaged: '${printable(bytes.decodeToString(from, to))}'")

    private fun line(bytes: ByteArray, from: Int, lineFeed: Int) {
        val to = if (lineFeed > from && bytes[lineFeed - 1] == CR) lineFeed - 1 else lineFeed
        when (state) {
            State.STATUS_LINE -> statusLine(bytes, from, to)
            State.HEADER -> if (from == to) endOfHead() else header(bytes, from, to)
            State.CHUNK_SIZE -> chunkSize(bytes, from, to)
            State.CHUNK_END -> if (from == to) state = State.CHUNK_SIZE else broken("a chunk of its body is longer than it says")
            State.TRAILER -> if (from == to) state = State.COMPLETE
            State.SIZED_BODY, State.CHUNK, State.UNTIL_CLOSE, State.COMPLETE, State.BROKEN -> error("no line in $state")
        }
    }

    /** `HTTP/1.x SSS` and, after a space, anything. */
    private fun statusLine(bytes: ByteArray, from: Int, to: Int) {
        val fits = to - from >= 12 && bytes.startsWith(VERSION, from, VERSION.size) && bytes[from + 7].isDigit() &&
            bytes[from + 8] == SPACE && (to - from == 12 || bytes[from + 12] == SPACE) &&
            bytes[from + 9].isDigit() && bytes[from + 10].isDigit() && bytes[from + 11].isDigit()
        if (!fits || bytes[from + 9] == ZERO) return broken(null, bytes.copyOfRange(from, to))
        keepAlive = bytes[from + 7] != ZERO
        status = 100 * (bytes[from + 9] - ZERO) + 10 * (bytes[from + 10] - ZERO) + (bytes[from + 11] - ZERO)
        state = State.HEADER
    }

    private fun header(bytes: ByteArray, from: Int, to: Int) {
        if (bytes[from] == SPACE || bytes[from] == TAB) return
        var colon = from
        while (colon < to && bytes[colon] != COLON) colon++
        if (colon == to || colon == from) return brokenHead(bytes, from, to)
        if (keptHeaders.contain(bytes, from, colon)) keep(bytes, from, colon, to)
        // The length distinguishes most header names without a comparison.
        when (colon - from) {
            CONNECTION.size -> if (bytes.matchesAt(from, CONNECTION)) connection(bytes, colon + 1, to)
            CONTENT_TYPE.size -> if (bytes.matchesAt(from, CONTENT_TYPE)) contentType(bytes, colon + 1, to)
            CONTENT_LENGTH.size -> if (bytes.matchesAt(from, CONTENT_LENGTH)) contentLength(bytes, from, colon + 1, to)
            TRANSFER_ENCODING.size -> if (bytes.matchesAt(from, TRANSFER_ENCODING)) transferEncoding(bytes, colon + 1, to)
        }
    }

    private fun keep(bytes: ByteArray, from: Int, colon: Int, to: Int) {
        val name = bytes.decodeToString(from, colon).lowercase()
        allHeaders.getOrPut(name) { mutableListOf() } += bytes.decodeToString(colon + 1, to).trim()
    }

    private fun connection(bytes: ByteArray, from: Int, to: Int) {
        keepAlive = !bytes.listsToken(from, to, CLOSE) && (keepAlive || bytes.listsToken(from, to, KEEP_ALIVE))
    }

    private fun contentType(bytes: ByteArray, from: Int, to: Int) {
        typeFits = expectedType?.fits(bytes, from, to) != false
    }

    private fun contentLength(bytes: ByteArray, name: Int, from: Int, to: Int) {
        val end = bytes.trimBlanks(from, to)
        var at = bytes.skipBlanks(from, end)
        val digits = end - at
        var value = 0L
        while (at < end && bytes[at].isDigit()) value = value * 10 + (bytes[at++] - ZERO)
        when {
            digits !in 1..MOST_DIGITS || at < end -> brokenHead(bytes, name, to)
            length >= 0 && length != value -> broken("the head of its answer is damaged: 'Content-Length: $length, $value'")
            else -> length = value
        }
    }

    private fun transferEncoding(bytes: ByteArray, from: Int, to: Int) {
        if (bytes.listsToken(from, to, CHUNKED)) chunked = true else otherEncoding = true
    }

    private fun endOfHead() {
        if (status == SWITCHING_PROTOCOLS) return broken("it switches to another protocol")
        if (status < 200) return expectStatusLine()
        lineBytes = 0
        state = when {
            headRequest || status == NO_CONTENT || status == NOT_MODIFIED -> State.COMPLETE
            chunked -> State.CHUNK_SIZE
            length < 0 || otherEncoding -> State.UNTIL_CLOSE
            else -> if (length == 0L) State.COMPLETE else State.SIZED_BODY
        }
        if (state == State.UNTIL_CLOSE) keepAlive = false
    }

    private fun chunkSize(bytes: ByteArray, from: Int, to: Int) {
        var at = from
        var size = 0L
        while (at < to) {
            val digit = Character.digit(bytes[at].toInt(), 16)
            if (digit < 0) break
            size = size * 16 + digit
            at++
        }
        val ended = at == to || bytes[at] == SEMICOLON || bytes[at].isBlank()
        length = size
        if (at - from !in 1..MOST_HEX_DIGITS || !ended) {
            return broken("a chunk of its body has no size: '${printable(bytes.decodeToString(from, to))}'")
        }
        if (size > 0) lineBytes = 0
        state = if (size == 0L) State.TRAILER else State.CHUNK
    }

    private fun readSized(bytes: ByteArray, from: Int, to: Int): Int {
        val end = if (to - from < length) to else from + length.toInt()
        readBody(bytes, from, end)
        length -= end - from
        if (length == 0L) state = if (state == State.CHUNK) State.CHUNK_END else State.COMPLETE
        return end
    }

    private fun readBody(bytes: ByteArray, from: Int, to: Int): Int {
        val expected = expectedBody
        if (expected != null && bodyEquals) {
            val end = bodySeen + (to - from)
            bodyEquals = end <= expected.size &&
                java.util.Arrays.equals(expected, bodySeen.toInt(), end.toInt(), bytes, from, to)
        }
        kept?.add(bytes, from, to)
        bodySeen += to - from
        return to
    }
}

private const val LONGEST_LINES = 64 * 1024
private const val MOST_DIGITS = 18
private const val MOST_HEX_DIGITS = 15
private const val SWITCHING_PROTOCOLS = 101
private const val NO_CONTENT = 204
private const val NOT_MODIFIED = 304
