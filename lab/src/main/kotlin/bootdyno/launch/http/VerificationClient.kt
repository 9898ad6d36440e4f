package bootdyno.launch.http

import bootdyno.engine.HttpAddress
import bootdyno.engine.netty.AnswerReader
import bootdyno.engine.netty.Cookies
import bootdyno.engine.netty.KeptHeaders
import bootdyno.engine.netty.TypeCheck
import bootdyno.engine.netty.requestBytes
import bootdyno.model.HIDDEN
import bootdyno.model.HttpVersion
import bootdyno.model.ProtocolFound
import bootdyno.model.Step
import bootdyno.system.onFailure
import bootdyno.system.socket.ByteStream
import bootdyno.system.socket.ClientTls
import bootdyno.system.socket.DeadlinePassed
import bootdyno.system.socket.DeadlineSocket
import bootdyno.system.socket.acceptingAddress
import java.io.IOException
import java.net.InetSocketAddress
import java.net.URI
import kotlin.time.Duration
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/** A response, as the engine's reader judged it; [seconds] from the send to its last byte. */
internal data class Answer(
    val status: Int,
    /** Names in lower case. */
    val headers: Map<String, List<String>> = emptyMap(),
    /** In UTF-8; only the beginning of a long one, which is not [whole] then. */
    val body: String = "",
    val whole: Boolean = true,
    val typeFits: Boolean = true,
    val bodyFits: Boolean = true,
    val seconds: Double = 0.0,
    /** What was sent before and must not be shown, although the application may repeat it. */
    val secrets: Set<String> = emptySet(),
) {
    constructor(reader: AnswerReader, seconds: Double) : this(
        reader.status,
        reader.headers,
        reader.text,
        reader.isWhole,
        reader.typeFits,
        reader.bodyFits,
        seconds,
    )

    val contentType: String? get() = headers["content-type"]?.lastOrNull()
    val location: String? get() = headers["location"]?.firstOrNull()

    /** For messages. */
    val shownLocation: String? get() = location?.without(secrets)

    /** The beginning of the body, for messages. */
    val shown: String get() = quoted(body.without(secrets))
}

internal fun String.without(secrets: Set<String>): String = secrets.fold(this) { text, secret -> text.replace(secret, HIDDEN) }

/** The beginning of a text of several lines. */
internal fun quoted(text: String): String = when {
    text.isEmpty() -> "nothing"
    text.length > MOST_SHOWN -> "'${text.take(MOST_SHOWN).replace("\n", "\\n")}…'"
    else -> "'${text.replace("\n", "\\n")}'"
}

private const val MOST_SHOWN = 200

/** A reader of the response to [step]; [keep]: bytes of the body at least. */
internal fun readerFor(step: Step, keep: Int): AnswerReader = AnswerReader().apply {
    val body = step.expect.body?.toByteArray()
    val kept = maxOf(keep, body?.size ?: 0)
    expect(body, step.expect.contentType?.let(::TypeCheck), kept, KeptHeaders.ALL)
    begin(step.method.equals("HEAD", ignoreCase = true))
}

/**
 * Sends single requests to one server: each has a deadline, and is encoded and read as the load engine does it. Plain HTTP/1.1
 * connections are kept; with TLS or HTTP/2, each request has a connection of its own. [serverName] replaces the host of [base] in requests
 * and TLS. Used by one thread.
 */
