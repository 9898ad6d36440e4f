package bootdyno.run

import bootdyno.engine.LoadOrder
import bootdyno.engine.asking
import bootdyno.engine.netty.SingleRequests
import bootdyno.engine.netty.mutated
import bootdyno.engine.netty.soundAnswers
import bootdyno.engine.order
import bootdyno.launch.http.NoAnswer
import bootdyno.launch.http.VerificationClient
import bootdyno.launch.mismatch
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import java.io.IOException
import java.net.InetAddress
import java.net.NetworkInterface
import java.net.ServerSocket
import java.net.URI
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.concurrent.thread
import kotlin.random.Random
import kotlin.time.Duration.Companion.ZERO
import kotlin.time.Duration.Companion.seconds

/** What verification accepts is a good answer under load, and what it refuses fails there for the same reason. */
class SameJudgementTest {
    private enum class Judgement { GOOD, STATUS, CONTENT, NO_ANSWER }

    /** Says [answer] to the request of each connection, and closes it. */
    private class Saying(address: InetAddress = InetAddress.getByName("127.0.0.1")) : AutoCloseable {
        @Volatile
        var answer = ByteArray(0)
        val heard = ConcurrentLinkedQueue<String>()
        private val socket = ServerSocket(0, 50, address)
        val port: Int get() = socket.localPort

        init {
            thread(isDaemon = true, name = "saying") {
                while (!socket.isClosed) {
                    try {
                        socket.accept().use { client ->
                            client.tcpNoDelay = true
                            val request = ByteArray(1000)
                            heard += String(request, 0, client.getInputStream().read(request))
                            client.getOutputStream().write(answer)
                        }
                    } catch (_: IOException) {
                        // The reader has heard enough of it.
                    }
                }
            }
        }

        override fun close() = socket.close()
    }

    private fun verified(order: LoadOrder): Judgement = VerificationClient(URI.create(order.base)).use { client ->
        val step = order.steps.single()
        try {
            val answer = client.ask(step, 10.seconds)
            when {
                answer.status != step.expect.status -> Judgement.STATUS
                mismatch(step.expect, answer) != null -> Judgement.CONTENT
                else -> Judgement.GOOD
            }
        } catch (none: NoAnswer) {
            none.message shouldNotContain "within 10s"
            Judgement.NO_ANSWER
        }
    }

    private fun underLoad(cause: ErrorCause?): Judgement = when (cause) {
        null -> Judgement.GOOD
        ErrorCause.STATUS -> Judgement.STATUS
        ErrorCause.BODY -> Judgement.CONTENT
        else -> Judgement.NO_ANSWER
    }

    /** The judgement on each of [answers], which both share. */
    private fun judged(answers: List<ByteArray>, expected: Expectation): List<Judgement> = Saying().use { server ->
        val order = order(server.port, LoadProfile.Closed(1), 1.seconds, expect = expected)
        SingleRequests(order).use { engine ->
            answers.mapIndexed { number, bytes ->
                server.answer = bytes
                verified(order).also {
                    withClue("answer $number: ${String(bytes, Charsets.ISO_8859_1)}") { underLoad(engine.ask()) shouldBe it }
                }
            }
        }
    }

    @Test
    fun `a content type as expected but for its blanks is one for both`() {
        val found = listOf("text/html;charset=UTF-8", "Text/HTML ; charset=utf-8", "text/html", "text/html;charset=UTF-8;a=b")
        fun judged(expected: String) = judged(
            found.map { "HTTP/1.1 200 OK\r\nContent-Type: $it\r\nContent-Length: 2\r\n\r\nok".toByteArray() },
            Expectation(contentType = expected),
        ).map { it == Judgement.GOOD }
        judged("text/html; charset=UTF-8") shouldBe listOf(true, true, false, false)
        judged("text/html") shouldBe listOf(true, true, true, true)
    }

    @Test
    fun `a damaged answer is judged alike by both, and waited for by none`() {
        val random = Random(26)
        val answers = List(1500) { mutated(soundAnswers[it % soundAnswers.size], random) }
        val judged = judged(answers, Expectation(200, "hello", "text/plain"))
        Judgement.entries.forEach { kind -> withClue(kind) { judged.count { it == kind } shouldBeGreaterThan 10 } }
        judged(answers.take(100), Expectation(200)).count { it == Judgement.GOOD } shouldBeGreaterThan 10
    }

    @Test
    fun `both reach an IPv6 address, and name it in the same way`() {
        val loopback = InetAddress.getByName("::1")
        assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "this machine has no ::1")
        Saying(loopback).use { server ->
            server.answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".toByteArray()
            val order = windowOrder(smallCell(), URI.create("http://[::1]:${server.port}"), ZERO, seed = 1)
                .asking { copy(expect = Expectation()) }
            verified(order) shouldBe Judgement.GOOD
            SingleRequests(order).use { it.ask() shouldBe null }
            server.heard.map { it.substringAfter("Host: ").substringBefore("\r\n") } shouldBe List(2) { "[::1]:${server.port}" }
        }
    }
}
