package bootdyno.engine

import bootdyno.model.LoadProfile
import io.netty.bootstrap.Bootstrap
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoop
import java.net.InetSocketAddress
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/**
 * One event loop's part of one drive: its connections, its counts, its clock.
 *
 * Everything here runs on that loop's thread, except the constructor and the futures.
 */
internal class Worker(private val loop: EventLoop, private val order: LoadOrder, address: InetSocketAddress, chain: Chain) {
    val sent = SentChain(chain)
    val scratch = ByteArray(SCRATCH)
    val tally = Tally(responseIsService = order.load is LoadProfile.Closed)

    /** Whether requests may be sent. */
    var sending = false
        private set
    private val connections = ArrayList<Connection>()
    private val timers = ArrayList<ScheduledFuture<*>>()
    private val bootstrap = Bootstrap().group(loop).channel(Transport.best.client).remoteAddress(address)
        .option(ChannelOption.TCP_NODELAY, true)
        // Our own scan decides what a connect timeout is, by the order's timeout.
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)

    /** Completes with the moment (nanoTime) when sending has stopped and nothing is in flight. */
    val drained = CompletableFuture<Long>()

    /** Completes with the moment (nanoTime) sending stopped and the window, if any, closed. */
    val stopped = CompletableFuture<Long>()

    fun connect(connection: Connection): ChannelFuture = bootstrap.clone().handler(connection).connect()

    fun add(connection: Connection) {
        connection.place = connections.size
        connections.add(connection)
    }

    /** Its place is taken by the last one. */
    fun remove(connection: Connection) {
        val last = connections.removeLast()
        if (last === connection) return
        connections[connection.place] = last
        last.place = connection.place
    }

    /** Lets [sender] ask from [t0] on, counts from [opensAt] if [measured], and stops sending at [stopsAt] (all nanoTime). */
    fun start(sender: Sender, t0: Long, opensAt: Long, stopsAt: Long, measured: Boolean) {
        sending = true
        // One task where they coincide: two timers of the same moment may run in either order.
        at(t0) {
            if (measured && opensAt == t0) openWindow()
            sender.start(t0)
        }
        // What is due is sent before the window opens or closes: a late send belongs to the side it was due on.
        if (measured && opensAt > t0) {
            at(opensAt) {
                sender.sendDue()
                openWindow()
            }
        }
        at(stopsAt) {
            sender.sendDue()
            stop(System.nanoTime())
        }
        val timeout = order.timeout.inWholeNanoseconds
        val tick = (timeout / SCANS_PER_TIMEOUT).coerceIn(SHORTEST_SCAN, LONGEST_SCAN)
        val scan = Runnable { if (sending) guarded { expire(timeout) } }
        timers += loop.scheduleAtFixedRate(scan, tick, tick, TimeUnit.NANOSECONDS)
    }

    private fun openWindow() {
        tally.openWindow(System.nanoTime())
        sent.operations.forEach { it.openWindow() }
    }

    /** Runs [action] when [time] (nanoTime) has come; at once when it has passed. */
    fun at(time: Long, action: () -> Unit) {
        val wait = time - System.nanoTime()
        if (wait <= 0) guarded(action) else timers += loop.schedule({ guarded(action) }, wait, TimeUnit.NANOSECONDS)
    }

    /** Runs [action] after [nanos], if requests may still be sent then. Cheaper than [at]: for the many of a drive. */
    fun whileSending(nanos: Long, action: () -> Unit) {
        loop.schedule({ if (sending) guarded(action) }, nanos, TimeUnit.NANOSECONDS)
    }

    private fun guarded(action: () -> Unit) {
        try {
            action()
        } catch (bug: Throwable) {
            broke(bug)
        }
    }

    /** Ends the drive loudly: an error of ours that an event loop would swallow. */
    fun broke(bug: Throwable) {
        bug.printStackTrace()
        sending = false
        stopped.completeExceptionally(bug)
        drained.completeExceptionally(bug)
    }

    /** Stops sending and closes the window. A second call does nothing. */
    fun stop(now: Long) {
        if (!sending) return
        sending = false
        val inUse = connections.filter { it.inUse }
        tally.closeWindow(now, inUse.map { it.age(now) })
        sent.operations.forEach { operation ->
            operation.closeWindow(inUse.filter { it.cursor.operation === operation }.map { it.age(now) })
        }
        stopped.complete(now)
        requestEnded()
    }

    fun requestEnded() {
        if (stopped.isDone && tally.inFlight == 0L) drained.complete(System.nanoTime())
    }

    private fun expire(timeout: Long) {
        val now = System.nanoTime()
        // Backwards: one that leaves is replaced by the last one, which has been looked at, or is it.
        for (i in connections.indices.reversed()) if (i < connections.size) connections[i].expire(now, timeout)
    }

    /** Leaves every connection, answered or not; the worker is of no use afterwards. */
    fun close() {
        sending = false
        timers.forEach { it.cancel(false) }
        while (connections.isNotEmpty()) connections.last().leave()
        sent.close()
    }
}

private const val SCRATCH = 64 * 1024
private const val SCANS_PER_TIMEOUT = 50
private const val SHORTEST_SCAN = 1_000_000L
private const val LONGEST_SCAN = 50_000_000L
