package bootdyno.engine.netty

import bootdyno.model.ResponseText

/**
 * Reads HTTP/1.1 responses from pieces of any size, one at a time.
 *
 * Supports content-length, chunked and close-delimited bodies, interim (1xx) responses, and responses without a body. The expected body is
 * compared while it arrives; a body is kept only to capture values. Anything that is not HTTP/1.x is [State.BROKEN]. Not a general parser:
 * header values are not validated and trailers are skipped.
 */
internal class AnswerReader(private var expectedBody: ByteArray? = null, private var expectedType: TypeCheck? = null) {
    enum class State { STATUS_LINE, HEADER, SIZED_BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, UNTIL_CLOSE, COMPLETE, BROKEN }

    var state = State.COMPLETE
        private set
    var status = 0
        private set

    /** Whether the server keeps the connection open. */
    var keepAlive = true
        private set
    private var headRequest = false
    private var typeFits = true
    private var bodyFits = true
    private var bodySeen = 0L
    private var length = -1L
    private var chunked = false
    private var otherEncoding = false

    private var kept: KeptBody? = null
    private var keptHeaders = KeptHeaders.NONE
    private val headers = HashMap<String, MutableList<String>>()

    /** The incomplete last line. */
    private var carried = ByteArray(0)
    private var carriedCount = 0

    val complete: Boolean get() = state == State.COMPLETE
    val broken: Boolean get() = state == State.BROKEN

    /** Whether body and content type of the complete response are as expected. Responses to HEAD have no body to compare. */
    val contentFits: Boolean
        get() {
            val expected = expectedBody
            return typeFits && (expected == null || headRequest || (bodyFits && bodySeen == expected.size.toLong()))
        }

    /** Whether it may say that the user is not, or no longer, logged in. */
    val asksForLogin: Boolean get() = status == UNAUTHORIZED || status == FORBIDDEN || status in REDIRECTS

    /** The values of a header that is kept; [name] in lower case. */
    fun header(name: String): List<String> = headers[name].orEmpty()

    /** Sets the expected response; [keep]: whether values are captured from it. */
    fun expect(body: ByteArray?, type: TypeCheck?, keep: Boolean, keptHeaders: KeptHeaders = KeptHeaders.NONE) {
        this.keptHeaders = keptHeaders
        expectedBody = body
        expectedType = type
        kept = if (keep) kept ?: KeptBody() else null
    }

    /** Lets [cursor] capture its values from the response; false if they are missing. */
    fun give(cursor: ChainCursor): Boolean {
        val body = kept ?: return true
        return cursor.capture(ResponseText(headers, body.text ?: return false))
    }

    /** Resets the reader for the next response; [head]: whether it is a response to HEAD. */
    fun begin(head: Boolean) {
        headRequest = head
        carriedCount = 0
        expectStatusLine()
    }

    private fun expectStatusLine() {
        state = State.STATUS_LINE
        status = 0
        keepAlive = true
        typeFits = expectedType == null
        bodyFits = true
        bodySeen = 0
        kept?.clear()
        if (headers.isNotEmpty()) headers.clear()
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
        if (carriedCount + count > LONGEST_LINE) {
            state = State.BROKEN
            return
        }
        if (carriedCount + count > carried.size) carried = carried.copyOf(maxOf(256, 2 * (carriedCount + count)))
        bytes.copyInto(carried, carriedCount, from, to)
        carriedCount += count
        // Invalid data may have no line feed, so its first bytes are checked instead of waiting for a timeout.
        if (state == State.STATUS_LINE && !carried.startsWith(VERSION, 0, minOf(carriedCount, VERSION.size))) state = State.BROKEN
    }

    private fun line(bytes: ByteArray, from: Int, lineFeed: Int) {
        val to = if (lineFeed > from && bytes[lineFeed - 1] == CR) lineFeed - 1 else lineFeed
        when (state) {
            State.STATUS_LINE -> statusLine(bytes, from, to)
            State.HEADER -> if (from == to) endOfHead() else header(bytes, from, to)
            State.CHUNK_SIZE -> chunkSize(bytes, from, to)
            State.CHUNK_END -> state = if (from == to) State.CHUNK_SIZE else State.BROKEN
            State.TRAILER -> if (from == to) state = State.COMPLETE
            State.SIZED_BODY, State.CHUNK, State.UNTIL_CLOSE, State.COMPLETE, State.BROKEN -> error("no line in $state")
        }
    }

    /** `HTTP/1.x SSS` and, after a space, anything. */
    private fun statusLine(bytes: ByteArray, from: Int, to: Int) {
        val fits = to - from >= 12 && bytes.startsWith(VERSION, from, VERSION.size) && bytes[from + 7].isDigit() &&
            bytes[from + 8] == SPACE && (to - from == 12 || bytes[from + 12] == SPACE) &&
            bytes[from + 9].isDigit() && bytes[from + 10].isDigit() && bytes[from + 11].isDigit()
        if (!fits) {
            state = State.BROKEN
            return
        }
        keepAlive = bytes[from + 7] != ZERO
        status = 100 * (bytes[from + 9] - ZERO) + 10 * (bytes[from + 10] - ZERO) + (bytes[from + 11] - ZERO)
        state = if (status < 100) State.BROKEN else State.HEADER
    }