internal class VerificationClient(
    val base: URI,
    private val http: HttpVersion = HttpVersion.HTTP_1_1,
    private val serverName: String? = null,
) : AutoCloseable {
    private var kept: DeadlineSocket? = null
    private val address = HttpAddress.of(base).let { it.copy(name = serverName ?: it.host) }
    val port: Int get() = address.port

    /** A client of the same protocol for another address. */
    fun at(base: URI) = VerificationClient(base, http, serverName)

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
                return before.also { it.allow(timeout) }.answerTo(step, keep)
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
        val reader = readerFor(step, keep)
        val request = requestBytes(address, step, cookies?.header)
        val sent = TimeSource.Monotonic.markNow()
        send(request)
        AnswerFrom(this, reader).readAll()
        val seconds = sent.elapsedNow().toDouble(DurationUnit.SECONDS)
        if (reader.keepAlive && this is DeadlineSocket) kept = this else close()
        cookies?.take(reader.header("set-cookie"))
        Answer(reader, seconds)
    }

    /** The response to `GET` [path], over a new connection, without its body. Throws like [ask]; [whileWaiting] see [DeadlineSocket]. */
    fun headOf(path: String, timeout: Duration, whileWaiting: () -> Unit): Answer {
        val step = Step("ready", path = path, headers = mapOf("Accept" to "*/*", "Connection" to "close"))
        val request = requestBytes(address, step)
        val sent = TimeSource.Monotonic.markNow()
        return opened(timeout, whileWaiting).use { socket ->
            socket.send(request)
            val reader = readerFor(step, REFUSAL)
            val answer = AnswerFrom(socket, reader)
            answer.readHead()
            if (reader.status == BAD_REQUEST && !address.https) checkForTls(answer, reader)
            Answer(reader, sent.elapsedNow().toDouble(DurationUnit.SECONDS))
        }
    }

    /** Whether the server, which closed a plain connection without an answer, answers `GET` [path] over TLS: some say nothing else. */
    fun answersOverTls(path: String, timeout: Duration): Boolean = !address.https && try {
        at(URI("https", null, base.host, port, null, null, null)).use { it.headOf(path, timeout) {} }
        true
    } catch (none: IOException) {
        none.message in REFUSED_OVER_TLS
    }

    /** Servers say so, in plain HTTP, to who sends plain HTTP to a port with TLS: Tomcat and nginx. */
    private fun checkForTls(answer: AnswerFrom, reader: AnswerReader) {
        try {
            answer.readAll()
        } catch (_: NoAnswer) {
            // What has come is enough.
        }
        if (REQUIRES_TLS.any { it in reader.text }) throw NoAnswer(SPEAKS_TLS, isForeign = true)
    }

    private fun opened(timeout: Duration, whileWaiting: () -> Unit = {}): ByteStream =
        DeadlineSocket(whileWaiting).closedOnFailure {
            allow(timeout)
            val socketAddress = acceptingAddress(address.host, port)
            try {
                connect(socketAddress)
            } catch (failure: IOException) {
                throw notConnected(failure)
            }
            if (address.https || http == HttpVersion.HTTP_2) coded(this, socketAddress) else this
        }

    private fun coded(socket: DeadlineSocket, at: InetSocketAddress): ByteStream {
        val tls = if (address.https) ClientTls(address.name, at.address, port, listOf(http.alpn)).engine() else null
        return CodedStream(socket, tls, http).closedOnFailure {
            try {
                open()
            } catch (none: NoAnswer) {
                throw none
            } catch (late: DeadlinePassed) {
                throw NoAnswer("its TLS handshake or HTTP/2 settings did not come within ${late.allowed}", cause = late)
            } catch (broken: IOException) {
                throw brokenHandshake(broken)
            }
            this@VerificationClient.protocol = protocol
            this
        }
    }

    private fun <C : AutoCloseable, T> C.closedOnFailure(action: C.() -> T): T = onFailure({ close() }) { action() }

    override fun close() {
        kept?.close()
        kept = null
    }
}

private const val USUALLY_KEPT = 1024 * 1024

/** Idempotent methods: a repetition has the same effect (RFC 9110, section 9.2.2). */
private val REPEATABLE = setOf("GET", "HEAD", "PUT", "DELETE", "OPTIONS")

private const val BAD_REQUEST = 400
private const val REFUSAL = 4096
private val REQUIRES_TLS = listOf("requires TLS", "plain HTTP request was sent to HTTPS port")
private val REFUSED_OVER_TLS = listOf(NEEDS_CERTIFICATE, NEEDS_NAME, ONLY_HTTP_2)
