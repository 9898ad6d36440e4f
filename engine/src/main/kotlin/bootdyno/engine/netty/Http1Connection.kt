package bootdyno.engine.netty

import bootdyno.model.ErrorCause
import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import javax.net.ssl.SSLException

/** A connection of HTTP/1.1, over TLS or without: its requests one after the other. */
internal class Http1Connection(worker: Worker, user: ConnectionUser) : Connection(worker, user) {
    private var channel: Channel? = null
    override val staysOpen: Boolean get() = answer.keepAlive

    override fun open() {
        val opening = worker.open(Events())
        channel = opening.channel
        if (opening.ready.isDone) openingEnded(opening) else opening.ready.addListener { openingEnded(opening) }
    }

    private fun openingEnded(opening: Opening) {
        val failure = opening.ready.cause()
        if (failure == null) opened() else notOpened(failure)
    }

    override fun transmit(request: ByteBuf) {
        channel?.let { it.writeAndFlush(request, it.voidPromise()) } ?: request.release()
    }

    override fun release() {
        channel?.close()
    }

    private fun read(count: Int, last: Boolean) {
        // Unexpected bytes: the next response could not be distinguished from them.
        if (!inUse) return leave()
        val used = answer.read(worker.scratch, 0, count)
        when {
            answer.broken -> fail(ErrorCause.PROTOCOL, System.nanoTime())
            answer.complete && (used < count || !last) -> fail(ErrorCause.PROTOCOL, System.nanoTime())
            answer.complete -> answered(System.nanoTime())
        }
    }

    private inner class Events : ChannelInboundHandlerAdapter() {
        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            val buffer = message as ByteBuf
            try {
                while (buffer.isReadable && stage == Stage.OPEN) {
                    val count = minOf(buffer.readableBytes(), worker.scratch.size)
                    buffer.readBytes(worker.scratch, 0, count)
                    read(count, last = !buffer.isReadable)
                }
            } finally {
                buffer.release()
            }
        }

        override fun channelInactive(context: ChannelHandlerContext) {
            if (stage != Stage.OPEN) return
            val now = System.nanoTime()
            if (inUse && !answer.close()) return fail(ErrorCause.CLOSED, now)
            if (inUse) answered(now) else leave()
        }

        @Deprecated("Netty's own word for it")
        override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
            val failure = connectionFailure(cause) ?: return worker.broke(cause)
            if (stage != Stage.OPEN) return
            val how = if (failure is SSLException) ErrorCause.PROTOCOL else ErrorCause.RESET
            if (inUse) fail(how, System.nanoTime()) else leave()
        }
    }
}
