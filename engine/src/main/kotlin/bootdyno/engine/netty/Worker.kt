package bootdyno.engine.netty

import bootdyno.engine.LoadOrder
import bootdyno.engine.Tally
import bootdyno.engine.Transport
import bootdyno.model.HttpVersion
import bootdyno.system.socket.ClientTls
import io.netty.bootstrap.Bootstrap
import io.netty.channel.Channel
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelHandler
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoop
import io.netty.handler.ssl.SslHandler
import java.net.InetSocketAddress
import java.util.SplittableRandom
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit

/**
 * The part of a drive on one event loop: its connections, counts and clock. [random] is its own.
 *
 * Everything runs on that loop's thread, except the constructor and the futures.
 */
internal class Worker(
    private val loop: EventLoop,
    private val order: LoadOrder,
    address: InetSocketAddress,
    chain: Chain,
    private val random: SplittableRandom,
) {
    val sent = SentChain(chain, random)
    val scratch = ByteArray(SCRATCH)
    val tally = Tally(responseIsService = order.load.isClosed, isBurst = order.load.isBurst)

    /** Of the users of this drive; empty if they keep nothing. Set before its sender is made. */
    var sessions: List<Session> = emptyList()

    var sending = false
        private set
    private val connections = ArrayList<Connection>()
    private val timers = ArrayList<ScheduledFuture<*>>()
    private val bootstrap = Bootstrap().group(loop).channel(Transport.best.client).remoteAddress(address)
        .option(ChannelOption.TCP_NODELAY, true)
        // Our own timeout applies to connecting too.
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)

    /** Completes with the time (nanoTime) when sending has stopped and nothing is in flight. */
    val drained = CompletableFuture<Long>()

    /** Completes with the time (nanoTime) when sending stopped and the window, if any, ended. */
    val stopped = CompletableFuture<Long>()

    private val tls = if (order.https) tlsTo(address) else null
    private val shared = Http2Channels(this, if (order.https) "https" else "http", order.requestsPerConnection)

    private fun tlsTo(address: InetSocketAddress) =
        ClientTls(order.serverName ?: order.host, address.address, order.port, listOf(order.http.alpn))

    /** A connection for one request at a time of [user]; not yet open. */
    fun connectionFor(user: ConnectionUser): Connection = when (order.http) {
        HttpVersion.HTTP_1_1 -> Http1Connection(this, user)
        HttpVersion.HTTP_2 -> Http2Slot(this, shared, user)
    }

    /** Sends the request of [cursor] for [user] over [connection] if that is free, otherwise over a new one. */
    fun send(user: ConnectionUser, connection: Connection?, intended: Long, now: Long, cursor: ChainCursor) {
        val free = connection?.takeIf { it.isFree }
        free?.send(intended, now, cursor) ?: connectionFor(user).connectAndSend(intended, now, cursor)
    }

    /** How long a user thinks before the next request, in nanoseconds. */
    fun thinkNanos(): Long = order.think?.nextNanos(random) ?: 0

    /** The same before the first request. */
    fun firstThinkNanos(): Long = order.think?.restNanos(random) ?: 0

    /** Opens a channel with [handler]; with TLS it is ready after the handshake. */
    fun open(handler: ChannelHandler): Opening {
        val secure = tls?.let { SslHandler(it.engine()) }
        // Our own timeout applies to the handshake too.
        secure?.handshakeTimeoutMillis = 0
        val attempt = bootstrap.clone().handler(if (secure == null) handler else InFront(secure, handler)).connect()
        // After an immediate failure, for example without a free descriptor, there is no channel to close.
        val channel = attempt.channel().takeIf { !attempt.isDone || attempt.isSuccess }
        if (secure == null || channel == null) return Opening(channel, attempt)
        val ready = channel.newPromise()
        attempt.addListener {
            val refused = attempt.cause()
            val handshake = secure.handshakeFuture()
            if (refused != null) {
                ready.tryFailure(refused)
            } else {
                handshake.addListener {
                    val failure = handshake.cause()
                    if (failure == null) ready.trySuccess() else ready.tryFailure(failure)
                }
            }
        }
        return Opening(channel, ready)
    }

    fun add(connection: Connection) {
        connection.place = connections.size
        connections.add(connection)
    }

    /** Moves the last connection to its index. */
    fun remove(connection: Connection) {
        val last = connections.removeLast()
        if (last === connection) return
        connections[connection.place] = last
        last.place = connection.place
    }

    /** Starts [sender] at [t0], counts from [opensAt] if [measured], and stops sending at [stopsAt] (all nanoTime). */
    fun start(sender: Sender, t0: Long, opensAt: Long, stopsAt: Long, measured: Boolean) {
        sending = true
        // One task for equal times: two timers of the same time may run in either order.
        at(t0) {
            if (measured && opensAt == t0) openWindow(t0)
            sender.start(t0)
        }
        // Due requests are sent before the window opens or closes, so that a late send counts on the side where it was due.
        if (measured && opensAt > t0) {
            at(opensAt) {
                sender.sendDue()
                openWindow(System.nanoTime())
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

    private fun openWindow(now: Long) {
        tally.openWindow(now)
        sent.operations.forEach { it.openWindow(now) }
    }

    /** Runs [action] at [time] (nanoTime), or immediately if that has passed. */
    fun at(time: Long, action: () -> Unit) {
        val wait = time - System.nanoTime()
        if (wait <= 0) guarded(action) else timers += loop.schedule({ guarded(action) }, wait, TimeUnit.NANOSECONDS)
    }

    /** Runs [action] after [nanos], unless sending has stopped. Cheaper than [at]. */
    fun whileSending(nanos: Long, action: () -> Unit) {
        loop.schedule({ if (sending) guarded(action) }, nanos, TimeUnit.NANOSECONDS)
    }

    /** Runs [action]; its failure fails the drive. */
    fun guarded(action: () -> Unit) {
        try {
            action()
        } catch (bug: Throwable) {
            broke(bug)
        }
    }

    /** Fails the drive with an internal error that the event loop would swallow. */
    fun broke(bug: Throwable) {
        bug.printStackTrace()
        sending = false
        stopped.completeExceptionally(bug)
        drained.completeExceptionally(bug)
    }

    /** Stops sending and closes the window. Has no effect when repeated. */
    fun stop(now: Long) {
        if (!sending) return
        sending = false
        val inUse = connections.filter { it.inUse }
        tally.closeWindow(now, inUse.map { it.intended })
        sent.operations.forEach { operation ->
            operation.closeWindow(now, inUse.filter { it.cursor.operation === operation }.map { it.intended })
        }
        stopped.complete(now)
        requestEnded()
    }

    fun requestEnded() {
        if (stopped.isDone && tally.inFlight == 0L) drained.complete(System.nanoTime())
    }

    private fun expire(timeout: Long) {
        val now = System.nanoTime()
        // Backwards: the last connection, already checked, replaces a removed one.
        for (i in connections.indices.reversed()) if (i < connections.size) connections[i].expire(now, timeout)
    }

    /** Closes every connection; the worker cannot be used afterwards. */
    fun close() {
        sending = false
        timers.forEach { it.cancel(false) }
        while (connections.isNotEmpty()) connections.last().leave()
        sent.close()
    }
}

/** A connection attempt. [channel] is null after an immediate failure; [ready] completes when requests can be sent. */
internal class Opening(val channel: Channel?, val ready: ChannelFuture)

/** Puts [first] in front of [handler]. */
private class InFront(private val first: ChannelHandler, private val handler: ChannelHandler) : ChannelInitializer<Channel>() {
    override fun initChannel(channel: Channel) {
        channel.pipeline().addLast(first, handler)
    }
}

private const val SCRATCH = 64 * 1024
private const val SCANS_PER_TIMEOUT = 50
private const val SHORTEST_SCAN = 1_000_000L
private const val LONGEST_SCAN = 50_000_000L
