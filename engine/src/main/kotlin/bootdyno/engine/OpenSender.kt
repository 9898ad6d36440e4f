package bootdyno.engine

import bootdyno.model.ErrorCause
import java.util.concurrent.CompletableFuture
import java.util.function.LongSupplier

/**
 * Asks when the schedule says, answered or not. A request takes the free connection used last, or a new one: never a queue, never a cap.
 *
 * Lag is how late the engine itself acted: from the intended time to the send, or to the start of connecting where a new connection was
 * needed. What the subject takes to accept a connection is not the generator's fault.
 *
 * Of a chain, the schedule says when one begins. Its later steps are due with the answer before them, over the same connection while that
 * is open; the generator has no lag there.
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
    private var t0 = NOT_STARTED
    private var next = times.asLong

    override fun openConnections(): CompletableFuture<Unit> {
        val now = System.nanoTime()
        opening = connectionsBefore
        repeat(connectionsBefore) { Connection(worker, this).connect(now) }
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
        while (next < until && t0 + next <= now) {
            begin(t0 + next, now)
            next = times.asLong
            now = System.nanoTime()
        }
    }

    private fun begin(intended: Long, now: Long) {
        worker.tally.sentAfter(now - intended)
        send(intended, now, worker.sent.newCursor())
    }

    private fun send(intended: Long, now: Long, cursor: ChainCursor) {
        var connection = free.removeLastOrNull()
        while (connection != null && !connection.isFree) connection = free.removeLastOrNull()
        connection?.send(intended, now, cursor) ?: Connection(worker, this).connectAndSend(intended, now, cursor)
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
        // The one used last is taken first, so a chain stays on its connection.
        if (connection.isFree) free.addLast(connection)
        if (cause == null && worker.sending && connection.cursor.next()) send(now, now, connection.cursor)
    }
}

private const val NOT_STARTED = Long.MIN_VALUE
