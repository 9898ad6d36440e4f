package bootdyno.engine.netty

import bootdyno.engine.NANOS_PER_MILLI
import bootdyno.engine.Transport
import bootdyno.engine.millisAt
import bootdyno.engine.nanoHistogram
import bootdyno.engine.of
import bootdyno.engine.recordNanos
import bootdyno.model.NetworkFound
import bootdyno.system.countersOf
import bootdyno.system.readOrNull
import io.netty.bootstrap.Bootstrap
import io.netty.channel.Channel
import io.netty.channel.ChannelFuture
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoop
import io.netty.channel.epoll.EpollSocketChannel
import io.netty.channel.epoll.EpollTcpInfo
import java.net.InetSocketAddress
import java.nio.file.Path
import java.util.concurrent.TimeUnit

private const val EVERY_NANOS = 1_000_000_000L
private const val LONGEST_CONNECT_MILLIS = 10_000
private const val NANOS_PER_MICRO = 1_000L

/**
 * Measures the network to [address] while a window is open: a TCP connection a second, closed at once, which sends nothing. The kernel of the
 * target answers it, not the application. Its round-trip time is the kernel's own (TCP_INFO), without any delay of this process; without epoll
 * it is the time to connect. Beside it, the kernel's counters of TCP segments. Used on the thread of [loop] only.
 */
internal class NetworkProbe(private val loop: EventLoop, private val address: InetSocketAddress) {
    private val roundTrips = nanoHistogram()
    private val bootstrap = Bootstrap().group(loop).channel(Transport.best.client).remoteAddress(address)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, LONGEST_CONNECT_MILLIS)
    private var open = false
    private var before: Segments? = null
    private var after: Segments? = null

    /** The last round-trip time in ms; null before the first. */
    var lastMs: Double? = null
        private set

    /** Probes once a second from [opensAt] until [closesAt], nanoTime. */
    fun start(opensAt: Long, closesAt: Long) {
        schedule(opensAt) {
            open = true
            before = Segments.read()
            probe()
        }
        schedule(closesAt) { close() }
    }

    /** Ends the probes; repeated calls change nothing. */
    fun close() {
        if (!open) return
        open = false
        after = Segments.read()
    }

    fun found(): NetworkFound {
        val sent = before?.let { from -> after?.since(from) }
        return NetworkFound(
            probes = roundTrips.totalCount.toInt(),
            rttMinMs = roundTrips.millisAt(0.0),
            rttP50Ms = roundTrips.millisAt(50.0),
            rttMaxMs = roundTrips.millisAt(100.0),
            segments = sent?.all,
            sentAgain = sent?.again,
        )
    }

    private fun probe() {
        if (!open) return
        val began = System.nanoTime()
        bootstrap.clone().handler(ChannelInboundHandlerAdapter()).connect().addListener { ended ->
            val channel = (ended as ChannelFuture).channel()
            // A channel that could not connect is closed already.
            if (ended.isSuccess) {
                record(channel.roundTripNanos() ?: (System.nanoTime() - began))
                channel.close()
            }
        }
        schedule(began + EVERY_NANOS) { probe() }
    }

    private fun record(nanos: Long) {
        lastMs = nanos / NANOS_PER_MILLI
        if (open) roundTrips.recordNanos(nanos)
    }

    private fun Channel.roundTripNanos(): Long? =
        (this as? EpollSocketChannel)?.tcpInfo(EpollTcpInfo())?.rtt()?.times(NANOS_PER_MICRO)

    private fun schedule(time: Long, action: () -> Unit) {
        loop.schedule(Runnable { action() }, time - System.nanoTime(), TimeUnit.NANOSECONDS)
    }
}

/** TCP segments that this host sent since its start, and those of them that it sent again (RFC 4022: tcpOutSegs has only the first). */
internal class Segments(val all: Long, val again: Long) {
    fun since(before: Segments) = Segments(all - before.all, again - before.again)

    companion object {
        private val FILE = Path.of("/proc/self/net/snmp")

        /** Null if the kernel does not say. */
        fun read(): Segments? = readOrNull(FILE)?.let(::of)

        /** Of the text of `/proc/net/snmp`. */
        fun of(text: String): Segments? {
            val counts = countersOf("Tcp", text)
            val first = counts["OutSegs"] ?: return null
            val again = counts["RetransSegs"] ?: return null
            return Segments(first + again, again)
        }
    }
}
