package bootdyno.launch.http

import bootdyno.engine.netty.Http2Frames
import bootdyno.engine.netty.http1Head
import bootdyno.engine.netty.http2Headers
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http2.Http2ConnectionHandler
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings
import java.io.ByteArrayOutputStream

/** One request over HTTP/2; its response goes to [decoded] as HTTP/1.1, whose body ends with the connection. */
internal class SingleStream(private val scheme: String, private val decoded: ByteArrayOutputStream) {
    val handler: Http2ConnectionHandler = Http2ConnectionHandlerBuilder().server(false).frameListener(Frames())
        .initialSettings(Http2Settings().pushEnabled(false)).gracefulShutdownTimeoutMillis(0).build()
    private var context: ChannelHandlerContext? = null

    /** Whether the server's SETTINGS have come. */
    val isOpen: Boolean get() = context != null

    /** Whether the response is complete. */
    var isEnded = false
        private set

    /** Why no complete response will come; null without a reason. */
    var failure: NoAnswer? = null
        private set

    fun send(request: ByteArray) {
        val context = checkNotNull(context) { "no SETTINGS yet" }
        val bytes = Unpooled.wrappedBuffer(request)
        val headers = http2Headers(bytes, scheme)
        val hasBody = bytes.isReadable
        val id = handler.connection().local().incrementAndGetNextStreamId()
        handler.encoder().writeHeaders(context, id, headers, 0, !hasBody, context.newPromise())
        if (hasBody) handler.encoder().writeData(context, id, bytes, 0, true, context.newPromise())
        handler.flush(context)
    }

    private inner class Frames : Http2Frames() {
        override fun onSettingsRead(context: ChannelHandlerContext, settings: Http2Settings) {
            this@SingleStream.context = context
        }

        override fun onHeadersRead(context: ChannelHandlerContext, id: Int, headers: Http2Headers, padding: Int, isEnd: Boolean) {
            http1Head(headers)?.let { decoded.write(it, 0, it.size) }
            isEnded = isEnded || isEnd
        }

        override fun onDataRead(context: ChannelHandlerContext, id: Int, data: ByteBuf, padding: Int, isEnd: Boolean): Int {
            val count = data.readableBytes()
            data.getBytes(data.readerIndex(), decoded, count)
            isEnded = isEnded || isEnd
            return count + padding
        }

        override fun onRstStreamRead(context: ChannelHandlerContext, id: Int, errorCode: Long) {
            failure = failure ?: NoAnswer("it reset the stream (error $errorCode of HTTP/2)")
        }

        override fun onGoAwayRead(context: ChannelHandlerContext, lastStreamId: Int, errorCode: Long, debugData: ByteBuf) {
            // Without an error it may still answer.
            if (errorCode != 0L) failure = failure ?: NoAnswer("it sent GOAWAY (error $errorCode of HTTP/2)")
        }
    }
}
