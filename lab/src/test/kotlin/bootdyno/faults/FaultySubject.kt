package bootdyno.faults

import java.io.IOException
import java.io.InputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.name
import kotlin.system.exitProcess

/**
 * A subject that misbehaves in one way. Its arguments are the port and a file, in which it writes what happens to it; the file's name is the
 * role it plays. As a jar it is told both as Spring Boot is. It needs the JDK and Kotlin's library only, so that it starts in a third of a
 * second.
 */
fun main(arguments: Array<String>) {
    val port = arguments.getOrNull(0) ?: System.getProperty("server.port")
    val diary = arguments.getOrNull(1)?.substringAfter('=') ?: System.getProperty("diary")
    FaultySubject(port.toInt(), Path.of(diary)).run()
}

internal class FaultySubject(private val port: Int, private val diary: Path) {
    private val role = roleNamed(diary.name)
    private val requests = AtomicInteger()
    private lateinit var listener: ServerSocket

    fun run() {
        note("started ${ProcessHandle.current().pid()}")
        note("environment ${System.getenv().keys.sorted().joinToString(" ")}")
        role.atStart(this)
        listener = ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress())
        note("listening")
        while (true) {
            val socket = try {
                listener.accept()
            } catch (_: IOException) {
                Thread.currentThread().join()
                return
            }
            Thread.ofVirtual().start { serve(socket) }
        }
    }

    /** No connection is accepted from now on; the process lives on. */
    fun closeListener() = listener.close()

    fun exit(code: Int): Nothing = exitProcess(code)

    fun note(event: String) {
        Files.writeString(diary, "$event\n", CREATE, APPEND)
    }

    /** Starts [script] in a shell that has the diary among its arguments, by which it is known as ours. */
    fun shell(vararg words: String) {
        ProcessBuilder(words.toList() + "$diary").redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD).start()
    }

    private fun serve(socket: Socket) {
        try {
            socket.use {
                val input = socket.getInputStream().buffered()
                generateSequence { requestPath(input) }.forEach { answer(it, Connection(this, socket)) }
            }
        } catch (_: IOException) {
            // The client has gone.
        }
    }

    private fun answer(path: String, connection: Connection) {
        if (path.startsWith("/ready")) return role.ready(connection)
        // Some hundred requests a second, which cost hardly any CPU time.
        Thread.sleep(WORK_MILLIS)
        val number = requests.incrementAndGet()
        if (number == 1 || number == MANY) note("asked $number")
        if (number == 1) role.first(connection) else role.later(connection, number)
    }

    private fun requestPath(input: InputStream): String? {
        val head = StringBuilder()
        while (!head.endsWith("\r\n\r\n")) {
            val byte = input.read()
            if (byte < 0) return null
            head.append(byte.toChar())
        }
        return head.split(' ').getOrNull(1)
    }

    private companion object {
        const val BACKLOG = 100
        const val WORK_MILLIS = 20L
    }
}

/** So many requests are load: verification sends fewer. */
internal const val MANY = 20

/** The connection of one request. */
internal class Connection(val subject: FaultySubject, private val socket: Socket) {
    fun answer(body: String = "ok", status: String = "200 OK", vararg headers: String) = write(
        (
            listOf("HTTP/1.1 $status", "Content-Length: ${body.length}") + headers
            ).joinToString("\r\n", postfix = "\r\n\r\n") + body,
    )

    fun write(text: String) = write(text.toByteArray(Charsets.ISO_8859_1))

    fun write(bytes: ByteArray) = socket.getOutputStream().run {
        write(bytes)
        flush()
    }

    fun close() = socket.close()

    fun reset() {
        socket.setSoLinger(true, 0)
        socket.close()
    }
}
