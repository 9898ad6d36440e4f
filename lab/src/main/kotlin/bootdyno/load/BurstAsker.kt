package bootdyno.load

import bootdyno.model.ErrorCause
import java.util.concurrent.CompletableFuture

/**
 * [users] begin at t0, all at once, each by opening a connection; each sends [requestsEach] requests, or goes through as many chains, one
 * after the other and leaves.
 *
 * A user's first response time counts from t0, so it has the time to connect in it; service time counts from the send.
 */
internal class BurstAsker(private val worker: Worker, private val users: Int, private val requestsEach: Int) : Asker {
    private var busy = users

    override fun openConnections(): CompletableFuture<Unit> = CompletableFuture.completedFuture(Unit)

    override fun start(t0: Long) {
        if (users == 0 || requestsEach == 0) return worker.stop(System.nanoTime())
        repeat(users) { User().begin(t0, null, System.nanoTime()) }
    }

    override fun connected(connection: Connection, now: Long) = error("each connection has a user's request on it")

    override fun notConnected(cause: ErrorCause, now: Long) = error("each connection has a user's request on it")

    override fun ended(connection: Connection, cause: ErrorCause?, now: Long) = error("each connection belongs to a user")

    private inner class User : Asker by this@BurstAsker {
        private var left = requestsEach
        private val backOff = BackOff()
        private val walk = worker.newWalk()

        fun begin(intended: Long, connection: Connection?, now: Long) {
            left--
            ask(intended, connection, now)
        }

        private fun ask(intended: Long, connection: Connection?, now: Long) {
            val mine = connection?.takeIf { it.isFree }
            if (mine != null) mine.ask(intended, now, walk) else Connection(worker, this).connectAndAsk(intended, now, walk)
        }

        override fun ended(connection: Connection, cause: ErrorCause?, now: Long) {
            when {
                !worker.sending -> Unit

                cause == null && walk != null && walk.next() -> {
                    backOff.reset()
                    ask(now, connection, now)
                }

                left == 0 -> leave(connection, now)

                cause != null && cause.isOfConnection -> worker.whileSending(backOff.nextNanos()) {
                    val later = System.nanoTime()
                    walk?.begin()
                    begin(later, null, later)
                }

                else -> {
                    backOff.reset()
                    walk?.begin()
                    begin(now, connection, now)
                }
            }
        }

        private fun leave(connection: Connection, now: Long) {
            connection.leave()
            if (--busy == 0) worker.stop(now)
        }
    }
}
