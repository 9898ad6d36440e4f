package bootdyno.launch.http

import bootdyno.model.HttpVersion
import bootdyno.model.ProtocolFound
import bootdyno.model.printable
import bootdyno.system.socket.ByteStream
import bootdyno.system.socket.DeadlineSocket
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelHandler
import io.netty.channel.embedded.EmbeddedChannel
import io.netty.handler.ssl.SslHandler
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import javax.net.ssl.SSLEngine

/** A new connection over TLS, with HTTP/2, or both, for one request. Netty's handlers code the bytes; [socket] carries them. */
internal class CodedStream(private val socket: DeadlineSocket, tls: SSLEngine?, private val http: HttpVersion) : ByteStream {
    private val secure = tls?.let { SslHandler(it).apply { handshakeTimeoutMillis = 0 } }
    private val decoded = ByteArrayOutputStream()
    private val stream = if (http == HttpVersion.HTTP_2) SingleStream(if (tls == null) "http" else "https", decoded) else null
    private val channel = EmbeddedChannel(*listOfNotNull<ChannelHandler>(secure, stream?.handler).toTypedArray())
    private var ended = false

    override var received: ByteBuffer = ByteBuffer.allocate(0)
        private set

    /** What was negotiated; after [open]. */
    val protocol: ProtocolFound
        get() = ProtocolFound(http, secure?.engine()?.session?.protocol, secure?.engine()?.session?.cipherSuite)

    /** Waits for the TLS handshake and the server's SETTINGS. Throws [NoAnswer]. */
    fun open() {
        while (secure?.handshakeFuture()?.isSuccess == false || stream?.isOpen == false) {
            if (!exchange()) throw NoAnswer(if (isSecured) NO_HTTP_2 else "it closed the connection during the TLS handshake")
        }
    }

    private val isSecured: Boolean get() = secure?.handshakeFuture()?.isSuccess != false

    override fun send(request: ByteArray) {
        if (stream != null) stream.send(request) else channel.writeOutbound(Unpooled.wrappedBuffer(request))
    }

    override fun receive(): Boolean {
        while (decoded.size() == 0) if (ended || stream?.isEnded == true || !exchange()) break
        received = ByteBuffer.wrap(decoded.toByteArray())
        decoded.reset()
        return received.hasRemaining()
    }

    /** Sends what is to be sent, and takes in what comes; false at the end. */
    private fun exchange(): Boolean {
        sendCoded()
        if (!socket.receive()) {
            ended = true
            return false
        }
        try {
            channel.writeInbound(Unpooled.copiedBuffer(socket.received))
        } catch (failure: Exception) {
            throw codingFailed(failure, isSecured, http)
        }
        generateSequence { channel.readInbound<ByteBuf>() }.forEach { plain ->
            plain.readBytes(decoded, plain.readableBytes())
            plain.release()
        }
        sendCoded()
        if (stream != null && !stream.isEnded) {
            stream.failure?.let { throw it }
            if (!channel.isOpen) throw NoAnswer(if (stream.isOpen) INVALID else NO_HTTP_2, isForeign = !stream.isOpen)
        }
        return true
    }

    private fun sendCoded() = generateSequence { channel.readOutbound<ByteBuf>() }.forEach { coded ->
        socket.send(ByteArray(coded.readableBytes()).also { coded.readBytes(it) })
        coded.release()
    }

    override fun close() {
        try {
            channel.finishAndReleaseAll()
        } catch (_: Exception) {
            // What was wrong with the connection is known already.
        } finally {
            socket.close()
        }
    }
}

private const val INVALID = "it sent an invalid frame of HTTP/2"
private const val NO_HTTP_2 = "it does not speak HTTP/2: switch it on (server.http2.enabled=true), or leave `http: 2` out"

/** The failure as a clause in which "it" is the server, with what to do. */
private fun codingFailed(failure: Exception, isSecured: Boolean, http: HttpVersion): NoAnswer {
    val messages = generateSequence(failure as Throwable) { it.cause }.take(5).map { it.message.orEmpty() }.toList()
    val why = printable(messages.last())
    fun says(vararg words: String) = words.any { word -> messages.any { word in it } }
    val text = when {
        // With TLS 1.3 after the handshake.
        says("certificate_required", "bad_certificate") -> NEEDS_CERTIFICATE

        says("no_application_protocol") -> if (http == HttpVersion.HTTP_2) NO_HTTP_2 else ONLY_HTTP_2

        isSecured -> if (http == HttpVersion.HTTP_2) "$NO_HTTP_2 ($why)" else "it ended the secured connection ($why)"

        says("PKIX", "certification path") ->
            "its certificate is not trusted ($why): add it to the trust store of this JDK. Any certificate is accepted on loopback only"

        says("No subject alternative", "No name matching") -> "its certificate is for another host ($why)"

        says("not an SSL/TLS record", "unrecognized SSL message") ->
            "it does not speak TLS: leave out `https: true` of the subject, or write http:// in its `url`"

        else -> "the TLS handshake failed ($why)"
    }
    return NoAnswer(text, isForeign = true, cause = failure)
}
