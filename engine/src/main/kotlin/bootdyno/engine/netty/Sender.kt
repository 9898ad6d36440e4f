package bootdyno.engine.netty

import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadPart
import bootdyno.engine.of
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import java.util.concurrent.CompletableFuture

/** Decides when a worker sends: one implementation per profile type. Runs on the worker's event loop. */
internal interface Sender {
    /** Requests that were not sent; 0 if their number is not fixed. */
    val unsent: Long get() = 0

    /** Opens the connections needed before the first request; completes when each is open or has failed. */
    fun openConnections(): CompletableFuture<Unit> = CompletableFuture.completedFuture(Unit)

    /** Starts sending; [t0] (nanoTime) is time 0 of the drive. */
    fun start(t0: Long)

    /** Sends all requests that are due, for schedules. */
    fun sendDue() = Unit
}

/** The sender behind a connection. Runs on the worker's event loop. */
internal interface ConnectionUser {
    /** A connection without a request is open. */
    fun connected(connection: Connection, now: Long): Unit = error("each connection has a request on it")

    /** A connection without a request could not be opened. */
    fun notConnected(cause: ErrorCause, now: Long): Unit = error("each connection has a request on it")

    /** The request on [connection] ended; [cause] is null after success. The connection may be closed. */
    fun ended(connection: Connection, cause: ErrorCause?, now: Long)
}

/** The sender for a [part] of the load. */
internal fun senderFor(order: LoadOrder, worker: Worker, part: LoadPart): Sender = when (val load = order.load) {
    is LoadProfile.Closed -> {
        val lanes = lanesOf(order, load, part)
        val spread = minOf(order.settle.inWholeNanoseconds, 1_000_000_000L)
        ClosedSender(worker, lanes.map { spread * it / load.connections })
    }

    is LoadProfile.Open -> OpenSender(
        worker,
        Schedule(load, order.seed).part(part.index, part.of),
        until = (order.settle + order.window).inWholeNanoseconds,
        connectionsBefore(load, part),
    )

    is LoadProfile.Burst -> BurstSender(worker, users = part.count(load.users), load.requestsEach)
}

/** Lanes that share a connection are on one event loop, so that the number of connections does not depend on the engine's CPUs. */
private fun lanesOf(order: LoadOrder, load: LoadProfile.Closed, part: LoadPart): List<Int> =
    (0 until load.connections).filter { it / order.requestsPerConnection in part }

private fun connectionsBefore(load: LoadProfile.Open, part: LoadPart): Int =
    (load.perSecond / 50 / part.of).toInt().coerceIn(2, 128)

/** Number of sessions of a [part] of the load: one for each user; open load has a pool, from which arrivals take turns. */
internal fun sessionsOf(order: LoadOrder, part: LoadPart): Int = when (val load = order.load) {
    is LoadProfile.Closed -> lanesOf(order, load, part).size
    is LoadProfile.Open -> connectionsBefore(load, part)
    is LoadProfile.Burst -> part.count(load.users)
}

/** Delays after consecutive failures, to avoid busy retries: 10, 20, 40, 80, 100 ms. */
internal class BackOff {
    private var failures = 0

    fun nextNanos(): Long = minOf(SHORTEST shl minOf(failures++, 4), LONGEST)

    fun reset() {
        failures = 0
    }
}

private const val SHORTEST = 10_000_000L
private const val LONGEST = 100_000_000L
