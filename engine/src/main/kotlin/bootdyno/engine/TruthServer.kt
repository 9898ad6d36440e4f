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
import org.HdrHistogram.Histogram
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

/**
 * A server on the loopback whose every answer is known beforehand: what engines warm themselves against and are judged by.
 *
 * [reply] decides what happens to each request. Reads requests without a body only, one at a time on a connection.
 */
class TruthServer private constructor(private val loops: EventLoopGroup, private val listening: Channel) : AutoCloseable {
    val port: Int get() = (listening.localAddress() as InetSocketAddress).port

    override fun close() {
        listening.close().syncUninterruptibly()
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS)
    }

    companion object {
        fun start(reply: (ReceivedRequest) -> Unit): TruthServer {
            val loops = Transport.best.loops(1, "truth")
            val seen = AtomicLong()
            val listening = ServerBootstrap().group(loops).channel(Transport.best.server)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childHandler(
                    object : ChannelInitializer<Channel>() {
                        override fun initChannel(channel: Channel) {
                            channel.pipeline().addLast(RequestEnds(seen, reply))
                        }
                    },
                )
                .bind(InetAddress.getLoopbackAddress(), 0).sync().channel()
            return TruthServer(loops, listening)
        }
    }
}

/** One request that a [TruthServer] has read whole. [number] counts from 0 over the server, [onConnection] from 0 over its connection. */
class ReceivedRequest(private val context: ChannelHandlerContext, val number: Long, val onConnection: Long) {
    fun answer(bytes: ByteBuf) {
        context.writeAndFlush(bytes.duplicate(), context.voidPromise())
    }

    fun answerAfter(delay: Duration, bytes: ByteBuf) {
        later(delay) { answer(bytes) }
    }

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

/** An answer encoded once; it can be sent any number of times. */
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
                matched = if (byte == END[matched]) {
                    matched + 1
                } else if (byte == END[0]) {
                    1
                } else {
                    0
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

    private companion object {
        val END = "\r\n\r\n".toByteArray()
    }
}

// Ways for a truth server to reply whose latencies follow from arithmetic.

private val OK: ByteBuf = okAnswer("ok")

/** As fast as it can, at the same cost for each request. */
fun atOnce(): (ReceivedRequest) -> Unit = { it.answer(OK) }

/** Each answer exactly [delay] after its request. */
fun after(delay: Duration): (ReceivedRequest) -> Unit = { it.answerAfter(delay, OK) }

/** [usual], but every [n]-th request [slow]. */
fun everyNth(n: Int, slow: Duration, usual: Duration): (ReceivedRequest) -> Unit =
    { it.answerAfter(if (it.number % n == n - 1L) slow else usual, OK) }

/** At once, except that nothing is answered for [length] from each of [starts], counted from the first request. One event loop. */
class Freezes(private val starts: List<Duration>, private val length: Duration) : (ReceivedRequest) -> Unit {
    private var first: Long? = null

    override fun invoke(asked: ReceivedRequest) {
        val now = System.nanoTime()
        val at = (now - (first ?: now.also { first = it })).nanoseconds
        val wait = waitAt(at)
        if (wait.isPositive()) asked.answerAfter(wait, OK) else asked.answer(OK)
    }

    /** The true response times of a constant [perSecond] of requests that are due in [from]..[to] after the first one. */
    fun truth(perSecond: Double, from: Duration, to: Duration): Histogram {
        val truth = Histogram(LONGEST_NANOS, 3)
        generateSequence(0L) { it + 1 }.map { (it * 1e9 / perSecond).toLong().nanoseconds }
            .dropWhile { it < from }.takeWhile { it < to }
            .forEach { truth.recordValue(waitAt(it).inWholeNanoseconds) }
        return truth
    }

    private fun waitAt(at: Duration): Duration =
        starts.find { at >= it && at < it + length }?.let { it + length - at } ?: Duration.ZERO
}
