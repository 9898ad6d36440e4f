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
 * One answer; [seconds] from the send to its last byte. Of a long [body], as UTF-8, only the beginning is here, and it is not [whole].
 */
internal data class Answer(
    val status: Int,
    val contentType: String?,
    val body: String,
    val seconds: Double,
    val whole: Boolean = true,
)

/**
 * Asks single questions of one server, by hand on a socket: a question ends at its deadline, whatever comes, and is sent byte for byte as
 * the load engine sends it. Used by one thread.
 */
internal class VerificationClient(private val base: URI) : AutoCloseable {
    private var kept: DeadlineSocket? = null
    val port: Int get() = base.portOrDefault

    /**
     * Asks over the connection of the question before, where the server has kept it. Throws [NoAnswer], or [IllegalArgumentException] for
     * what cannot be asked.
     */
    fun ask(step: Step, timeout: Duration): Answer {
        val before = kept
        kept = null
        if (before != null && before.isQuiet()) {
            try {
                return before.also { it.allow(timeout) }.answerTo(step)
            } catch (none: NoAnswer) {
                // It was being closed while we asked.
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

    /** The head of the answer to a `GET` of [path], over a connection of its own. Throws as [ask] does; [whileWaiting] see [DeadlineSocket]. */
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

        /** Asked twice, they do what they do once (RFC 9110, section 9.2.2). */
        val REPEATABLE = setOf("GET", "HEAD", "PUT", "DELETE", "OPTIONS")

        /** Of one character in UTF-8. */
        const val MOST_BYTES = 3
    }
}

private val URI.portOrDefault: Int get() = if (port < 0) HTTP_PORT else port

private const val HTTP_PORT = 80

/** As it goes over the wire, by the same rules as the load engine's. Throws [IllegalArgumentException] for a line break in a line. */
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