    private fun header(bytes: ByteArray, from: Int, to: Int) {
        if (bytes[from] == SPACE || bytes[from] == TAB) return
        var colon = from
        while (colon < to && bytes[colon] != COLON) colon++
        if (colon == to || colon == from) {
            state = State.BROKEN
            return
        }
        if (keptHeaders.contain(bytes, from, colon)) keep(bytes, from, colon, to)
        // The length distinguishes most header names without a comparison.
        when (colon - from) {
            CONNECTION.size -> if (bytes.matchesAt(from, CONNECTION)) connection(bytes, colon + 1, to)
            CONTENT_TYPE.size -> if (bytes.matchesAt(from, CONTENT_TYPE)) contentType(bytes, colon + 1, to)
            CONTENT_LENGTH.size -> if (bytes.matchesAt(from, CONTENT_LENGTH)) contentLength(bytes, colon + 1, to)
            TRANSFER_ENCODING.size -> if (bytes.matchesAt(from, TRANSFER_ENCODING)) transferEncoding(bytes, colon + 1, to)
        }
    }

    private fun keep(bytes: ByteArray, from: Int, colon: Int, to: Int) {
        val name = bytes.decodeToString(from, colon).lowercase()
        headers.getOrPut(name) { mutableListOf() } += bytes.decodeToString(colon + 1, to).trim()
    }

    private fun connection(bytes: ByteArray, from: Int, to: Int) {
        keepAlive = !bytes.listsToken(from, to, CLOSE) && (keepAlive || bytes.listsToken(from, to, KEEP_ALIVE))
    }

    private fun contentType(bytes: ByteArray, from: Int, to: Int) {
        typeFits = expectedType?.fits(bytes, from, to) != false
    }

    private fun contentLength(bytes: ByteArray, from: Int, to: Int) {
        val end = bytes.trimBlanks(from, to)
        var at = bytes.skipBlanks(from, end)
        val digits = end - at
        var value = 0L
        while (at < end && bytes[at].isDigit()) value = value * 10 + (bytes[at++] - ZERO)
        if (digits !in 1..MOST_DIGITS || at < end || (length >= 0 && length != value)) state = State.BROKEN else length = value
    }

    private fun transferEncoding(bytes: ByteArray, from: Int, to: Int) {
        if (bytes.listsToken(from, to, CHUNKED)) chunked = true else otherEncoding = true
    }

    private fun endOfHead() {
        if (status < 200 && status != SWITCHING_PROTOCOLS) return expectStatusLine()
        state = when {
            status == SWITCHING_PROTOCOLS -> State.BROKEN
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
        state = when {
            at - from !in 1..MOST_HEX_DIGITS || !ended -> State.BROKEN
            size == 0L -> State.TRAILER
            else -> State.CHUNK
        }
    }

    /** [length] is the remaining length of the body or the chunk. */
    private fun readSized(bytes: ByteArray, from: Int, to: Int): Int {
        val end = if (to - from < length) to else from + length.toInt()
        readBody(bytes, from, end)
        length -= end - from
        if (length == 0L) state = if (state == State.CHUNK) State.CHUNK_END else State.COMPLETE
        return end
    }

    private fun readBody(bytes: ByteArray, from: Int, to: Int): Int {
        val expected = expectedBody
        if (expected != null && bodyFits) {
            val end = bodySeen + (to - from)
            bodyFits = end <= expected.size &&
                java.util.Arrays.equals(expected, bodySeen.toInt(), end.toInt(), bytes, from, to)
        }
        kept?.add(bytes, from, to)
        bodySeen += to - from
        return to
    }
}

/** The headers of a response that are kept for its user. */
internal enum class KeptHeaders {
    NONE,

    /** Cookies, and where a redirect leads to. */
    OF_SESSIONS,
    ALL,
    ;

    /** Whether the name from [from] to [to] is one of them. */
    fun contain(bytes: ByteArray, from: Int, to: Int): Boolean = when (this) {
        NONE -> false

        OF_SESSIONS -> when (to - from) {
            SET_COOKIE.size -> bytes.matchesAt(from, SET_COOKIE)
            LOCATION.size -> bytes.matchesAt(from, LOCATION)
            else -> false
        }

        ALL -> true
    }
}

private const val LONGEST_LINE = 64 * 1024
private const val MOST_DIGITS = 18
private const val MOST_HEX_DIGITS = 15
private const val SWITCHING_PROTOCOLS = 101
private const val UNAUTHORIZED = 401
private const val FORBIDDEN = 403
private val REDIRECTS = 300..399
private const val NO_CONTENT = 204
private const val NOT_MODIFIED = 304
