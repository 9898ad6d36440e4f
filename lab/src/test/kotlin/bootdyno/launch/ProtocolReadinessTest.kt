package bootdyno.launch

import bootdyno.engine.Http2Server
import bootdyno.engine.ServerTls
import bootdyno.engine.TruthServer
import bootdyno.engine.answerBytes
import bootdyno.engine.okAnswer
import bootdyno.launch.http.VerificationClient
import bootdyno.model.Expectation
import bootdyno.model.HttpVersion
import bootdyno.model.Origin
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Workload
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import java.net.URI
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Readiness and verification over TLS and HTTP/2, and what a subject of another protocol than declared is told. */
class ProtocolReadinessTest {
    init {
        // Makes its certificate, which takes longer than a handshake.
        ServerTls.engine()
    }

    private val body = Step("w", "POST", "/w", body = "{}", expect = Expectation(200, "ok"))
    private val workload = Workload("w", listOf(body))
    private val get = Workload("w", listOf(Step("w", path = "/w", expect = Expectation(200, "ok"))))

    private fun client(scheme: String, port: Int, http: HttpVersion) =
        VerificationClient(URI.create("$scheme://127.0.0.1:$port"), http)

    /** What was negotiated. */
    private fun checked(scheme: String, port: Int, http: HttpVersion): String {
        val client = client(scheme, port, http)
        Answers(CheckedSubject(client, { emptyList() }, { null })).use { answers ->
            answers.awaitReady(Readiness("/ready", 20.seconds), 5.milliseconds, {}) { true } shouldBe true
            answers.verify(workload, 20.seconds).min() shouldBeGreaterThan 0.0
        }
        return client.protocol?.words.orEmpty()
    }

    private fun refusal(scheme: String, port: Int, http: HttpVersion = HttpVersion.HTTP_1_1, path: String? = null): String {
        val subject = CheckedSubject(client(scheme, port, http), { emptyList() }, { null })
        return Answers(subject).use { answers ->
            shouldThrow<LaunchFailed> { answers.awaitReady(Readiness(path, 5.seconds), 5.milliseconds, {}) { true } }.reason
        }
    }

    @Test
    fun `a subject with a self-signed certificate on loopback is ready and verified, over HTTP 1_1 and 2`() {
        TruthServer.start({ ServerTls.engine("http/1.1") }) { it.answer(okAnswer("ok")) }.use { server ->
            val client = client("https", server.port, HttpVersion.HTTP_1_1)
            Answers(CheckedSubject(client, { emptyList() }, { null })).use {
                it.verify(get, 20.seconds).min() shouldBeGreaterThan 0.0
            }
            client.protocol.shouldNotBeNull().words shouldStartWith "HTTP/1.1 over TLSv1.3 (TLS_"
        }
        Http2Server(secure = true) { it.answer() }.use {
            checked("https", it.port, HttpVersion.HTTP_2) shouldStartWith "HTTP/2 over TLSv1.3 (TLS_"
        }
    }

    @Test
    fun `a subject that answers for one name only is ready and verified under that name`() {
        TruthServer.start({ ServerTls.engineOf("shop.example") }) { it.answer(okAnswer("ok")) }.use { server ->
            val base = URI.create("https://127.0.0.1:${server.port}")
            fetchText(base, "/actuator/health", name = "shop.example")?.text shouldBe "ok"
            fetchText(base, "/actuator/health") shouldBe null
            val url = Subject("url", Origin.Url("$base"), serverName = "shop.example")
            ReachedSubject(base, listOf(0), url, firstPath = "/").use {
                it.awaitReady(null, 20.seconds)
                it.verify(get.copy(holds = 1.seconds), 20.seconds).single() shouldBeGreaterThan 0.0
            }
        }
    }

    @Test
    fun `HTTP 2 without TLS is spoken with prior knowledge`() {
        Http2Server { it.answer() }.use { checked("http", it.port, HttpVersion.HTTP_2) shouldBe "HTTP/2" }
    }

    @Test
    fun `a server that requires TLS is named, with what to set, even if its refusal is HTTP`() {
        // As Tomcat says it.
        val text = "Bad Request\r\nThis combination of host and port requires TLS.\r\n"
        val refusing = answerBytes("HTTP/1.1 400 \r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n$text")
        TruthServer.start { it.answer(refusing) }.use {
            refusal("http", it.port) shouldContain "set `https: true` of the subject"
        }
    }

    @Test
    fun `a server that requires TLS, and closes other connections without a word, is named, too`() {
        TruthServer.start({ ServerTls.engine("http/1.1") }) { it.answer(okAnswer("ok")) }.use {
            refusal("http", it.port) shouldContain "set `https: true` of the subject"
        }
    }

    @Test
    fun `a server that wants a certificate of its clients is named, with what to set, also before TLS is known`() {
        TruthServer.start({ ServerTls.engine("http/1.1").apply { needClientAuth = true } }) { it.answer(okAnswer("ok")) }.use {
            refusal("https", it.port) shouldContain "its TLS wants a certificate of the client. Boot Dyno has none."
            refusal("http", it.port) shouldContain "set `https: true` of the subject"
        }
    }

    @Test
    fun `a server that has HTTP 2 only over TLS is named, with what to set`() {
        TruthServer.start({ ServerTls.engine("h2") }) { it.answer(okAnswer("ok")) }.use {
            refusal("https", it.port) shouldContain "set `http: 2` of the subject"
        }
    }

    @Test
    fun `a server without TLS or HTTP 2 is named, with what to set`() {
        val refusing = answerBytes("HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n")
        TruthServer.start { it.answer(refusing) }.use { server ->
            refusal("http", server.port, HttpVersion.HTTP_2) shouldContain "it does not speak HTTP/2"
        }
        val ok = okAnswer("ok")
        TruthServer.start({ ServerTls.engine("http/1.1") }) { it.answer(ok) }.use { server ->
            refusal("https", server.port, HttpVersion.HTTP_2) shouldContain "it does not speak HTTP/2"
        }
        Http2Server { it.answer() }.use { refusal("http", it.port) shouldContain "set `http: 2` of the subject" }
    }
}
