package bootdyno.engine.netty

import bootdyno.model.ErrorCause
import java.util.concurrent.CompletableFuture

/**
 * A fixed number of lanes, each with one connection; each sends its next request after a response.
 *
 * Lane i starts [firstSends]`[i]` nanoseconds after t0, so that the lanes are not synchronised. A request starts when it is sent: the time
 * to reconnect belongs to no request. A lane waits its think time before each request. With a chain, a lane sends its steps in order, and starts again after the last or a failed step.
 */
internal class ClosedSender(private val worker: Worker, private val firstSends: List<Long>) : Sender {
    private val opened = CompletableFuture<Unit>()
    private val lanes = firstSends.indices.map { Lane(worker.sessions.getOrNull(it)) }
    private var toOpen = ArrayDeque(lanes)
    private var opening = 0
    private var started = false

    override fun openConnections(): CompletableFuture<Unit> {
        openNext(System.nanoTime())
        return opened
    }

    /**
     * Opens connections in groups, with pauses in which the subject accepts them. The accept queue may be short, and an overflow costs a second.
     */
    private fun openNext(now: Long) {
        if (started) return
        repeat(minOf(A_FEW, OPENING_AT_ONCE - opening, toOpen.size)) {
            opening++
            toOpen.removeFirst().open(now)
        }
        if (toOpen.isNotEmpty()) worker.at(now + PAUSE) { openNext(System.nanoTime()) }
        completeWhereDone()
    }

    private fun completeWhereDone() {
        if (opening == 0 && toOpen.isEmpty()) opened.complete(Unit)
    }

    override fun start(t0: Long) {
        started = true
        lanes.forEachIndexed { i, lane -> lane.sendAfter(t0 + firstSends[i] + worker.firstThinkNanos() - System.nanoTime()) }
    }

    private inner class Lane(session: Session?) : ConnectionUser {
        private var connection: Connection? = null
        private var connecting = false
        private var due = false
        private val backOff = BackOff()
        private val cursor = worker.sent.newCursor(session)

        fun open(now: Long) {
            connecting = true
            worker.connectionFor(this).also { connection = it }.connect(now)
        }

        fun sendAfter(nanos: Long) {
            if (nanos <= 0) send(System.nanoTime()) else worker.whileSending(nanos) { send(System.nanoTime()) }
        }

        private fun send(now: Long) {
            if (!worker.sending) return
            val mine = connection
            if (mine != null && mine.isFree) return mine.send(now, now, cursor)
            due = true
            if (!connecting) open(now)
        }

        override fun connected(connection: Connection, now: Long) {
            connecting = false
            if (due) {
                due = false
                send(now)
            }
            if (!started) openedOne()
        }

        override fun notConnected(cause: ErrorCause, now: Long) {
            connecting = false
            connection = null
            if (due) {
                due = false
                // Nothing was sent, but the attempt failed: it counts as one request with one error.
                worker.tally.started()
                worker.tally.failed(cause)
                cursor.notSent(cause)
                sendAfter(backOff.nextNanos())
            }
            if (!started) openedOne()
        }

        private fun openedOne() {
            opening--
            completeWhereDone()
        }

        override fun ended(connection: Connection, cause: ErrorCause?, now: Long) {
            cursor.goOn(well = cause == null)
            val thinking = worker.thinkNanos()
            if (cause != null && cause.isOfConnection) return sendAfter(thinking + backOff.nextNanos())
            backOff.reset()
            if (thinking == 0L) send(now) else sendAfter(thinking)
        }
    }
}

private const val OPENING_AT_ONCE = 32

/** Group size: 400 connections in 125 ms, 5,000 in 1.6 s, more time than an idle server needs to accept them. */
private const val A_FEW = 16
private const val PAUSE = 5_000_000L
