package bootdyno.engines.jmeter

import bootdyno.engine.Failure
import bootdyno.model.ErrorCause
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class JMeterCausesTest {
    private fun cause(code: String, message: String = "", expected: Int? = 200) =
        failureOf(JtlRow(0, 1, 0, "x", code, "Non HTTP response message: $message", false, "", 1), expected).cause

    private fun thrown(exception: String, message: String = "") = cause("Non HTTP response code: $exception", message)

    @Test
    fun `a status is judged by the one expected, or by JMeter's own rule in somebody else's plan`() {
        cause("500") shouldBe ErrorCause.STATUS
        cause("200") shouldBe ErrorCause.BODY
        cause("404", expected = 404) shouldBe ErrorCause.BODY
        cause("200", expected = 204) shouldBe ErrorCause.STATUS
        cause("302", expected = null) shouldBe ErrorCause.BODY
        cause("404", expected = null) shouldBe ErrorCause.STATUS
    }

    @Test
    fun `exceptions of HttpClient and of the JDK have their classes`() {
        thrown("org.apache.http.conn.HttpHostConnectException", "Connect to 127.0.0.1:1 failed: Connection refused") shouldBe
            ErrorCause.REFUSED
        thrown("java.net.ConnectException", "Connection refused") shouldBe ErrorCause.REFUSED
        thrown("org.apache.http.conn.ConnectTimeoutException", "Connect to x:1 failed: Connect timed out") shouldBe
            ErrorCause.CONNECT_TIMEOUT
        thrown("java.net.SocketTimeoutException", "Read timed out") shouldBe ErrorCause.TIMEOUT
        thrown("java.net.SocketException", "Connection reset") shouldBe ErrorCause.RESET
        thrown("java.net.SocketException", "Broken pipe") shouldBe ErrorCause.RESET
        thrown("java.net.SocketException", "Too many open files") shouldBe ErrorCause.CLIENT
        thrown("java.net.NoRouteToHostException", "Cannot assign requested address (Address not available)") shouldBe
            ErrorCause.CLIENT
        thrown("org.apache.http.NoHttpResponseException", "127.0.0.1:1 failed to respond") shouldBe ErrorCause.CLOSED
        thrown("org.apache.http.ConnectionClosedException", "Premature end of Content-Length delimited message body") shouldBe
            ErrorCause.CLOSED
        thrown("org.apache.http.TruncatedChunkException", "Truncated chunk") shouldBe ErrorCause.CLOSED
        thrown("org.apache.http.client.ClientProtocolException") shouldBe ErrorCause.PROTOCOL
        thrown("javax.net.ssl.SSLHandshakeException", "Unsupported or unrecognized SSL message") shouldBe ErrorCause.PROTOCOL
    }

    @Test
    fun `other exceptions are a class of their own, with their message, and a wrong status is named`() {
        failureOf(
            row("Non HTTP response code: java.net.UnknownHostException", "Non HTTP response message: nowhere.example"),
            200,
        ) shouldBe Failure(ErrorCause.OTHER, "java.net.UnknownHostException nowhere.example")
        thrown("java.net.URISyntaxException", "Illegal character in path") shouldBe ErrorCause.OTHER
        failureOf(row("429", "Too Many Requests"), 200) shouldBe Failure(ErrorCause.STATUS, "status 429")
    }

    private fun row(code: String, message: String) = JtlRow(0, 1, 0, "x", code, message, false, "", 1)
}
