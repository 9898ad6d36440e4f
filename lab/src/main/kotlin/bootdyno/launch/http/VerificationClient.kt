package bootdyno.launch.http

import bootdyno.engine.HttpAddress
import bootdyno.engine.netty.Cookies
import bootdyno.model.HttpVersion
import bootdyno.model.ProtocolFound
import bootdyno.model.Step
import bootdyno.system.socket.ClientTls
import bootdyno.system.socket.DeadlinePassed
import bootdyno.system.socket.DeadlineSocket
import java.io.IOException
import java.net.InetSocketAddress
import java.net.URI
import kotlin.time.Duration
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/**
 * A response; [seconds] from the send to its last byte. Only the beginning of a long [body] (UTF-8) is stored; it is not [whole] then.
 */
internal data class Answer(
    val status: Int,
    val contentType: String?,
    val body: String,
    val seconds: Double,
    val whole: Boolean = true,
    /** Names in lower case. */
    val headers: Map<String, List<String>> = emptyMap(),
) {
    val location: String? get() = headers["location"]?.firstOrNull()
}

/**
 * Sends single requests to one server: each has a deadline, and is encoded by the same rules as the load engine's. Plain HTTP/1.1
 * connections are kept; with TLS or HTTP/2, each request has a connection of its own. Used by one thread.
 */
internal class VerificationClient(val base: URI, private val http: HttpVersion = HttpVersion.HTTP_1_1) : AutoCloseable {
    private var kept: PlainStream? = null
    private val address = HttpAddress.of(base)
    val port: Int get() = address.port

    /** A client of the same protocol for another address. */
    fun at(base: URI) = VerificationClient(base, http)

    /** What the last connection negotiated; null before, and for plain HTTP/1.1. */
    @Volatile
    var protocol: ProtocolFound? = null
        private set

    /**
     * Sends a request, over the previous connection if the server has kept it. Throws [NoAnswer], or [IllegalArgumentException] for an invalid
     * request. [keep]: bytes of the body at least.
     */
    fun ask(step: Step, timeout: Duration, keep: Int = USUALLY_KEPT): Answer {
        val before = kept
        kept = null
        if (before != null && before.isQuiet()) {
            try {
                return before.also { it.socket.allow(timeout) }.answerTo(step, keep)
            } catch (none: NoAnswer) {
                // The server closed the connection while we sent.
                if (none.begun || step.method.uppercase() !in REPEATABLE) throw none
            }
        }
        before?.close()
        return opened(timeout).answerTo(step, keep)
    }

    private var cookies: Cookies? = null

    /** Begins as a new user, who keeps cookies or not. */
    fun beginAsUser(keepsCookies: Boolean) {
        cookies = if (keepsCookies) Cookies() else null
    }

    private fun ByteStream.answerTo(step: Step, keep: Int): Answer = closedOnFailure {
        val cookie = cookies?.header?.takeIf { step.headers.keys.none { it.equals("cookie", ignoreCase = true) } }
        val sentStep = if (cookie == null) step else step.copy(headers = step.headers + ("Cookie" to cookie))
        val request = requestBytes(address, sentStep)
        val sent = TimeSource.Monotonic.markNow()
        send(request)
        val reading = AnswerFrom(this, keep = maxOf(keep, step.expect.body.orEmpty().length * MOST_BYTES + 1))
        val head = reading.head()
        if (!step.method.equals("HEAD", ignoreCase = true)) reading.readBody(head)
        if (received.hasRemaining()) throw NoAnswer("its answer is longer than it says")
        val seconds = sent.elapsedNow().toDouble(DurationUnit.SECONDS)
        if (head.keepsConnection && this is PlainStream) kept = this else close()
        cookies?.take(head.headers["set-cookie"].orEmpty())
        Answer(head.status, head.contentType, reading.text, seconds, reading.isWhole, head.headers)
    }

