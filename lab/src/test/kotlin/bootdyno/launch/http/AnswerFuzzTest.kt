package bootdyno.launch.http

import bootdyno.engine.netty.mutated
import bootdyno.engine.netty.soundAnswers
import bootdyno.model.Step
import io.kotest.assertions.withClue
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import kotlin.concurrent.thread
import kotlin.random.Random
import kotlin.time.Duration.Companion.seconds
import kotlin.time.measureTime

class AnswerFuzzTest {
    /** Says each of [answers] to one connection, in pieces of random sizes, and closes it. */
    private fun saying(answers: List<ByteArray>, random: Random): ServerSocket {
        val server = ServerSocket(0, 50, InetAddress.getLoopbackAddress())
        thread(isDaemon = true, name = "fuzz") {
            answers.forEach { bytes ->
                try {
                    server.accept().use { client ->
                        client.tcpNoDelay = true
                        client.getInputStream().read(ByteArray(1000))
                        var at = 0
                        while (at < bytes.size) {
                            val count = minOf(bytes.size - at, 1 + random.nextInt(50))
                            client.getOutputStream().write(bytes, at, count)
                            at += count
                        }
                    }
                } catch (_: IOException) {
                    // The reader has heard enough of it.
                }
            }
        }
        return server
    }

    @Test
    fun `a damaged answer is an answer or a reason, never anything else and never a wait`() {
        val random = Random(26)
        val answers = List(1500) { mutated(soundAnswers[it % soundAnswers.size], random) }
        var good = 0
        val took = measureTime {
            saying(answers, Random(1)).use { server ->
                answers.forEachIndexed { turn, bytes ->
                    withClue("answer $turn: ${String(bytes, Charsets.ISO_8859_1)}") {
                        VerificationClient(URI.create("http://127.0.0.1:${server.localPort}")).use { client ->
                            try {
                                if (turn % 2 == 0) {
                                    client.ask(Step("s", path = "/"), 5.seconds)
                                } else {
                                    client.headOf("/", 5.seconds) {}
                                }
                                good++
                            } catch (none: NoAnswer) {
                                none.message shouldNotContain "within 5s"
                            }
                        }
                    }
                }
            }
        }
        took shouldBeLessThan 60.seconds
        good shouldBeGreaterThan 100
    }
}
