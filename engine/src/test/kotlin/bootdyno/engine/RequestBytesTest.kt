package bootdyno.engine

import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class RequestBytesTest {
    private val order =
        LoadOrder(
            host = "127.0.0.1",
            port = 81,
            path = "/a?b=c",
            load = LoadProfile.Closed(1),
            window = 1.seconds,
            timeout = 1.seconds,
        )

    @Test
    fun `a request without a body is its head`() {
        order.requestBytes().decodeToString() shouldBe "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n"
    }

    @Test
    fun `a body brings its length in bytes`() {
        order.copy(method = "POST", headers = mapOf("A" to "b"), body = "ä").requestBytes().decodeToString() shouldBe
            "POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:81\r\nA: b\r\nContent-Length: 2\r\n\r\nä"
    }

    @Test
    fun `headers of the order replace our own`() {
        order.copy(headers = mapOf("HOST" to "x")).requestBytes().decodeToString() shouldBe
            "GET /a?b=c HTTP/1.1\r\nHOST: x\r\n\r\n"
    }

    @Test
    fun `an IPv6 host is bracketed and a line break refused`() {
        order.copy(host = "::1").requestBytes().decodeToString() shouldBe "GET /a?b=c HTTP/1.1\r\nHost: [::1]:81\r\n\r\n"
        shouldThrow<IllegalArgumentException> { order.copy(headers = mapOf("A" to "b\r\nC: d")).requestBytes() }
    }
}
