package bootdyno.engine

import bootdyno.model.ErrorCause

/**
 * [users] begin at t0, all at once, each by opening a connection; each sends [requestsEach] requests, or goes through as many chains, one
 * after the other and leaves.
 *
 * A failure costs a user the one request it befell: it goes on with its next, over the same connection or, where that is gone,
 * over a new one after 10 to 100 ms. So a user asks [requestsEach] times whatever happens, unless the window ends first; what was
 * not asked by then is [unsent].
 *
 * A user's first response time counts from t0, so it has the time to connect in it; service time counts from the send. Lag is
 * from t0 to the moment a user began to connect: opening thousands of connections takes the generator time of its own.
 */
internal class BurstSender(private val worker: Worker, private val users: Int, private val requestsEach: Int) : Sender {
    private var begun = 0
    private var busy = users

    override var unsent = users.toLong() * requestsEach
        private set

    override fun start(t0: Long) {
        if (unsent == 0L) worker.stop(System.nanoTime()) else beginSome(t0)
    }

    /** A few at a time, with a turn of the loop between: who is answered first must not wait unseen until the last has begun. */
    private fun beginSome(t0: Long) {
        repeat(minOf(AT_A_TIME, users - begun)) {
            begun++
            val now = System.nanoTime()
            worker.tally.sentAfter(now - t0)
            User().begin(t0, null, now)
        }
        if (begun < users) worker.whileSending(0) { beginSome(t0) }
    }

    private inner class User : ConnectionUser {
        private var left = requestsEach
        private val backOff = BackOff()
        private val cursor = worker.sent.newCursor()

        fun begin(intended: Long, connection: Connection?, now: Long) {
            left--
            unsent--
            send(intended, connection, now)
        }

        private fun send(intended: Long, connection: Connection?, now: Long) {
            val mine = connection?.takeIf { it.isFree }
            if (mine != null) mine.send(intended, now, cursor) else Connection(worker, this).connectAndSend(intended, now, cursor)
        }

        override fun ended(connection: Connection, cause: ErrorCause?, now: Long) {
            if (!worker.sending) return
            val isLost = cause != null && cause.isOfConnection
            if (!isLost) backOff.reset()
            when {
                cause == null && cursor.next() -> send(now, connection, now)
                left == 0 -> leave(connection, now)
                isLost -> worker.whileSending(backOff.nextNanos()) { beginNext(null, System.nanoTime()) }
                else -> beginNext(connection, now)
            }
        }

        private fun beginNext(connection: Connection?, now: Long) {
            cursor.begin()
            begin(now, connection, now)
        }

        private fun leave(connection: Connection, now: Long) {
            connection.leave()
            if (--busy == 0) worker.stop(now)
        }
    }
}

private const val AT_A_TIME = 64
