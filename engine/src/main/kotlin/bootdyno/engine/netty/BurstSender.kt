package bootdyno.engine.netty

import bootdyno.model.ErrorCause

/**
 * [users] start at t0, each with a new connection. Each sends [requestsEach] requests or chains one after the other, with its
 * think time between them, and leaves.
 *
 * After a failed request, a user continues with its next one: on the same connection, or after 10 to 100 ms on a new one. So each user
 * sends [requestsEach] requests unless the window ends first; the rest is [unsent].
 *
 * A user's first response time counts from t0, so it includes the connect time; service time counts from the send. Lag is the time from t0
 * until a user starts to connect, because opening thousands of connections takes the generator's time.
 */
internal class BurstSender(private val worker: Worker, private val users: Int, private val requestsEach: Int) : Sender {
    private var begun = 0
    private var busy = users

    override var unsent = users.toLong() * requestsEach
        private set

    override fun start(t0: Long) {
        if (unsent == 0L) worker.stop(System.nanoTime()) else beginSome(t0)
    }

    /** Starts users in groups, and returns to the event loop between them, so that early responses are handled in time. */
    private fun beginSome(t0: Long) {
        repeat(minOf(AT_A_TIME, users - begun)) {
            val session = worker.sessions.getOrNull(begun++)
            val now = System.nanoTime()
            worker.tally.sentAfter(now - t0)
            User(session).begin(t0, null, now)
        }
        if (begun < users) worker.whileSending(0) { beginSome(t0) }
    }

    private inner class User(session: Session?) : ConnectionUser {
        private var left = requestsEach
        private val backOff = BackOff()
        private val cursor = worker.sent.newCursor(session)

        fun begin(intended: Long, connection: Connection?, now: Long) {
            left--
            unsent--
            send(intended, connection, now)
        }

        private fun send(intended: Long, connection: Connection?, now: Long) =
            worker.send(this, connection, intended, now, cursor)

        override fun ended(connection: Connection, cause: ErrorCause?, now: Long) {
            if (!worker.sending) return
            val isLost = cause != null && cause.isOfConnection
            if (!isLost) backOff.reset()
            when {
                cause == null && cursor.next() -> afterThinking(now) { send(it, connection, it) }
                left == 0 -> leave(connection, now)
                isLost -> worker.whileSending(worker.thinkNanos() + backOff.nextNanos()) { beginNext(null, System.nanoTime()) }
                else -> afterThinking(now) { beginNext(connection, it) }
            }
        }

        private fun afterThinking(now: Long, action: (now: Long) -> Unit) {
            val thinking = worker.thinkNanos()
            if (thinking == 0L) action(now) else worker.whileSending(thinking) { action(System.nanoTime()) }
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
