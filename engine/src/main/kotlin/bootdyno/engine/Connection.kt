package bootdyno.engine

import bootdyno.model.ErrorCause
import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import java.io.IOException

/**
 * One connection to the subject and the request on it, if any. Owned by its worker's event loop.
 *
 * A request ends exactly once: answered, or failed with a cause. Later bytes and events of the channel are ignored.
 */
internal class Connection(private val worker: Worker, private val user: ConnectionUser) : ChannelInboundHandlerAdapter() {
    private enum class Stage { CONNECTING, OPEN, GONE }

    private val answer = AnswerReader()
    private var channel: Channel? = null
    private var stage = Stage.CONNECTING
    private var connectingSince = 0L

    /** Index in the worker's list of connections. */
    var place = -1

    /** Whether it has a request, sent or waiting for the connection to open. */
    var inUse = false
        private set

    /** When its current or last request should have started (nanoTime). */
    var intended = 0L
        private set
    private var sent = 0L

    /** The cursor of its current or last request. */
    var cursor: ChainCursor = worker.sent.idle
        private set

    /** Whether it can take a request. */
    val isFree: Boolean get() = stage == Stage.OPEN && !inUse

    fun connect(now: Long) {
        connectingSince = now
        worker.add(this)
        val attempt = worker.connect(this)
        // After an immediate failure, for example without a free descriptor, there is no channel to close.
        if (!attempt.isDone || attempt.isSuccess) channel = attempt.channel()
        if (attempt.isDone) connectEnded(attempt) else attempt.addListener { connectEnded(attempt) }
    }

    /** Connects, and sends when the connection is open; the request exists from now on. */
    fun connectAndSend(intended: Long, now: Long, cursor: ChainCursor) {
        take(intended, cursor)
        connect(now)
    }

    fun send(intended: Long, now: Long, cursor: ChainCursor) {
        check(isFree) { "a request for a connection that is $stage, in use: $inUse" }
        take(intended, cursor)
        write(now)
    }

    private fun take(intended: Long, cursor: ChainCursor) {
        inUse = true
        this.intended = intended
        this.cursor = cursor
        worker.tally.started()
        cursor.operation?.started()
    }

    private fun write(now: Long) {
        sent = now
        val step = cursor.step
        answer.expect(cursor.expectedBody(), step.expectedType, keep = step.captures.isNotEmpty())
        answer.begin(step.isHead)
        channel?.let { it.writeAndFlush(cursor.request(), it.voidPromise()) }
    }

    private fun connectEnded(attempt: ChannelFuture) {
        if (stage == Stage.GONE) return
        val now = System.nanoTime()
        val failure = attempt.cause()
        if (failure != null) return fail(causeOfConnectFailure(failure), now)
        stage = Stage.OPEN
        worker.tally.connected(now - connectingSince)
        if (inUse) write(now) else user.connected(this, now)
    }

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

    private fun answered(now: Long) {
        val cause = when {
            answer.status != cursor.step.expectedStatus -> ErrorCause.STATUS
            !answer.contentFits || !answer.give(cursor) -> ErrorCause.BODY
            else -> null
        }
        inUse = false
        if (cause == null) {
            worker.tally.answered(intended, sent, now)
            cursor.operation?.answered(intended, now)
        } else {
            failed(cause)
        }
        if (!answer.keepAlive) leave()
        end(cause, now)
    }

    /** Ends the request, if any, and the connection. */
    private fun fail(cause: ErrorCause, now: Long) {
        val hadRequest = inUse
        inUse = false
        leave()
        if (hadRequest) {
            failed(cause)
            end(cause, now)
        } else {
            user.notConnected(cause, now)
        }
    }

    private fun failed(cause: ErrorCause) {
        worker.tally.failed(cause)
        cursor.operation?.failed(cause)
    }

    private fun end(cause: ErrorCause?, now: Long) {
        user.ended(this, cause, now)
        worker.requestEnded()
    }

    override fun channelInactive(context: ChannelHandlerContext) {
        if (stage != Stage.OPEN) return
        val now = System.nanoTime()
        if (inUse && !answer.close()) return fail(ErrorCause.CLOSED, now)
        leave()
        if (inUse) answered(now)
    }

    @Deprecated("Netty's own word for it")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        if (cause !is IOException) return worker.broke(cause)
        if (stage != Stage.OPEN) return
        if (inUse) fail(ErrorCause.RESET, System.nanoTime()) else leave()
    }

    /** Ends the request if it has waited longer than [timeout] for its connection or its response. */
    fun expire(now: Long, timeout: Long) {
        val since = if (inUse) intended else connectingSince
        if (stage == Stage.GONE || now - since <= timeout || (stage == Stage.OPEN && !inUse)) return
        worker.tally.unanswered(intended, intended + timeout)
        cursor.operation?.unanswered(intended, intended + timeout)
        fail(if (stage == Stage.CONNECTING) ErrorCause.CONNECT_TIMEOUT else ErrorCause.TIMEOUT, now)
    }

    /** Closes the connection and drops its request. */
    fun leave() {
        if (stage == Stage.GONE) return
        stage = Stage.GONE
        worker.remove(this)
        channel?.close()
    }
}
