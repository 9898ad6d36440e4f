package bootdyno.engine

import bootdyno.engine.netty.Http2Frames
import io.netty.bootstrap.ServerBootstrap
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.handler.codec.http2.DefaultHttp2Headers
import io.netty.handler.codec.http2.Http2ConnectionHandler
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.ssl.SslHandler
import io.netty.util.collection.IntObjectHashMap
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import javax.net.ssl.SSLEngine
import kotlin.time.Duration

/** A request over HTTP/2. [number] counts from 0 over the server, [onConnection] over its connection. */
class Http2Request(
    private val handler: Http2ConnectionHandler,
    private val context: ChannelHandlerContext,
    private val id: Int,
    val headers: Map<String, String>,
    val body: String,
    val number: Long,
    val onConnection: Long,
) {
    fun answer(text: String = "ok", status: Int = 200) {
        val head = DefaultHttp2Headers().status("$status")
        head.add("content-type", "text/plain")
        handler.encoder().writeHeaders(context, id, head, 0, text.isEmpty(), context.newPromise())
        if (text.isNotEmpty()) {
            val bytes = Unpooled.copiedBuffer(text, Charsets.UTF_8)
            handler.encoder().writeData(context, id, bytes, 0, true, context.newPromise())
        }
        handler.flush(context)
    }

    fun answerAfter(delay: Duration, text: String = "ok") {
        context.executor().schedule({ answer(text) }, delay.inWholeNanoseconds, TimeUnit.NANOSECONDS)
    }

    fun reset() {
        handler.resetStream(context, id, Http2Error.INTERNAL_ERROR.code(), context.newPromise())
        handler.flush(context)
    }

    /** Says that this request was the last to be served, and closes the connection when all are. */
    fun goAway() {
        handler.goAway(context, id, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, context.newPromise())
        handler.flush(context)
    }

    fun close() {
        context.channel().unsafe().closeForcibly()
    }
}

/** A loopback server that speaks HTTP/2 only, over [secure] TLS, as [tls] makes it, or with prior knowledge; [reply] answers each request. */
class Http2Server(
    private val secure: Boolean = false,
    private val maxStreams: Long = 1000,
    private val tls: () -> SSLEngine = { ServerTls.engine("h2") },
    private val reply: (Http2Request) -> Unit,
) : AutoCloseable {
    private val loops = Transport.best.loops(1, "truth-2")
    private val seen = AtomicLong()

    /** The highest number of concurrent requests of each connection. */
    val mostOfConnection = ConcurrentHashMap<Channel, Int>()
    val connections: Int get() = mostOfConnection.size
    val received = ConcurrentLinkedQueue<Map<String, String>>()

    private val listening: Channel = ServerBootstrap().group(loops).channel(Transport.best.server)
        .option(ChannelOption.SO_BACKLOG, 4096)
        .childHandler(
            object : ChannelInitializer<Channel>() {
                override fun initChannel(channel: Channel) {
                    if (secure) channel.pipeline().addLast(SslHandler(tls()))
                    channel.pipeline().addLast(Serving(channel).handler)
                }
            },
        )
        .bind(InetAddress.getLoopbackAddress(), 0).sync().channel()
    val port: Int get() = (listening.localAddress() as InetSocketAddress).port

    private inner class Serving(private val channel: Channel) : Http2Frames() {
        val handler: Http2ConnectionHandler = Http2ConnectionHandlerBuilder().server(true).frameListener(this)
            .initialSettings(Http2Settings().maxConcurrentStreams(maxStreams)).build()
        private val heads = IntObjectHashMap<Map<String, String>>()
        private val bodies = IntObjectHashMap<String>()
        private var onConnection = 0L

        override fun onHeadersRead(context: ChannelHandlerContext, id: Int, headers: Http2Headers, padding: Int, isEnd: Boolean) {
            heads.put(id, headers.associate { (name, value) -> "$name" to "$value" })
            bodies.put(id, "")
            if (isEnd) serve(context, id)
        }

        override fun onDataRead(context: ChannelHandlerContext, id: Int, data: ByteBuf, padding: Int, isEnd: Boolean): Int {
            bodies.put(id, bodies.get(id).orEmpty() + data.toString(Charsets.UTF_8))
            if (isEnd) serve(context, id)
            return data.readableBytes() + padding
        }

        private fun serve(context: ChannelHandlerContext, id: Int) {
            val head = heads.remove(id).orEmpty()
            received += head
            mostOfConnection.merge(channel, handler.connection().numActiveStreams(), ::maxOf)
            reply(Http2Request(handler, context, id, head, bodies.remove(id).orEmpty(), seen.getAndIncrement(), onConnection++))
        }
    }

    override fun close() {
        listening.close().syncUninterruptibly()
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS)
    }
}
