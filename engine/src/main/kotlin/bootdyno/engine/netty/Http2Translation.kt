package bootdyno.engine.netty

import io.netty.buffer.ByteBuf
import io.netty.handler.codec.http2.DefaultHttp2Headers
import io.netty.handler.codec.http2.Http2Headers
import io.netty.util.AsciiString

// Requests are encoded and responses are read as HTTP/1.1, so that both versions send and check the same. These are the two translations.

/** Headers of HTTP/1.1 that HTTP/2 does not have (RFC 9113, section 8.2.2); `host` is `:authority`. Netty checks the length of a body. */
private val OF_CONNECTION = setOf("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te")
private val UNREAD = OF_CONNECTION + "content-length"

/** Reads the head of an HTTP/1.1 [request], and leaves its body. [scheme]: `http` or `https`. */
fun http2Headers(request: ByteBuf, scheme: String): Http2Headers {
    val headers: Http2Headers = DefaultHttp2Headers(false)
    headers.method(request.upTo(SPACE)).path(request.upTo(SPACE)).scheme(scheme)
    request.upTo(LF)
    while (request.getByte(request.readerIndex()) != CR) {
        val name = request.upTo(COLON).toLowerCase()
        val value = request.upTo(LF).trim()
        val word = name.toString()
        if (word == "host") {
            headers.authority(value)
        } else if (word !in OF_CONNECTION) {
            headers.add(name, value)
        }
    }
    request.skipBytes(EMPTY_LINE)
    return headers
}

/** The head of an HTTP/1.1 response whose body ends with its connection; null for trailers, which have no status. */
fun http1Head(headers: Http2Headers): ByteArray? {
    val status = headers.status() ?: return null
    val head = StringBuilder("HTTP/1.1 ").append(status).append("\r\n")
    headers.forEach { (name, value) ->
        val word = name.toString()
        if (!word.startsWith(":") && word !in UNREAD) head.append(word).append(": ").append(value).append("\r\n")
    }
    return head.append("\r\n").toString().toByteArray(Charsets.ISO_8859_1)
}

/** The text before the next [end], which is skipped. */
private fun ByteBuf.upTo(end: Byte): AsciiString {
    val bytes = ByteArray(bytesBefore(end)).also { readBytes(it) }
    skipBytes(1)
    return AsciiString(bytes, false)
}

private const val EMPTY_LINE = 2
