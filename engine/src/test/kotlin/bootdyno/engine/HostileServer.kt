package bootdyno.engine

import java.io.IOException
import java.io.OutputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.concurrent.thread

/** What a server may do to a request; all on real sockets, for as long as somebody listens. */
enum class Hostile(val reply: (OutputStream) -> Unit) {
    GOOD(text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")),
    CONTINUE_FIRST(text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")),
    EARLY_HINTS(text("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")),
    NO_LENGTH(text("HTTP/1.1 200 OK\r\n\r\nok")),

    NOT_FOUND(status("404 Not Found")),
    UNAUTHORIZED(status("401 Unauthorized", "WWW-Authenticate: Basic")),
    FORBIDDEN(status("403 Forbidden")),
    TO_LOGIN(status("302 Found", "Location: /login")),
    BROKEN(status("500 Internal Server Error")),
    UNAVAILABLE(status("503 Service Unavailable")),

    /** A byte every 50 ms. */
    DRIPPED_BODY({ out -> out.drip("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "x") }),
    DRIPPED_HEAD({ out -> out.drip("HTTP/1.1 200 OK\r\nX: ", "x") }),
    EVENTS({ out -> out.drip("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", "data: 1\n\n") }),

    ENDLESS_HEADERS({ out -> out.forEver("HTTP/1.1 200 OK\r\n", "X-More: and more\r\n") }),
    ENDLESS_LINE({ out -> out.forEver("HTTP/1.1 200 OK\r\nX: ", "x".repeat(1000)) }),
    ENDLESS_INTERIM({ out -> out.forEver("", "HTTP/1.1 100 Continue\r\n\r\n") }),
    ENDLESS_BODY({ out -> out.forEver("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(60_000)) }),
    ENDLESS_CHUNKS({ out -> out.forEver(CHUNKED_HEAD, "8000\r\n" + "x".repeat(0x8000) + "\r\n") }),
    ENDLESS_TRAILERS({ out -> out.forEver(CHUNKED_HEAD + "0\r\n", "X-More: and more\r\n") }),
    HUNDRED_MEGABYTES({ out ->
        out.say("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\nConnection: close\r\n\r\n")
        repeat(1000) { out.say("x".repeat(100_000)) }
    }),

    CUT_HEAD(text("HTTP/1.1 200 OK\r\nContent-Le")),
    CUT_BODY(text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")),
    CUT_CHUNK(text("${CHUNKED_HEAD}10\r\nonly this")),
    CUT_BETWEEN_CHUNKS(text("${CHUNKED_HEAD}9\r\nonly this\r\n")),
    OVERLONG(text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more")),
    TWO_LENGTHS(text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok")),
    BAD_CHUNK(text("${CHUNKED_HEAD}zz\r\nok\r\n0\r\n\r\n")),

    /** An alert, as a server says to who speaks no TLS to it. */
    TLS({ out -> out.write(byteArrayOf(0x15, 3, 3, 0, 2, 2, 0x46)) }),

    /** SETTINGS, with which a server that speaks nothing else begins. */
    HTTP_2({ out -> out.write(byteArrayOf(0, 0, 0, 4, 0, 0, 0, 0, 0)) }),
    JUNK(text("SSH-2.0-OpenSSH_9.2\r\n")),
    SILENT({ Thread.sleep(60_000) }),
    CLOSES({}),
    RESETS({}),

    /** Accepts, and reads nothing of what is sent. */
    READS_NOTHING({ Thread.sleep(60_000) }),
}

/** Replies to each connection's first request in one way, and closes it after that. */
class HostileServer(private val way: Hostile, port: Int = 0) : AutoCloseable {
    private val socket = ServerSocket(port, 50, InetAddress.getLoopbackAddress())
    private val open = ConcurrentLinkedQueue<Socket>()
    val port: Int get() = socket.localPort

    init {
        // Inherited by what is accepted: a request of some size does not fit in.
        if (way == Hostile.READS_NOTHING) socket.receiveBufferSize = 4096
        thread(isDaemon = true, name = "hostile-$way") {
            try {
                while (true) socket.accept().also { open += it }.let { Thread.ofVirtual().start { serve(it) } }
            } catch (_: IOException) {
                // Closed.
            }
        }
    }

    private fun serve(client: Socket) = client.use {
        try {
            if (way != Hostile.READS_NOTHING) client.readHead()
            if (way == Hostile.RESETS) client.setSoLinger(true, 0)
            way.reply(client.outputStream)
            client.outputStream.flush()
        } catch (_: IOException) {
            // The client has had enough.
        } catch (_: InterruptedException) {
            // The test is over.
        }
    }

    override fun close() {
        socket.close()
        open.forEach { it.close() }
    }
}

/** As a subject: the port, then the way it replies. */
fun main(arguments: Array<String>) {
    HostileServer(Hostile.valueOf(arguments[1]), arguments[0].toInt())
    Thread.currentThread().join()
}

private const val CHUNKED_HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

private fun text(answer: String): (OutputStream) -> Unit = { it.say(answer) }

private fun status(status: String, header: String = "X: y") =
    text("HTTP/1.1 $status\r\n$header\r\nContent-Length: 3\r\nConnection: close\r\n\r\nno!")

private fun OutputStream.say(text: String) = write(text.toByteArray(Charsets.ISO_8859_1))

private fun OutputStream.forEver(head: String, more: String) {
    say(head)
    while (true) say(more)
}

private fun OutputStream.drip(head: String, more: String) {
    say(head)
    while (true) {
        say(more)
        flush()
        Thread.sleep(50)
    }
}

private fun Socket.readHead() {
    val input = getInputStream()
    var last = 0
    while (last != END_OF_HEAD) {
        val byte = input.read()
        if (byte < 0) return
        last = last shl 8 or byte
    }
}

/** Two line ends. */
private const val END_OF_HEAD = 0x0d0a0d0a
