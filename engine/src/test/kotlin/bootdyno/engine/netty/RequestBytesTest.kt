package bootdyno.engine.netty

import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

/** A request without anything to fill in is encoded once, and sent unchanged each time. */
class RequestBytesTest {
    private fun chain(step: Step, host: String = "127.0.0.1", name: String? = null): Chain {
        val order = LoadOrder(host, 81, listOf(step), load = LoadProfile.Closed(1), window = 1.seconds, timeout = 1.seconds)
        return Chain(order.copy(serverName = name), null)
    }

    private fun bytes(step: Step, host: String = "127.0.0.1", name: String? = null) =
        chain(step, host, name).steps.single().encoder.fixed?.decodeToString()

    private val step = Step("a", path = "/a?b=c")

    @Test
    fun `a request without a body is its head`() {
        bytes(step) shouldBe "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n"
    }

    @Test
    fun `a body brings its length in bytes`() {
        bytes(step.copy(method = "POST", headers = mapOf("A" to "b"), body = "ä")) shouldBe
            "POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:81\r\nA: b\r\nContent-Length: 2\r\n\r\nä"
    }

    @Test
    fun `headers of the order replace our own`() {
        bytes(step.copy(headers = mapOf("HOST" to "x"))) shouldBe "GET /a?b=c HTTP/1.1\r\nHOST: x\r\n\r\n"
    }

    @Test
    fun `the name of a server replaces the host of its address, and leaves the port`() {
        bytes(step, name = "shop.example") shouldBe "GET /a?b=c HTTP/1.1\r\nHost: shop.example:81\r\n\r\n"
    }

    @Test
    fun `an IPv6 host is bracketed and a line break refused`() {
        bytes(step, "::1") shouldBe "GET /a?b=c HTTP/1.1\r\nHost: [::1]:81\r\n\r\n"
        shouldThrow<IllegalArgumentException> { bytes(step.copy(headers = mapOf("A" to "b\r\nC: d"))) }
    }

    @Test
    fun `all who send a request without values share a cursor, its bytes and no count of their own`() {
        val sent = SentChain(chain(step))
        sent.newCursor() shouldBeSameInstanceAs sent.newCursor()
        sent.operations shouldBe emptyList()
        repeat(2) { sent.newCursor().request().let { it.toString(Charsets.UTF_8) shouldBe bytes(step) } }
    }
}
