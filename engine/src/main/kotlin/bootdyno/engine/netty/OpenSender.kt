package bootdyno.engine.netty

import bootdyno.model.ErrorCause
import java.util.concurrent.CompletableFuture
import java.util.function.LongSupplier

/**
 * Sends on a schedule, independent of responses. A request uses the most recently used free connection, or a new one; there is no queue and
 * no limit.
 *
 * Lag is the delay of the engine: from the intended time to the send, or to the start of connecting. The time that the subject takes to
 * accept a connection is not lag.
 *
 * If the schedule is faster than the engine, answers are still read between sends, and the requests that are then due too late are not sent.
 *
 * With a chain, the schedule determines its start. Later steps are due after the previous response, on the same connection while it is open;
 * they have no lag.
 */
internal class OpenSender(
    private val worker: Worker,
    private val times: LongSupplier,
    private val until: Long,
    private val connectionsBefore: Int,
) : Sender,
    ConnectionUser {
    private val free = ArrayDeque<Connection>()
    private val opened = CompletableFuture<Unit>()
    private var opening = 0
    private var arrived = 0
    private var t0 = NOT_STARTED
    private var next = times.asLong

    override fun openConnections(): CompletableFuture<Unit> {
        val now = System.nanoTime()
        opening = connectionsBefore
        repeat(connectionsBefore) { worker.connectionFor(this).connect(now) }
        return opened
    }

    override fun start(t0: Long) {
        this.t0 = t0
        keepSending()
    }

    private fun keepSending() {
        sendDue()
        if (next < until) worker.whileSending(t0 + next - System.nanoTime()) { keepSending() }
    }

    override fun sendDue() {
        if (t0 == NOT_STARTED) return
        var now = System.nanoTime()
        val yieldsAt = now + LONGEST_SENDING_NANOS
        while (next < until && t0 + next <= now && now < yieldsAt) {
            begin(t0 + next, now)
            next = times.asLong
            now = System.nanoTime()
        }
    }

    private fun begin(intended: Long, now: Long) {
        worker.tally.sentAfter(now - intended)
        send(intended, now, worker.sent.newCursor(nextSession()))
    }

    /** Arrivals take turns: a user of open load may have several requests in flight. */
    private fun nextSession(): Session? = worker.sessions.ifEmpty { return null }.let { it[arrived++ % it.size] }

    private fun send(intended: Long, now: Long, cursor: ChainCursor) {
        var connection = free.removeLastOrNull()
        while (connection != null && !connection.isFree) connection = free.removeLastOrNull()
        worker.send(this, connection, intended, now, cursor)
    }

    override fun connected(connection: Connection, now: Long) {
        free.addLast(connection)
        openedOne()
    }

    override fun notConnected(cause: ErrorCause, now: Long) = openedOne()

    private fun openedOne() {
        if (--opening == 0) opened.complete(Unit)
    }

    override fun ended(connection: Connection, cause: ErrorCause?, now: Long) {
        // The most recently used connection is taken first, so a chain stays on its connection.
        if (connection.isFree) free.addLast(connection)
        if (cause == null && worker.sending && connection.cursor.next()) send(now, now, connection.cursor)
    }
}

/** Sending due requests delays the reading of answers, and the progress, by at most this. */
private const val LONGEST_SENDING_NANOS = 20_000_000L
private const val NOT_STARTED = Long.MIN_VALUE
