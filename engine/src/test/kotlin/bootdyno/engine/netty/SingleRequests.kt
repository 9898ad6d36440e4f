package bootdyno.engine.netty

import bootdyno.engine.LoadOrder
import bootdyno.engine.Transport
import bootdyno.model.ErrorCause
import java.net.InetSocketAddress
import java.util.SplittableRandom
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** Has our engine send the request of [order] one time after the other, each over a connection of its own, in this process. */
class SingleRequests(order: LoadOrder) : AutoCloseable {
    private val loops = Transport.best.loops(1, "single")
    private val loop = loops.next()
    private val worker = Worker(loop, order, InetSocketAddress(order.host, order.port), Chain(order, null), SplittableRandom(1))

    /** Why the request failed; null after the expected answer. */
    fun ask(): ErrorCause? {
        val end = CompletableFuture<ErrorCause?>()
        loop.execute {
            val once = object : ConnectionUser {
                override fun ended(connection: Connection, cause: ErrorCause?, now: Long) {
                    connection.leave()
                    end.complete(cause)
                }
            }
            val now = System.nanoTime()
            worker.connectionFor(once).connectAndSend(now, now, worker.sent.idle)
        }
        return end.get(20, TimeUnit.SECONDS)
    }

    override fun close() {
        loop.submit { worker.close() }.get()
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS)
    }
}
