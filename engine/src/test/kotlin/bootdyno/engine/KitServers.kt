package bootdyno.engine

import bootdyno.model.ErrorCause
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.netty.buffer.ByteBuf
import org.junit.jupiter.api.Test
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.atomic.AtomicLong

/** Something a server does to a request, and why the request then failed; null: it did not. */
class Fault(val name: String, val cause: ErrorCause?, val reply: (ReceivedRequest) -> Unit)

private fun raw(text: String): (ReceivedRequest) -> Unit = answerBytes(text).let { bytes -> { it.answer(bytes) } }

private fun rawThenClose(text: String): (ReceivedRequest) -> Unit = answerBytes(text).let { bytes: ByteBuf ->
    { asked ->
        asked.answer(bytes)
        asked.close()
    }
}

/** Nine things that may happen to a request; [closing], each answer says that its connection ends with it. */
fun faults(closing: Boolean = false): List<Fault> {
    val end = if (closing) "Connection: close\r\n" else ""
    return listOf(
        Fault("none", null, raw("HTTP/1.1 200 OK\r\n${end}Content-Length: 2\r\n\r\nok")),
        Fault("500", ErrorCause.STATUS, raw("HTTP/1.1 500 No\r\n${end}Content-Length: 2\r\n\r\nok")),
        Fault("503", ErrorCause.STATUS, raw("HTTP/1.1 503 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")),
        Fault("reset", ErrorCause.RESET) { it.reset() },
        Fault("closed", ErrorCause.CLOSED) { it.close() },
        Fault("cut off", ErrorCause.CLOSED, rawThenClose("HTTP/1.1 200 OK\r\n${end}Content-Length: 9\r\n\r\nok")),
        Fault("another body", ErrorCause.BODY, raw("HTTP/1.1 200 OK\r\n${end}Content-Length: 2\r\n\r\nno")),
        Fault(
            "a body too long",
            ErrorCause.BODY,
            raw("HTTP/1.1 200 OK\r\n${end}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n"),
        ),
        Fault("no HTTP", ErrorCause.PROTOCOL, raw("SSH-2.0-OpenSSH_9.2\r\n")),
    )
}

/** Longer than it says: an engine may have taken the answer before it sees that. */
val overlong = Fault("overlong", ErrorCause.PROTOCOL, raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay"))

/** A good answer whose end is the end of its connection. */
val untilClose = Fault("until close", null, rawThenClose("HTTP/1.1 200 OK\r\n\r\nok"))

val hanging = Fault("hanging", ErrorCause.TIMEOUT) { }

/** Those of [all] that [this] may be shown. */
fun EngineTraits.met(all: List<Fault>): List<Fault> = all.filter { meets(it.name) }

/** Counts what is [asked], and closes each connection with its answer number [last], saying so. */
fun closingAfter(last: Int, asked: AtomicLong): (ReceivedRequest) -> Unit {
    val closing = answerBytes("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
    return {
        asked.incrementAndGet()
        if (it.onConnection == last - 1L) {
            it.answer(closing)
            it.close()
        } else {
            it.answer(good)
        }
    }
}

/** The server of the JDK, for [exchanges] whose cost does not matter. */
class SmallServer(exchanges: (HttpExchange) -> Unit) : AutoCloseable {
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        createContext("/") { it.use(exchanges) }
        start()
    }
    val port: Int get() = server.address.port
    val base: URI get() = URI.create("http://127.0.0.1:$port")

    override fun close() = server.stop(0)
}

/** Answers POST with 201 and what it got, as JSON, PUT with 204, all else with 200, as HTML; what it saw stands in `seen` by the method. */
fun echo(seen: MutableMap<String, String>) = SmallServer { exchange ->
    val content = exchange.requestBody.readAllBytes().decodeToString()
    seen[exchange.requestMethod] = "${exchange.requestURI} ${exchange.requestHeaders.getFirst("X-Test")} $content"
    val isPost = exchange.requestMethod == "POST"
    exchange.responseHeaders["Content-Type"] = if (isPost) "application/json;charset=UTF-8" else "text/html"
    if (isPost) {
        exchange.sendResponseHeaders(201, 0)
        exchange.responseBody.write(content.toByteArray())
    } else {
        exchange.sendResponseHeaders(if (exchange.requestMethod == "PUT") 204 else 200, -1)
    }
}
