package bootdyno.system.socket

import bootdyno.system.ioOrNull
import bootdyno.system.succeeds
import java.io.IOException
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.channels.SelectionKey
import java.nio.channels.Selector
import java.nio.channels.SocketChannel
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

private const val RECEIVED = 64 * 1024

/**
 * A connection whose waits all end at the deadline of the current request. An interrupt ends them too. Used by one thread; [whileWaiting] is
 * called about once per second of waiting.
 */
class DeadlineSocket(private val whileWaiting: () -> Unit = {}) : ByteStream {
    private val selector = Selector.open()
    private val channel = SocketChannel.open().apply { configureBlocking(false) }
    private val key = channel.register(selector, 0)
    private var allowed = Duration.ZERO
    private var until: ComparableTimeMark = TimeSource.Monotonic.markNow()
    private var toSend = ByteBuffer.allocate(0)

    override val received: ByteBuffer = ByteBuffer.allocate(RECEIVED).flip()

    /** Starts a request with this [timeout]. */
    fun allow(timeout: Duration) {
        allowed = timeout
        until = TimeSource.Monotonic.markNow() + timeout
    }

    fun connect(address: InetSocketAddress) {
        if (address.isUnresolved) throw IOException("there is no address for the host ${address.hostString}")
        if (channel.connect(address)) return
        while (!channel.finishConnect()) await(SelectionKey.OP_CONNECT)
    }

    /** Whether it is open without unread bytes, so that it can send another request. */
    fun isQuiet(): Boolean =
        ioOrNull { !received.hasRemaining() && !toSend.hasRemaining() && channel.read(ByteBuffer.allocate(1)) == 0 } ?: false

    /** Sends [request], and receives meanwhile, because a server may respond before it has read all of it. */
    override fun send(request: ByteArray) {
        val rest = ByteArray(toSend.remaining()).also { toSend.get(it) }
        toSend = ByteBuffer.wrap(rest + request)
    }

    override fun receive(): Boolean {
        received.clear().limit(0)
        while (true) {
            checkTime()
            if (toSend.hasRemaining()) sendSome()
            received.clear()
            val count = channel.read(received)
            received.flip()
            if (count != 0) return count > 0
            await(SelectionKey.OP_READ or if (toSend.hasRemaining()) SelectionKey.OP_WRITE else 0)
        }
    }

    /** A server that stops reading may have responded already; received bytes stay readable. */
    private fun sendSome() {
        if (!succeeds { channel.write(toSend) }) toSend = ByteBuffer.allocate(0)
    }

    private fun await(operations: Int) {
        checkTime()
        key.interestOps(operations)
        val left = (-until.elapsedNow()).coerceIn(0.seconds, 1.seconds)
        if (selector.select(left.inWholeMilliseconds + 1) == 0) whileWaiting()
        selector.selectedKeys().clear()
    }

    private fun checkTime() {
        if (Thread.interrupted()) throw InterruptedException("interrupted while waiting for an answer")
        if (until.hasPassedNow()) throw DeadlinePassed(allowed)
    }

    override fun close() {
        channel.close()
        selector.close()
    }
}

class DeadlinePassed(val allowed: Duration) : IOException("the deadline has passed")
