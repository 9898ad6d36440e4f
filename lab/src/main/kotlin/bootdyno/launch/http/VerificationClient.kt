package bootdyno.launch.http

import bootdyno.model.Step
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
)

/**
 * Sends single requests to one server over a plain socket: each has a deadline, and is sent with the same bytes as by the load engine. Used by
 * one thread.
 */
internal class VerificationClient(private val base: URI) : AutoCloseable {
    private var kept: DeadlineSocket? = null
    val port: Int get() = base.portOrDefault

    /**
     * Sends a request, over the previous connection if the server has kept it. Throws [NoAnswer], or [IllegalArgumentException] for an invalid
     * request.
     */
    fun ask(step: Step, timeout: Duration): Answer {
        val before = kept
        kept = null
        if (before != null && before.isQuiet()) {
            try {
                return before.also { it.allow(timeout) }.answerTo(step)
            } catch (none: NoAnswer) {
                // The server closed the connection while we sent.
                if (none.begun || step.method.uppercase() !in REPEATABLE) throw none
            }
        }
        before?.close()
        return opened(timeout).answerTo(step)
    }

    private fun DeadlineSocket.answerTo(step: Step): Answer = closedOnFailure {
        val request = requestBytes(base, step)
        val sent = TimeSource.Monotonic.markNow()
        send(request)
        val reading = AnswerFrom(this, keep = maxOf(USUALLY_KEPT, step.expect.body.orEmpty().length * MOST_BYTES + 1))
        val head = reading.head()
        if (!step.method.equals("HEAD", ignoreCase = true)) reading.readBody(head)
        if (received.hasRemaining()) throw NoAnswer("its answer is longer than it says")
        val seconds = sent.elapsedNow().toDouble(DurationUnit.SECONDS)
        if (head.keepsConnection) kept = this else close()
        Answer(head.status, head.contentType, reading.text, seconds, reading.isWhole)
    }

    /** The head of the response to `GET` [path], over a new connection. Throws like [ask]; [whileWaiting] see [DeadlineSocket]. */
    fun headOf(path: String, timeout: Duration, whileWaiting: () -> Unit): AnswerHead {
        val request = requestBytes(base, Step("ready", path = path, headers = mapOf("Accept" to "*/*", "Connection" to "close")))
        return opened(timeout, whileWaiting).use { socket ->
            socket.send(request)
            AnswerFrom(socket).head()
        }
    }

    private fun opened(timeout: Duration, whileWaiting: () -> Unit = {}): DeadlineSocket =
        DeadlineSocket(whileWaiting).closedOnFailure {
            allow(timeout)
            try {
                connect(InetSocketAddress(base.host, port))
            } catch (failure: IOException) {
                throw notConnected(failure)
            }
            this
        }

    private fun <T> DeadlineSocket.closedOnFailure(action: DeadlineSocket.() -> T): T = try {
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
    }
}

private val URI.portOrDefault: Int get() = if (port < 0) HTTP_PORT else port

private const val HTTP_PORT = 80

/** The encoded request, by the same rules as the load engine's. Throws [IllegalArgumentException] for a line break in a line. */
private fun requestBytes(base: URI, step: Step): ByteArray {
    val content = step.body?.toByteArray()
    val given = step.headers.keys.map { it.lowercase() }
    val lines = buildList {
        add("${step.method} ${base.rawPath.orEmpty().trimEnd('/')}${step.path} HTTP/1.1")
        if ("host" !in given) add("Host: ${base.host}:${base.portOrDefault}")
        step.headers.forEach { (name, value) -> add("$name: $value") }
        if (content != null && "content-length" !in given) add("Content-Length: ${content.size}")
    }
    lines.forEach { require('\r' !in it && '\n' !in it) { "a line break inside a request line: $it" } }
    return (lines.joinToString("\r\n", postfix = "\r\n\r\n").toByteArray()) + (content ?: ByteArray(0))
}
