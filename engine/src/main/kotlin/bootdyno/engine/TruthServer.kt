package bootdyno.engine

import io.netty.bootstrap.ServerBootstrap
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoopGroup
import io.netty.handler.ssl.SslHandler
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import javax.net.ssl.SSLEngine
import kotlin.time.Duration

/**
 * A loopback server with known latencies, for engines to warm up on and for checks of their accuracy.
 *
 * [reply] answers each request. Only requests without a body are supported, one at a time per connection.
 */
class TruthServer private constructor(private val loops: EventLoopGroup, private val listening: Channel) : AutoCloseable {
    val port: Int get() = (listening.localAddress() as InetSocketAddress).port

    override fun close() {
        listening.close().syncUninterruptibly()
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS)
    }

    companion object {
        fun start(reply: (ReceivedRequest) -> Unit): TruthServer = start(tls = null, reply)

        /** [tls] makes the server's side of a connection over TLS. */
        fun start(tls: (() -> SSLEngine)?, reply: (ReceivedRequest) -> Unit): TruthServer {
            val loops = Transport.best.loops(1, "truth")
            val seen = AtomicLong()
            val listening = ServerBootstrap().group(loops).channel(Transport.best.server)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childHandler(
                    object : ChannelInitializer<Channel>() {
                        override fun initChannel(channel: Channel) {
                            tls?.let { channel.pipeline().addLast(SslHandler(it())) }
                            channel.pipeline().addLast(RequestEnds(seen, reply))
                        }
                    },
                )
                .bind(InetAddress.getLoopbackAddress(), 0).sync().channel()
            return TruthServer(loops, listening)
        }
    }
}

/** A complete request. [number] counts from 0 over the server, [onConnection] from 0 over its connection. */
class ReceivedRequest(private val context: ChannelHandlerContext, val number: Long, val onConnection: Long) {
    fun answer(bytes: ByteBuf) {
        context.writeAndFlush(bytes.duplicate(), context.voidPromise())
    }

    fun answerAfter(delay: Duration, bytes: ByteBuf) = later(delay) { answer(bytes) }

    fun later(delay: Duration, action: () -> Unit) {
        context.executor().schedule(action, delay.inWholeNanoseconds, TimeUnit.NANOSECONDS)
    }

    fun close() {
        context.close()
    }

    fun reset() {
        context.channel().config().setOption(ChannelOption.SO_LINGER, 0)
        context.close()
    }
}

/** A response that is encoded once and can be sent repeatedly. */
fun answerBytes(text: String): ByteBuf {
    val bytes = text.toByteArray()
    return Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.size).writeBytes(bytes).asReadOnly())
}

fun okAnswer(body: String): ByteBuf =
    answerBytes("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.toByteArray().size}\r\n\r\n$body")

/** Finds the empty line that ends each request. */
private class RequestEnds(private val seen: AtomicLong, private val reply: (ReceivedRequest) -> Unit) :
    ChannelInboundHandlerAdapter() {
    private var matched = 0
    private var onConnection = 0L

    override fun channelRead(context: ChannelHandlerContext, message: Any) {
        val buffer = message as ByteBuf
        try {
            while (buffer.isReadable) {
                val byte = buffer.readByte()
                matched = when (byte) {
                    END[matched] -> matched + 1
                    END[0] -> 1
                    else -> 0
                }
                if (matched == END.size) {
                    matched = 0
                    reply(ReceivedRequest(context, seen.getAndIncrement(), onConnection++))
                }
            }
        } finally {
            buffer.release()
        }
    }

    @Deprecated("Netty's own word for it")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        context.close()
    }
}

private val END = "\r\n\r\n".toByteArray()
