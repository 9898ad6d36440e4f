package bootdyno.faults

import java.nio.ByteBuffer
import kotlin.concurrent.thread

/** What a subject does at its start, when asked whether it is ready, at the first request of its workload, and at each later one. */
internal class Role(
    val atStart: (FaultySubject) -> Unit = {},
    val ready: (Connection) -> Unit = { it.answer() },
    val first: (Connection) -> Unit = { it.answer() },
    val later: (Connection, Int) -> Unit = { connection, _ -> connection.answer() },
)

/** What follows a dot tells apart cells of one role. */
internal fun roleNamed(name: String): Role = ROLES[name.substringBefore('.')] ?: error("no role $name")

/** Behaves well; its start takes [seconds]. */
private fun slowStart(seconds: Long) = Role(atStart = { Thread.sleep(seconds * 1000) })

private fun readyAnswers(status: String, vararg headers: String) = Role(ready = { it.answer("", status, *headers) })

private fun firstAnswer(answer: (Connection) -> Unit) = Role(first = answer)

private fun underLoad(answer: (Connection) -> Unit) = Role(later = { connection, _ -> answer(connection) })

/** Does [action] once, in the middle of the load. */
private fun once(action: (FaultySubject) -> Unit) = Role(later = { connection, number ->
    if (number == MANY) action(connection.subject)
    connection.answer()
})

private fun killItself(signal: String) = once { shell("kill", "-$signal", "${ProcessHandle.current().pid()}") }

private fun shell(vararg words: String) {
    ProcessBuilder(*words).start().waitFor()
}

private val ROLES: Map<String, Role> = mapOf(
    "good" to Role(),
    "slow-start" to slowStart(3),
    "slow-first-answer" to firstAnswer {
        Thread.sleep(2_500)
        it.answer()
    },
    "exits-at-once" to Role(atStart = { it.exit(3) }),
    "never-listens" to Role(atStart = { Thread.currentThread().join() }),
    "prints-control-characters-and-exits" to Role(atStart = {
        println("\u0000\u0007\u001b[31m\u001b]0;title\u0007\u202e```\uFFFF")
        it.exit(4)
    }),
    "ready-404" to readyAnswers("404 Not Found"),
    "ready-401" to readyAnswers("401 Unauthorized", "WWW-Authenticate: Basic"),
    "ready-500" to readyAnswers("500 Internal Server Error"),
    "ready-login" to readyAnswers("302 Found", "Location: /login"),
    "wrong-answer" to firstAnswer { it.answer("no") },
    "status-500" to firstAnswer { it.answer("ok", "500 Internal Server Error") },
    "not-http" to firstAnswer { it.write("\u0000\u0001\u0002 hello\n\n").also { _ -> it.close() } },
    "closes-without-answer" to Role(first = { it.close() }, later = { connection, _ -> connection.close() }),
    "endless-body" to firstAnswer(::endlessBody),
    "endless-headers" to firstAnswer(::endlessHeaders),
    "byte-by-byte" to firstAnswer(::byteByByte),
    "server-sent-events" to firstAnswer(::events),
    "truncated" to firstAnswer {
        it.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok")
        it.close()
    },
    "100-mb" to firstAnswer(::hundredMegabytes),
    "100-continue" to Role(first = ::afterContinue, later = { connection, _ -> afterContinue(connection) }),
    "endless-body-under-load" to underLoad(::endlessBody),
    "100-mb-under-load" to underLoad(::hundredMegabytes),
    "byte-by-byte-under-load" to underLoad(::byteByByte),
    "silent-under-load" to underLoad { Thread.sleep(60_000) },
    "resets-under-load" to underLoad { it.reset() },
    "no-http-under-load" to underLoad {
        it.write("\u0000\u0001\u0002 hello\n\n")
        it.close()
    },
    "closes-its-listener" to Role(later = { connection, number ->
        if (number == MANY) connection.subject.closeListener()
        if (number >= MANY) connection.close() else connection.answer()
    }),
    "exits-under-load" to once { it.exit(7) },
    "killed-under-load" to killItself("KILL"),
    "stopped-under-load" to killItself("STOP"),
    "ended-under-load" to killItself("TERM"),
    "out-of-memory" to once { eatMemory() },
    "floods-its-log" to Role(atStart = { floodLog() }),
    "child-ignores-term" to Role(atStart = { it.shell("sh", "-c", "trap '' TERM; $FOREVER") }),
    "detached-child" to Role(atStart = { it.shell("setsid", "sh", "-c", "(sh -c '$FOREVER' \"\$0\" &)") }),
    "twenty-children" to Role(atStart = { subject -> repeat(20) { subject.shell("sh", "-c", FOREVER) } }),
    "ignores-term" to Role(atStart = { ignoreTerm() }),
)

private const val FOREVER = "while :; do sleep 0.2; done"

private fun endlessBody(connection: Connection) {
    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    val chunk = "400\r\n${"x".repeat(1024)}\r\n".toByteArray()
    while (true) {
        connection.write(chunk)
        Thread.sleep(1)
    }
}

private fun endlessHeaders(connection: Connection) {
    connection.write("HTTP/1.1 200 OK\r\n")
    while (true) connection.write("X-More: ${"x".repeat(1000)}\r\n")
}

private fun byteByByte(connection: Connection) {
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while (true) {
        connection.write("x")
        Thread.sleep(400)
    }
}

private fun events(connection: Connection) {
    connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    while (true) {
        connection.write("data: tick\n\n")
        Thread.sleep(300)
    }
}

private fun hundredMegabytes(connection: Connection) {
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: ${100 shl 20}\r\n\r\n")
    val megabyte = ByteArray(1 shl 20) { 'x'.code.toByte() }
    repeat(100) { connection.write(megabyte) }
}

private fun afterContinue(connection: Connection) {
    connection.write("HTTP/1.1 100 Continue\r\n\r\n")
    connection.answer()
}

/** Outside the heap, where the JVM does not stop it: the kernel does. */
private fun eatMemory() {
    val eaten = mutableListOf<ByteBuffer>()
    while (true) {
        val block = ByteBuffer.allocateDirect(1 shl 20)
        for (at in 0 until block.capacity() step 4096) block.put(at, 1)
        eaten += block
    }
}

private fun floodLog() {
    val line = "flood ".repeat(200)
    thread(isDaemon = true) { while (true) println(line) }
}

private fun ignoreTerm() {
    sun.misc.Signal.handle(sun.misc.Signal("TERM")) { }
}
