package bootdyno.subjects.downstream

import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.SimpleChannelInboundHandler
import io.netty.handler.codec.http.DefaultFullHttpResponse
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpHeaders
import io.netty.handler.codec.http.HttpObject
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http.HttpVersion
import io.netty.handler.codec.http.LastHttpContent
import io.netty.util.AsciiString
import java.io.IOException
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit
import java.util.random.RandomGenerator

/**
 * One connection. Requests are answered in order: the delay of a pipelined request starts after the previous response.
 *
 * Runs on the server's only event loop, which owns [counts], [random] and [places].
 */
internal class SlowConnection(
    private val usual: Waiting,
    private val random: RandomGenerator,
    private val counts: Counts,
    private val places: Places,
) : SimpleChannelInboundHandler<HttpObject>() {
    private sealed interface Turn {
        data class Slow(val waiting: Waiting) : Turn

        data class AtOnce(val status: HttpResponseStatus, val type: AsciiString, val body: () -> ByteBuf) : Turn
    }

    private var asked = ""
    private val turns = ArrayDeque<Turn>()
    private var timer: Future<*>? = null

    override fun channelRead0(context: ChannelHandlerContext, message: HttpObject) {
        if (message is HttpRequest) {
            asked = if (message.decoderResult().isSuccess) message.uri() else "/broken"
        }
        if (message is LastHttpContent) take(context, turnFor(asked))
    }

    private fun turnFor(uri: String): Turn = when (uri.substringBefore('?')) {
        "/slow" -> try {
            Turn.Slow(usual.asAskedIn(uri.substringAfter('?', "")))
        } catch (wrong: IllegalArgumentException) {
            text(HttpResponseStatus.BAD_REQUEST, wrong.message.orEmpty())
        }

        "/counts" -> Turn.AtOnce(HttpResponseStatus.OK, JSON) { bytes(counts.json()) }

        "/ready" -> text(HttpResponseStatus.OK, "ready")

        "/broken" -> text(HttpResponseStatus.BAD_REQUEST, "this is no HTTP")

        else -> text(HttpResponseStatus.NOT_FOUND, "there are /slow, /counts and /ready")
    }

    private fun text(status: HttpResponseStatus, body: String) = Turn.AtOnce(status, TEXT) { bytes(body) }

    private fun take(context: ChannelHandlerContext, turn: Turn) {
        if (turn is Turn.Slow) counts.received(turn.waiting.distribution)
        turns.addLast(turn)
        if (turns.size == 1) begin(context, turn)
    }

    private fun begin(context: ChannelHandlerContext, turn: Turn) {
        when (turn) {
            is Turn.AtOnce -> answer(context, turn.status, turn.type, turn.body())

            is Turn.Slow -> {
                val ms = turn.waiting.distribution.draw(turn.waiting.meanMs, random)
                val wait = { slowAnswer(context, turn, ms) }
                val isServed =
                    places.enter(this) { timer = context.executor().schedule(wait, (ms * 1e6).toLong(), TimeUnit.NANOSECONDS) }
                if (!isServed) refuse(context, turn)
            }
        }
    }

    private fun slowAnswer(context: ChannelHandlerContext, turn: Turn.Slow, ms: Double) {
        counts.answered(turn.waiting.distribution)
        places.leave(this)
        answer(context, HttpResponseStatus.OK, JSON, ANSWER.duplicate()) { it.set(SERVER_TIMING, "wait;dur=$ms") }
    }

    private fun refuse(context: ChannelHandlerContext, turn: Turn.Slow) {
        counts.answered(turn.waiting.distribution)
        answer(context, HttpResponseStatus.TOO_MANY_REQUESTS, TEXT, bytes("too many requests"))
    }

    private fun answer(
        context: ChannelHandlerContext,
        status: HttpResponseStatus,
        type: AsciiString,
        body: ByteBuf,
        more: (HttpHeaders) -> Unit = {},
    ) {
        val response = DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body)
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type).setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        more(response.headers())
        context.writeAndFlush(response, context.voidPromise())
        turns.removeFirst()
        turns.firstOrNull()?.let { begin(context, it) }
    }

    /** The client has closed the connection. */
    override fun channelInactive(context: ChannelHandlerContext) {
        timer?.cancel(false)
        places.leave(this)
        turns.filterIsInstance<Turn.Slow>().forEach { counts.abandoned(it.waiting.distribution) }
        turns.clear()
        super.channelInactive(context)
    }

    @Deprecated("Netty's own word for it")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        if (cause !is IOException) cause.printStackTrace()
        context.close()
    }

    private companion object {
        val JSON: AsciiString = AsciiString.cached("application/json")
        val TEXT: AsciiString = AsciiString.cached("text/plain")
        val SERVER_TIMING: AsciiString = AsciiString.cached("server-timing")

        /** Equal for all requests, so that the response of a subject can be compared byte by byte. */
        val ANSWER: ByteBuf = Unpooled.unreleasableBuffer(bytes("""{"answer":"downstream"}"""))

        fun bytes(text: String): ByteBuf = text.toByteArray().let { Unpooled.directBuffer(it.size).writeBytes(it) }
    }
}
