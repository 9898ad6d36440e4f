package bootdyno.engine.netty

import bootdyno.engine.netty.AnswerReader.State
import bootdyno.engine.of
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class AnswerReaderTest {
    private data class Seen(
        val state: State,
        val status: Int,
        val keepAlive: Boolean,
        val fits: Boolean,
        /** Bytes it did not need after a complete answer. */
        val left: Int,
    )

    /** Reads [text] in the given pieces, then closes the connection if [closed]. */
    private fun read(pieces: List<ByteArray>, body: String?, type: String?, head: Boolean, closed: Boolean): Seen {
        val reader = AnswerReader(body?.toByteArray(), type?.let(::TypeCheck))
        reader.begin(head)
        var left = 0
        pieces.forEach { piece ->
            // Surrounded by other bytes, as in a buffer that is used again and again.
            val buffer = byteArrayOf(1, 2, 3) + piece + byteArrayOf(4, 5)
            left += piece.size + 3 - reader.read(buffer, 3, 3 + piece.size)
        }
        if (closed) reader.close()
        return Seen(reader.state, reader.status, reader.keepAlive, reader.contentFits, if (reader.complete) left else 0)
    }

    /** The same whatever the pieces: whole, split at every byte, and byte by byte. */
    private fun readAnyhow(
        text: String,
        body: String? = null,
        type: String? = null,
        head: Boolean = false,
        closed: Boolean = false,
    ): Seen {
        val bytes = text.toByteArray()
        val whole = read(listOf(bytes), body, type, head, closed)
        for (cut in 0..bytes.size) {
            withClue("cut at $cut of $text") {
                read(listOf(bytes.copyOfRange(0, cut), bytes.copyOfRange(cut, bytes.size)), body, type, head, closed) shouldBe
                    whole
            }
        }
        withClue("byte by byte") { read(bytes.map { byteArrayOf(it) }, body, type, head, closed) shouldBe whole }
        return whole
    }

    private fun complete(status: Int = 200, keepAlive: Boolean = true, fits: Boolean = true, left: Int = 0) =
        Seen(State.COMPLETE, status, keepAlive, fits, left)

    private fun stateOf(text: String, head: Boolean = false) = readAnyhow(text, head = head).state

    @Test
    fun `a body of a known length ends with its last byte`() {
        readAnyhow("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", body = "hello") shouldBe complete()
        stateOf("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell") shouldBe State.SIZED_BODY
        readAnyhow("HTTP/1.1 200 OK\r\ncontent-LENGTH:\t 0 \r\n\r\n") shouldBe complete()
    }

    @Test
    fun `bytes after the answer are left where they are`() {
        readAnyhow("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1") shouldBe complete(left = 8)
    }

    @Test
    fun `chunks are joined, their extensions and trailers passed over`() {
        val text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n" +
            "4;x=y\r\nblok\r\n0B\r\nblockingIOs\r\n0\r\nTrailer: 1\r\n\r\n"
        readAnyhow(text, body = "blokblockingIOs") shouldBe complete()
        readAnyhow(text, body = "blokblockingIO") shouldBe complete(fits = false)
        // Chunked wins over a length, RFC 9112 section 6.3.
        val both = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
        readAnyhow(both, body = "a") shouldBe complete()
    }

    @Test
    fun `a body without a length ends with the connection`() {
        val text = "HTTP/1.1 200 OK\r\n\r\nhello"
        readAnyhow(text, body = "hello", closed = true) shouldBe complete(keepAlive = false)
        readAnyhow(text, body = "hello").state shouldBe State.UNTIL_CLOSE
        readAnyhow(text, body = "hello!", closed = true).fits shouldBe false
        readAnyhow("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx", closed = true) shouldBe complete(keepAlive = false)
    }

    @Test
    fun `a connection closed before the end completes nothing`() {
        listOf("", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no").forEach {
            (readAnyhow(it, closed = true).state == State.COMPLETE) shouldBe false
        }
    }

    @Test
    fun `interim answers are passed over`() {
        readAnyhow(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nContent-Length: 9\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 1\r\n\r\nx",
        ) shouldBe complete(status = 201)
    }

    @Test
    fun `answers without a body by their status or their request end with the head`() {
        readAnyhow("HTTP/1.1 204 No Content\r\n\r\n") shouldBe complete(status = 204)
        readAnyhow("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n") shouldBe complete(status = 304)
        readAnyhow("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", body = "a body", head = true) shouldBe complete()
        readAnyhow("HTTP/1.1 204 No Content\r\n\r\n", body = "a body").fits shouldBe false
    }

    @Test
    fun `the server decides whether the connection stays`() {
        readAnyhow("HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 0\r\n\r\n").keepAlive shouldBe false
        readAnyhow("HTTP/1.1 200 OK\r\nConnection: closed\r\nContent-Length: 0\r\n\r\n").keepAlive shouldBe true
        readAnyhow("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").keepAlive shouldBe false
        readAnyhow("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n").keepAlive shouldBe true
    }

    @Test
    fun `the body and the content type are compared`() {
        fun fits(type: String, body: String) = readAnyhow(
            "HTTP/1.1 200 OK\r\nContent-Type: $type\r\nContent-Length: ${body.length}\r\n\r\n$body",
            body = "ok",
            type = "text/plain",
        ).fits
        fits("text/plain", "ok") shouldBe true
        fits("Text/Plain;charset=UTF-8", "ok") shouldBe true
        fits("text/plainer", "ok") shouldBe false
        fits("text", "ok") shouldBe false
        fits("text/plain", "no") shouldBe false
        fits("text/plain", "okay") shouldBe false
        fits("text/plain", "o") shouldBe false
        fits("text/plain", "") shouldBe false
        readAnyhow("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", type = "text/plain").fits shouldBe false
    }

    @Test
    fun `bare line feeds and folded headers are read`() {
        readAnyhow("HTTP/1.1 200\nA: b\n  folded\nContent-Length: 2\n\nok", body = "ok") shouldBe complete()
    }

    @Test
    fun `what is no HTTP is broken`() {
        listOf(
            "junk",
            "\u0000",
            "\r\nHTTP/1.1 200 OK\r\n\r\n",
            "HTTP/2 200 OK\r\n",
            "HTTP/1.1 20 OK\r\n",
            "HTTP/1.1 099 OK\r\n",
            "HTTP/1.1 2000 OK\r\n",
            "HTTP/1.x 200 OK\r\n",
            "HTTP/1.1 101 Switching\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n",
            "HTTP/1.1 200 OK\r\n: no name\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1 2\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length:\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1234567890123456789\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1234567890abcdef0\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
        ).forEach { withClue(it) { readAnyhow(it).state shouldBe State.BROKEN } }
    }

    @Test
    fun `a head without an end is broken at 64 KiB`() {
        stateOfLong(64 * 1024 - 17) shouldBe State.HEADER
        stateOfLong(64 * 1024 - 16) shouldBe State.BROKEN
    }

    private fun stateOfLong(count: Int): State = read(
        listOf(
            "HTTP/1.1 200 OK\r\n".toByteArray(),
            ByteArray(count) {
                'a'.code.toByte()
            },
        ),
        null,
        null,
        head = false,
        closed = false,
    ).state

    @Test
    fun `a reader forgets the answer before`() {
        val reader = AnswerReader("ok".toByteArray(), null)
        fun next(text: String): State {
            reader.begin(false)
            reader.read(text.toByteArray(), 0, text.length)
            return reader.state
        }
        next("HTTP/1.1 500 No\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n") shouldBe
            State.COMPLETE
        next("HT") shouldBe State.STATUS_LINE
        next("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") shouldBe State.COMPLETE
        (reader.keepAlive && reader.contentFits) shouldBe true
    }
}
