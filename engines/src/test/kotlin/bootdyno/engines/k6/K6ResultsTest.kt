package bootdyno.engines.k6

import bootdyno.engine.EngineFailed
import bootdyno.engine.Failure
import bootdyno.model.ErrorCause
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class K6ResultsTest {
    private val requests = mutableListOf<K6Request>()
    private val samples = mutableListOf<K6Sample>()

    private fun read(text: String, pieces: Int = 1_000_000) {
        val results = K6Results("http://127.0.0.1:81", requests::add, samples::add)
        text.toByteArray().toList().chunked(pieces).forEach { results.read(it.toByteArray(), it.size) }
    }

    @Test
    fun `a request has its times, with the wait for its connection`() {
        read(WrittenResults().request(start = 1_000_000, end = 1_020_500, blocked = 500).text())
        val request = requests.single()
        request.start shouldBe 1_000_000
        request.end shouldBe 1_020_500
        request.lasted shouldBe 20_500
        request.connecting shouldBe 500
        request.operation shouldBe "GET /path"
        request.failure shouldBe null
    }

    @Test
    fun `requests are named by path, or as the script does, below their groups`() {
        val named = WrittenResults().request(0, 1, name = "http://127.0.0.1:81").request(0, 1, name = "http://other.test/x")
            .request(0, 1, name = "buy", group = "::shop::cart")
        read(named.text())
        requests.map { it.operation } shouldContainExactly listOf("GET /", "http://other.test/x", "shop / cart / buy")
    }

    @Test
    fun `samples of other metrics stand apart, and small pieces make the same`() {
        val text = WrittenResults().sample("vus", 5, 10).request(0, 7).sample("checks", 8, 0).text()
        read(text, pieces = 7)
        requests.map { it.end } shouldContainExactly listOf(7L)
        samples.map { it.metric } shouldContainExactly listOf("vus", "http_reqs", "http_req_sending", "http_req_waiting") +
            listOf("http_req_failed", "checks")
        samples.first().value shouldBe 10.0
    }

    @Test
    fun `each failure is in one class`() {
        fun cause(error: String, code: Int) = failureOf("0", error, "$code", "false")?.cause
        cause("dial: connection refused", 1212) shouldBe ErrorCause.REFUSED
        cause("dial: i/o timeout", 1211) shouldBe ErrorCause.CONNECT_TIMEOUT
        cause("request timeout", 1050) shouldBe ErrorCause.TIMEOUT
        cause("read: connection reset by peer", 1220) shouldBe ErrorCause.RESET
        cause("write: broken pipe", 1201) shouldBe ErrorCause.RESET
        cause("EOF", 1000) shouldBe ErrorCause.CLOSED
        cause("unexpected EOF", 1000) shouldBe ErrorCause.CLOSED
        cause("http: server closed idle connection", 1000) shouldBe ErrorCause.CLOSED
        cause("net/http: HTTP/1.x transport connection broken: malformed HTTP response", 1000) shouldBe ErrorCause.PROTOCOL
        cause("x509: unknown authority", 1310) shouldBe ErrorCause.PROTOCOL
        cause("dial tcp 127.0.0.1:81: socket: too many open files", 1210) shouldBe ErrorCause.CLIENT
        cause("lookup: no such host", 1101) shouldBe ErrorCause.OTHER
    }

    @Test
    fun `the script decides which status is a success`() {
        failureOf("404", "", "1404", "false") shouldBe Failure(ErrorCause.STATUS, "status 404")
        failureOf("404", "", "1404", "true") shouldBe null
        // Without a response callback k6 does not say.
        failureOf("200", "", "", "") shouldBe null
        failureOf("503", "", "1503", "") shouldBe Failure(ErrorCause.STATUS, "status 503")
    }

    @Test
    fun `results without the tags of a request are refused with what is missing`() {
        val text = "metric_name,timestamp,metric_value,method,name,group,status,error,expected_response\n"
        shouldThrow<EngineFailed> { read(text) }.message shouldContain "k6's results have no field error_code"
    }
}