    /** The head of the response to `GET` [path], over a new connection. Throws like [ask]; [whileWaiting] see [DeadlineSocket]. */
    fun headOf(path: String, timeout: Duration, whileWaiting: () -> Unit): AnswerHead {
        val request =
            requestBytes(address, Step("ready", path = path, headers = mapOf("Accept" to "*/*", "Connection" to "close")))
        return opened(timeout, whileWaiting).use { socket ->
            socket.send(request)
            val answer = AnswerFrom(socket, keep = REFUSAL)
            answer.head().also { if (it.status == BAD_REQUEST && !address.https) checkForTls(answer, it) }
        }
    }

    /** Servers say so, in plain HTTP, to who sends plain HTTP to a port with TLS: Tomcat and nginx. */
    private fun checkForTls(answer: AnswerFrom, head: AnswerHead) {
        try {
            answer.readBody(head)
        } catch (_: NoAnswer) {
            // What has come is enough.
        }
        if (REQUIRES_TLS.any { it in answer.text }) throw NoAnswer(SPEAKS_TLS, isForeign = true)
    }

    private fun opened(timeout: Duration, whileWaiting: () -> Unit = {}): ByteStream =
        DeadlineSocket(whileWaiting).closedOnFailure {
            allow(timeout)
            val socketAddress = InetSocketAddress(address.host, port)
            try {
                connect(socketAddress)
            } catch (failure: IOException) {
                throw notConnected(failure)
            }
            if (address.https || http == HttpVersion.HTTP_2) coded(this, socketAddress) else PlainStream(this)
        }

    private fun coded(socket: DeadlineSocket, at: InetSocketAddress): ByteStream {
        val offered = listOf(if (http == HttpVersion.HTTP_2) "h2" else "http/1.1")
        val tls = if (address.https) ClientTls(at.hostString, at.address, port, offered).engine() else null
        return CodedStream(socket, tls, http).closedOnFailure {
            try {
                open()
            } catch (none: NoAnswer) {
                throw none
            } catch (late: DeadlinePassed) {
                throw NoAnswer("its TLS handshake or HTTP/2 settings did not come within ${late.allowed}", cause = late)
            } catch (broken: IOException) {
                throw NoAnswer("it broke the connection before the request (${broken.message})", cause = broken)
            }
            this@VerificationClient.protocol = protocol
            this
        }
    }

    private fun <C : AutoCloseable, T> C.closedOnFailure(action: C.() -> T): T = try {
        action()
    } catch (failure: Throwable) {
        close()
        throw failure
    }

    override fun close() {
        kept?.close()
        kept = null
    }

    private companion object {
        const val USUALLY_KEPT = 1024 * 1024

        /** Idempotent methods: a repetition has the same effect (RFC 9110, section 9.2.2). */
        val REPEATABLE = setOf("GET", "HEAD", "PUT", "DELETE", "OPTIONS")

        const val MOST_BYTES = 3

        const val BAD_REQUEST = 400
        const val REFUSAL = 4096
        val REQUIRES_TLS = listOf("requires TLS", "plain HTTP request was sent to HTTPS port")
    }
}

/** The encoded request, by the same rules as the load engine's. Throws [IllegalArgumentException] for a line break in a line. */
private fun requestBytes(address: HttpAddress, step: Step): ByteArray {
    val content = step.body?.toByteArray()
    val given = step.headers.keys.map { it.lowercase() }
    val lines = buildList {
        add("${step.method} ${address.path}${step.path} HTTP/1.1")
        if ("host" !in given) add("Host: ${address.authority}")
        step.headers.forEach { (name, value) -> add("$name: $value") }
        if (content != null && "content-length" !in given) add("Content-Length: ${content.size}")
    }
    lines.forEach { require('\r' !in it && '\n' !in it) { "a line break inside a request line: $it" } }
    return (lines.joinToString("\r\n", postfix = "\r\n\r\n").toByteArray()) + (content ?: ByteArray(0))
}
