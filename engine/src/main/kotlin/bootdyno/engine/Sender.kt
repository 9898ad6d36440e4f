package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import java.util.concurrent.CompletableFuture

/** Decides when a worker asks: one for each kind of profile. Runs on the worker's event loop. */
internal interface Sender {
    /** Requests its users have not come to ask; 0 where nobody knows beforehand how many there will be. */
    val unsent: Long get() = 0

    /** Opens the connections that are wanted before the first request; completes when each is open or has failed. */
    fun openConnections(): CompletableFuture<Unit> = CompletableFuture.completedFuture(Unit)

    /** Starts asking; the drive's time 0 is [t0] (nanoTime). */
    fun start(t0: Long)

    /** Sends whatever is due by now; only a schedule can owe anything. */
    fun sendDue() = Unit
}

/** Who sends over a connection. Runs on the worker's event loop. */
internal interface ConnectionUser {
    /** A connection without a request is open. */
    fun connected(connection: Connection, now: Long): Unit = error("each connection has a request on it")

    /** A connection without a request could not be opened. */
    fun notConnected(cause: ErrorCause, now: Long): Unit = error("each connection has a request on it")

    /** The request on [connection] is over, well when [cause] is null. The connection may be gone. */
    fun ended(connection: Connection, cause: ErrorCause?, now: Long)
}

/** The sender for share [share] of [shares] of a profile. */
internal fun senderFor(order: LoadOrder, worker: Worker, share: Int, shares: Int): Sender = when (val load = order.load) {
    is LoadProfile.Closed -> {
        val lanes = (share until load.connections step shares).toList()
        val spread = minOf(order.settle.inWholeNanoseconds, 1_000_000_000L)
        ClosedSender(worker, lanes.map { spread * it / load.connections })
    }

    is LoadProfile.Open -> OpenSender(
        worker,
        Schedule(load, order.seed).part(share, shares),
        until = (order.settle + order.window).inWholeNanoseconds,
        connectionsBefore = (load.perSecond / 50 / shares).toInt().coerceIn(2, 128),
    )

    is LoadProfile.Burst -> BurstSender(worker, users = (share until load.users step shares).count(), load.requestsEach)
}

/** Waits longer after each failure in a row, so that a subject that refuses is not asked in a spin: 10, 20, 40, 80, 100 ms. */
internal class BackOff {
    private var failures = 0

    fun nextNanos(): Long = minOf(SHORTEST shl minOf(failures++, 4), LONGEST)

    fun reset() {
        failures = 0
    }
}

private const val SHORTEST = 10_000_000L
private const val LONGEST = 100_000_000L
