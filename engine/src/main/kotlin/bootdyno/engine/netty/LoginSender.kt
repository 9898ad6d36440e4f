package bootdyno.engine.netty

import bootdyno.model.ErrorCause

/** Users could not log in; the message is for the user. */
internal class LoginFailed(message: String) : RuntimeException(message)

/**
 * Logs users in, some at once, each by the steps of the worker's chain. A login that fails is tried again. When it has failed [MOST_ATTEMPTS]
 * times, the others are not tried: they would fail as well.
 */
internal class LoginSender(private val worker: Worker, sessions: List<Session>) : Sender {
    private val waiting = ArrayDeque(sessions.filterNot { it.isLoggedIn })
    private var busy = 0

    /** Why a login failed, as the end of a sentence; null if none did. */
    var failure: String? = null
        private set

    override fun start(t0: Long) {
        busy = minOf(AT_ONCE, waiting.size)
        if (busy == 0) worker.stop(t0)
        repeat(busy) { Lane().logInNext(null, t0) }
    }

    private inner class Lane : ConnectionUser {
        private val backOff = BackOff()
        private var attempts = 0

        fun logInNext(connection: Connection?, now: Long) {
            attempts = 0
            val session = waiting.removeFirstOrNull()
            if (session != null) return logIn(session, connection, now)
            connection?.leave()
            if (--busy == 0) worker.stop(now)
        }

        private fun logIn(session: Session, connection: Connection?, now: Long) {
            session.forget()
            send(worker.sent.newCursor(session), connection, now)
        }

        private fun send(cursor: ChainCursor, connection: Connection?, now: Long) =
            worker.send(this, connection, now, now, cursor)

        override fun ended(connection: Connection, cause: ErrorCause?, now: Long) {
            val cursor = connection.cursor
            val session = checkNotNull(cursor.session) { "a login without a session" }
            when {
                cause == null && cursor.next() -> send(cursor, connection, now)

                cause == null -> {
                    session.isLoggedIn = true
                    logInNext(connection, now)
                }

                ++attempts < MOST_ATTEMPTS -> {
                    connection.leave()
                    worker.whileSending(backOff.nextNanos()) { logIn(session, null, System.nanoTime()) }
                }

                else -> {
                    val status = if (cause == ErrorCause.STATUS) " ${connection.status}" else ""
                    val row = session.rowNumber?.let { ", with row $it of the data" }.orEmpty()
                    failure = "${cause.words}$status in step ${cursor.step.name}$row"
                    waiting.clear()
                    logInNext(connection, now)
                }
            }
        }
    }
}

/** Of one event loop. Logins are expensive on purpose: a hash of a password takes 100 ms of a CPU. */
private const val AT_ONCE = 8
private const val MOST_ATTEMPTS = 3
