package bootdyno.launch.http

import bootdyno.system.socket.DeadlineSocket
import java.nio.ByteBuffer

/** Carries a request and its response as HTTP/1.1 bytes, whatever the connection makes of them. Its waits end at the socket's deadline. */
internal interface ByteStream : AutoCloseable {
    /** Received bytes that were not yet read. */
    val received: ByteBuffer

    /** Replaces [received] by the next bytes; false at the end. */
    fun receive(): Boolean

    fun send(request: ByteArray)

    /** Whether it can carry another request. */
    fun isQuiet(): Boolean
}

/** HTTP/1.1 without TLS. */
internal class PlainStream(val socket: DeadlineSocket) : ByteStream {
    override val received: ByteBuffer get() = socket.received

    override fun receive() = socket.receive()

    override fun send(request: ByteArray) = socket.send(request)

    override fun isQuiet() = socket.isQuiet()

    override fun close() = socket.close()
}
