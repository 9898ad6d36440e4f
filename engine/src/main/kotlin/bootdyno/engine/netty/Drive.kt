package bootdyno.engine.netty

import bootdyno.engine.DriveSecond
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.millisAt
import bootdyno.engine.nanoHistogram
import bootdyno.engine.of
import bootdyno.engine.p99Ms
import bootdyno.model.DataTable
import bootdyno.system.socket.acceptingAddress
import io.netty.channel.EventLoop
import io.netty.channel.EventLoopGroup
import org.HdrHistogram.Histogram
import java.net.InetSocketAddress
import java.util.SplittableRandom
import java.util.concurrent.Callable
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/** One drive over all event loops: open connections, settle, window, stop sending, drain. Made for one [run]. */
internal class Drive(
    private val order: LoadOrder,
    loops: EventLoopGroup,
    private val rows: DataTable? = null,
    private val sessions: LoginSessions = LoginSessions(order, rows),
    private val signals: DriveSignals = DriveSignals(),
    private val onSecond: (DriveSecond) -> Unit,
) {
    private val chain = Chain(order, rows)

    /** When this drive, or its load after the logins, began (nanoTime). */
    private var began = System.nanoTime()
    private val loops: List<EventLoop> = loops.filterIsInstance<EventLoop>()
    private val measured = order.window.isPositive()
    private val settle = order.settle.inWholeNanoseconds
    private val window = order.window.inWholeNanoseconds

    /** Completes at the end of the drive, or with the error that ended it. */
    private val over = CompletableFuture<Unit>()
    private val mayStart = CompletableFuture<Unit>()

    /** Starts the load of a drive that waits for others, from any thread. */
    fun go() {
        mayStart.complete(Unit)
    }

    /** Stops the drive, from any thread: [run] throws [DriveStopped]. */
    fun stop() {
        over.completeExceptionally(DriveStopped())
    }

    fun run(): LoadMeasured {
        val address = acceptingAddress(order.host, order.port)
        require(!address.isUnresolved) { "no address for the host ${order.host}" }
        if (order.login.isNotEmpty()) logIn(address)
        // Loopback is no network.
        val probe = if (measured && !address.address.isLoopbackAddress) NetworkProbe(loops.first(), address) else null
        return onWorkers(address, chain) { run(it, probe) }
    }

    private fun <T> onWorkers(address: InetSocketAddress, chain: Chain, action: (List<Worker>) -> T): T {
        val random = SplittableRandom(order.seed + (order.part.index.toLong() shl PART_BITS))
        val workers = loops.map { Worker(it, order, address, chain, random.split()) }
        if (order.hasSessions) {
            workers.forEachIndexed { i, worker ->
                worker.sessions = sessions.of(i, sessionsOf(order, order.part.part(i, workers.size)))
            }
        }
        try {
            return action(workers)
        } finally {
            onLoops(workers) { it.close() }
        }
    }

    /** Logs in the users who are not yet, on connections of their own. */
    private fun logIn(address: InetSocketAddress) {
        onWorkers(address, Chain(order, rows, isLogin = true), ::logIn)
        began = System.nanoTime()
    }

    private fun logIn(workers: List<Worker>) {
        val senderOf = workers.associateWith { LoginSender(it, it.sessions) }
        val t0 = System.nanoTime()
        onLoops(workers) { it.start(senderOf.getValue(it), t0, t0, t0 + LONGEST_LOGINS, measured = false) }
        val stopped = CompletableFuture.allOf(*workers.map { it.stopped }.toTypedArray())
        while (!isOver(stopped, SECOND)) signals.loggingIn()
        val all = workers.flatMap { it.sessions }
        val done = all.count { it.isLoggedIn }
        if (done < all.size) {
            val why = senderOf.values.firstNotNullOfOrNull { it.failure } ?: "they took longer than ${LONGEST_LOGINS / SECOND} s"
            throw LoginFailed("Only $done of ${all.size} users could log in: $why")
        }
    }

    private fun run(workers: List<Worker>, probe: NetworkProbe?): LoadMeasured {
        val senders = workers.mapIndexed { i, worker -> senderFor(order, worker, order.part.part(i, workers.size)) }
        val senderOf = workers.zip(senders).toMap()
        val opened = onLoops(workers) { senderOf.getValue(it).openConnections() }
        isOver(CompletableFuture.allOf(*opened.toTypedArray()), minOf(order.timeout.inWholeNanoseconds, LONGEST_OPENING))
        signals.ready?.let { ready ->
            ready()
            isOver(mayStart, Long.MAX_VALUE)
            began = System.nanoTime()
        }

        val t0 = System.nanoTime() + A_MOMENT
        onLoops(workers) { it.start(senderOf.getValue(it), t0, t0 + settle, t0 + settle + window, measured) }
        probe?.let { onItsLoop { it.start(t0 + settle, t0 + settle + window) } }
        CompletableFuture.allOf(*workers.map { it.drained }.toTypedArray()).whenComplete { _, bug ->
            if (bug == null) over.complete(Unit) else over.completeExceptionally(bug)
        }
        try {
            reportSeconds(workers, t0, probe)
        } finally {
            probe?.let { onItsLoop(it::close) }
        }
        val network = probe?.let { onItsLoop(it::found) }
        val result = onLoops(workers) { it.result(senderOf.getValue(it)) }.sum(order, measured)
        return result.copy(found = result.found.copy(network = network))
    }

    /** Of the network probe: the first one. */
    private fun <T> onItsLoop(action: () -> T): T = loops.first().submit(Callable { action() }).get()

    /** Reports every second, or as often as ordered, until the drive ends or the drain takes too long. */
    private fun reportSeconds(workers: List<Worker>, t0: Long, probe: NetworkProbe?) {
        val deadline = t0 + settle + window + minOf(order.drain, order.timeout).inWholeNanoseconds
        val every = order.reportEvery.inWholeNanoseconds
        val lost = LostAnswers()
        var next = t0 + every
        var last = t0
        while (true) {
            val wait = minOf(next, deadline) - System.nanoTime()
            val ended = isOver(over, wait.coerceAtLeast(0))
            val now = System.nanoTime()
            if (now >= next || ((ended || now >= deadline) && now - last > SHORTEST_SPAN)) {
                val second = second(workers, now, (last + now) / 2 - t0, probe)
                onSecond(second)
                if (lost.areLeft(second, now) && !measured && now > t0 + settle) return
                last = now
                next += every
            }
            if (ended || now >= deadline) return
        }
    }

    /** [middle]: middle of the second, in nanoseconds since t0. */
    private fun second(workers: List<Worker>, now: Long, middle: Long, probe: NetworkProbe?): DriveSecond {
        val counts =
            onLoops(workers) { SecondCount(it.tally.answered, it.tally.failed, it.tally.inFlight, it.tally.takeSecond()) }
        val responses = nanoHistogram().apply { counts.forEach { add(it.responses) } }
        val second = LoadSecond(
            at = (now - began) / 1e9,
            inWindow = measured && middle in settle..settle + window,
            answered = counts.sumOf { it.answered },
            errors = counts.sumOf { it.failed },
            inFlight = counts.sumOf { it.inFlight },
            p99Ms = responses.p99Ms(),
            p50Ms = responses.millisAt(50.0),
            roundTripMs = probe?.let { onItsLoop(it::lastMs) },
        )
        return DriveSecond(second, responses)
    }

    /** Waits up to [nanos] for [future], and returns whether it completed; throws its error. */
    private fun isOver(future: CompletableFuture<*>, nanos: Long): Boolean = try {
        CompletableFuture.anyOf(over, future).get(nanos, TimeUnit.NANOSECONDS)
        true
    } catch (_: TimeoutException) {
        false
    } catch (failure: ExecutionException) {
        throw failure.cause ?: failure
    }

    private fun <T> onLoops(workers: List<Worker>, action: (Worker) -> T): List<T> =
        workers.mapIndexed { i, worker -> loops[i].submit(Callable { action(worker) }) }.map { it.get() }
}

private const val SECOND = 1_000_000_000L
private const val SHORTEST_SPAN = 100_000_000L
private const val LONGEST_LOGINS = 600 * SECOND
private const val LONGEST_OPENING = 10_000_000_000L
private const val A_MOMENT = 5_000_000L

/** Seeds of parts are as far apart, more than the numbers of trials. */
private const val PART_BITS = 32

/** What a drive tells: [loggingIn] every second of the logins; [ready], if it waits for [Drive.go], when its connections are open. */
internal class DriveSignals(val loggingIn: () -> Unit = {}, val ready: (() -> Unit)? = null)

/** The drive was stopped by a command. */
internal class DriveStopped : RuntimeException("the drive was stopped")

private class SecondCount(val answered: Long, val failed: Long, val inFlight: Long, val responses: Histogram)
