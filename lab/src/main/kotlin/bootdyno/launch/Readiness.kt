package bootdyno.launch

import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import kotlin.time.Duration

/**
 * The status of a `GET` [path] to [base]; throws [IOException] when there is none in time.
 *
 * By hand on a socket: it is asked two hundred times a second beside a starting subject, and the first use of `java.net.http` costs more
 * than the thing measured.
 */
internal fun statusOf(base: URI, path: String, timeout: Duration): Int {
    val millis = timeout.inWholeMilliseconds.coerceIn(1, 60_000).toInt()
    Socket().use { socket ->
        socket.connect(InetSocketAddress(base.host, base.port), millis)
        socket.soTimeout = millis
        val request = "GET $path HTTP/1.1\r\nHost: ${base.authority}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        socket.getOutputStream().write(request.toByteArray(Charsets.US_ASCII))
        val line =
            socket.getInputStream().bufferedReader(Charsets.US_ASCII).readLine() ?: throw IOException("closed without an answer")
        return STATUS_LINE.find(line)?.groupValues?.get(1)?.toInt() ?: throw IOException("no HTTP: '${line.take(80)}'")
    }
}

private val STATUS_LINE = Regex("""^HTTP/1\.[01] (\d{3})""")
