package bootdyno.engine.netty

import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.causeOfConnectFailure
import bootdyno.engine.statusDetail
import bootdyno.model.ErrorCause
import io.netty.buffer.ByteBuf
import java.io.IOException

/**
 * Carries one request at a time to the subject: a connection of HTTP/1.1, or one of the streams that share a connection of HTTP/2. Owned by
 * its worker's event loop.
 *
 * A request ends exactly once: answered, or failed with a cause. Later bytes and events of the channel are ignored.
 */
internal abstract class Connection(protected val worker: Worker, private val user: ConnectionUser) {
    protected enum class Stage { CONNECTING, OPEN, GONE }

    protected val answer = AnswerReader()
    protected var stage = Stage.CONNECTING
        private set
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

    /** Status of its last response. */
    val status: Int get() = answer.status

    /** Whether it can take a request. */
    val isFree: Boolean get() = stage == Stage.OPEN && !inUse

    /** Starts to open; [opened] or [notOpened] follows. */
    protected abstract fun open()

    /** Sends the encoded HTTP/1.1 [request], and releases it. */
    protected abstract fun transmit(request: ByteBuf)

    /** Whether it can carry another request after the complete [answer]. */
    protected abstract val staysOpen: Boolean

    /** Drops the request, if any, and gives back what [open] took. Called once. */
    protected abstract fun release()

    fun connect(now: Long) {
        connectingSince = now
        worker.add(this)
        open()
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
        val keep = if (step.captures.isEmpty()) 0 else LONGEST_CAPTURED_FROM
        answer.expect(cursor.expectedBody(), step.expectedType, keep, step.keptHeaders)
        answer.begin(step.isHead)
        transmit(cursor.request())
    }

    /** [isNew]: whether a connection was opened for it, whose time counts. */
    fun opened(isNew: Boolean = true) {
        if (stage == Stage.GONE) return
        val now = System.nanoTime()
        stage = Stage.OPEN
        if (isNew) worker.tally.connected(now - connectingSince)
        if (inUse) write(now) else user.connected(this, now)
    }

    fun notOpened(failure: Throwable) {
        if (stage != Stage.GONE) fail(causeOfConnectFailure(failure), System.nanoTime())
    }

    /** Ends the request with the complete [answer]. */
    protected fun answered(now: Long) {
        cursor.session?.cookies?.take(answer.header("set-cookie"))
        val cause = when {
            !cursor.step.accepts(answer.status, answer.header("location").firstOrNull()) -> ErrorCause.STATUS
            !answer.contentFits || !answer.give(cursor) -> ErrorCause.BODY
            else -> null
        }
        inUse = false
        if (cause == null) {
            worker.tally.answered(intended, sent, now)
            cursor.operation?.answered(intended, now)
        } else {
            failed(cause)
            if (cause == ErrorCause.STATUS && answer.asksForLogin) cursor.session?.isLoggedIn = false
        }
        if (!staysOpen) leave()
        end(cause, now)
    }

    /** Ends the request, if any, and the connection. */
    protected fun fail(cause: ErrorCause, now: Long) {
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
        worker.tally.failed(cause, if (cause == ErrorCause.STATUS) statusDetail(answer.status) else null)
        cursor.operation?.failed(cause)
    }

    private fun end(cause: ErrorCause?, now: Long) {
        user.ended(this, cause, now)
        worker.requestEnded()
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
        release()
    }
}

/** Whether it may say that the user is not, or no longer, logged in. */
private val AnswerReader.asksForLogin: Boolean get() = status == UNAUTHORIZED || status == FORBIDDEN || status in REDIRECTS

private const val UNAUTHORIZED = 401
private const val FORBIDDEN = 403
private val REDIRECTS = 300..399

/** The failure of a channel without the wrapping of a decoder; null if it is no failure of the connection but an internal error. */
internal fun connectionFailure(cause: Throwable): IOException? =
    generateSequence(cause) { it.cause }.take(5).filterIsInstance<IOException>().firstOrNull()
