package bootdyno.engine.netty

import bootdyno.model.ErrorCause
import io.netty.buffer.ByteBuf
import io.netty.handler.codec.http2.Http2Headers

/** One of the concurrent requests of a connection of HTTP/2: a new stream for each request. */
internal class Http2Slot(worker: Worker, private val shared: Http2Channels, user: ConnectionUser) : Connection(worker, user) {
    /** Null while it waits for one. */
    var channel: Http2Channel? = null

    /** Its current stream; 0 without one. */
    var stream = 0

    /** When the last byte of the response came (nanoTime); null before. */
    private var endedAt: Long? = null
    private var wrong: ErrorCause? = null

    override val staysOpen: Boolean get() = channel?.isRetired == false

    override fun open() = shared.attach(this)

    override fun transmit(request: ByteBuf) {
        endedAt = null
        wrong = null
        channel?.send(this, request) ?: request.release()
    }

    override fun release() {
        channel?.detach(this)
        channel = null
    }

    fun head(headers: Http2Headers) {
        val head = http1Head(headers) ?: return
        read(head, head.size)
    }

    fun body(data: ByteBuf) {
        // A copy of the reader index stays with Netty, which counts the bytes for its flow control.
        val bytes = data.duplicate()
        while (bytes.isReadable && wrong == null) {
            val count = minOf(bytes.readableBytes(), worker.scratch.size)
            bytes.readBytes(worker.scratch, 0, count)
            read(worker.scratch, count)
        }
    }

    private fun read(bytes: ByteArray, count: Int) {
        val used = answer.read(bytes, 0, count)
        if (used < count || answer.broken) wrong = ErrorCause.PROTOCOL
    }

    fun end() {
        answer.close()
        endedAt = System.nanoTime()
    }

    /** The server reset the stream; without an error, it wants no more of a request that it has answered (RFC 9113, section 8.1). */
    fun reset() {
        if (endedAt == null) wrong = ErrorCause.RESET
    }

    /** The stream is closed, for [cause] if the response is incomplete. */
    fun closed(cause: ErrorCause) {
        val at = endedAt
        val failure = wrong
        when {
            !inUse -> leave()
            failure != null -> fail(failure, System.nanoTime())
            at == null -> fail(cause, System.nanoTime())
            !answer.complete -> fail(ErrorCause.PROTOCOL, at)
            else -> answered(at)
        }
    }
}
