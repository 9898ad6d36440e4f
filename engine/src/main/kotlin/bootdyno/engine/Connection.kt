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
 * A request given to it ends exactly once: answered, or failed with a cause. After that, late bytes and late events of the channel are
 * nobody's.
 */
internal class Connection(private val worker: Worker, private val asker: Asker) : ChannelInboundHandlerAdapter() {
    private enum class Stage { CONNECTING, OPEN, GONE }

    private val answer = AnswerReader(worker.expectedBody, worker.expectedType)
    private var channel: Channel? = null
    private var stage = Stage.CONNECTING
    private var connectingSince = 0L

    /** Its place in the worker's list of connections. */
    var place = -1

    /** Whether a request is on it, sent or waiting for the connection to open. */
    var asked = false
        private set
    private var intended = 0L
    private var sent = 0L

    /** Who goes through a chain on it, with the request that is on it or was last; null for single requests. */
    var walk: Walk? = null
        private set

    /** Whether it can take a request now. */
    val isFree: Boolean get() = stage == Stage.OPEN && !asked

    fun connect(now: Long) {
        connectingSince = now
        worker.add(this)
        val attempt = worker.connect(this)
        // One that failed at once, for want of a descriptor say, has no channel that could be closed.
        if (!attempt.isDone || attempt.isSuccess) channel = attempt.channel()
        if (attempt.isDone) connectEnded(attempt) else attempt.addListener { connectEnded(attempt) }
    }

    /** Connects and sends as soon as the connection is open; the request exists from now on. */
    fun connectAndAsk(intended: Long, now: Long, walk: Walk?) {
        take(intended, walk)
        connect(now)
    }

    fun ask(intended: Long, now: Long, walk: Walk?) {
        check(isFree) { "a request for a connection that is $stage, asked: $asked" }
        take(intended, walk)
        send(now)
    }

    private fun take(intended: Long, walk: Walk?) {
        asked = true
        this.intended = intended
        this.walk = walk
        worker.tally.started()
        walk?.operation?.started()
    }

    private fun send(now: Long) {
        sent = now
        val walk = walk
        if (walk != null) return sendStep(walk)
        answer.begin(worker.headRequest)
        channel?.let { it.writeAndFlush(worker.request.retainedDuplicate(), it.voidPromise()) }
    }

    private fun sendStep(walk: Walk) {
        val step = walk.step
        answer.expect(walk.expectedBody(), step.expectedType, keep = step.captures.isNotEmpty())
        answer.begin(step.isHead)
        channel?.let { it.writeAndFlush(walk.request(), it.voidPromise()) }
    }

    private fun connectEnded(attempt: ChannelFuture) {
        if (stage == Stage.GONE) return
        val now = System.nanoTime()
        val failure = attempt.cause()
        when {
            failure != null -> fail(causeOfConnectFailure(failure), now)

            else -> {
                stage = Stage.OPEN
                worker.tally.connected(now - connectingSince)
                if (asked) send(now) else asker.connected(this, now)
            }
        }
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
        // Bytes nobody asked for: whatever they are, the next answer could not be told from them.
        if (!asked) return leave()
        val used = answer.read(worker.scratch, 0, count)
        when {
            answer.broken -> fail(ErrorCause.PROTOCOL, System.nanoTime())
            answer.complete && (used < count || !last) -> fail(ErrorCause.PROTOCOL, System.nanoTime())
            answer.complete -> answered(System.nanoTime())
        }
    }

    private fun answered(now: Long) {
        val walk = walk
        val cause = when {
            answer.status != (if (walk == null) worker.expectedStatus else walk.step.expectedStatus) -> ErrorCause.STATUS
            !answer.contentFits -> ErrorCause.BODY
            walk != null && !answer.give(walk) -> ErrorCause.BODY
            else -> null
        }
        asked = false
        if (cause == null) {
            worker.tally.answered(intended, sent, now)
            walk?.operation?.answered(now - intended)
        } else {
            failed(cause)
        }
        if (!answer.keepAlive) leave()
        end(cause, now)
    }

    /** Ends the request, if there is one, and the connection. */
    private fun fail(cause: ErrorCause, now: Long) {
        val hadRequest = asked
        asked = false
        leave()
        if (hadRequest) {
            failed(cause)
            end(cause, now)
        } else {
            asker.notConnected(cause, now)
        }
    }

    private fun failed(cause: ErrorCause) {
        worker.tally.failed(cause)
        walk?.operation?.failed(cause)
    }

    private fun end(cause: ErrorCause?, now: Long) {
        asker.ended(this, cause, now)
        worker.requestEnded()
    }

    override fun channelInactive(context: ChannelHandlerContext) {
        if (stage != Stage.OPEN) return
        val now = System.nanoTime()
        when {
            !asked -> leave()

            answer.close() -> {
                leave()
                answered(now)
            }

            else -> fail(ErrorCause.CLOSED, now)
        }
    }

    @Deprecated("Netty's own word for it")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        if (cause !is IOException) return worker.broke(cause)
        if (stage != Stage.OPEN) return
        if (asked) fail(ErrorCause.RESET, System.nanoTime()) else leave()
    }

    /** Ends it when it has waited longer than [timeout] for its connection or its answer. */
    fun expire(now: Long, timeout: Long) {
        val since = if (asked) intended else connectingSince
        if (stage == Stage.GONE || now - since <= timeout || (stage == Stage.OPEN && !asked)) return
        worker.tally.unanswered(timeout)
        walk?.operation?.unanswered(timeout)
        fail(if (stage == Stage.CONNECTING) ErrorCause.CONNECT_TIMEOUT else ErrorCause.TIMEOUT, now)
    }

    fun age(now: Long): Long = now - intended

    /** Closes the connection; what is still on it is nobody's request any more. */
    fun leave() {
        if (stage == Stage.GONE) return
        stage = Stage.GONE
        worker.remove(this)
        channel?.close()
    }
}
