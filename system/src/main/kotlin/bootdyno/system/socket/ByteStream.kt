package bootdyno.system.socket

import java.nio.ByteBuffer

/** Carries a request and its response as HTTP/1.1 bytes, whatever the connection makes of them. Its waits end at the socket's deadline. */
interface ByteStream : AutoCloseable {
    /** Received bytes that were not yet read. */
    val received: ByteBuffer

    /** Replaces [received] by the next bytes; false at the end. Throws [DeadlinePassed] or another [java.io.IOException]. */
    fun receive(): Boolean

    fun send(request: ByteArray)
}
