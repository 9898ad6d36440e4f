package bootdyno.model

import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CapturePlaceTest {
    private val headers = mapOf(
        "location" to listOf("/orders/7"),
        "set-cookie" to listOf("SESSION=old; Path=/", "XSRF-TOKEN=a=b; Secure", "SESSION=new"),
    )
    private val page = """
        <!DOCTYPE html><html><head><meta name="_csrf" content="m&amp;1"></head><body>
        <form action=/login><INPUT name='_csrf' type=hidden value="a&quot;b"><input name=user></form>
    """.trimIndent()

    private fun find(place: String, body: String = page) =
        CapturePlace.parse(place).shouldNotBeNull().find(ResponseText(headers, body))

    @Test
    fun `values are found in JSON, headers, cookies and fields of forms`() {
        find("$.token.value", """{ "token": { "value": 7 } }""") shouldBe "7"
        find("header:Location") shouldBe "/orders/7"
        find("cookie:XSRF-TOKEN") shouldBe "a=b"
        find("cookie:SESSION") shouldBe "new"
        find("input[name=_csrf]") shouldBe "a\"b"
        find("input[name='_csrf']") shouldBe "a\"b"
        find("meta[name=_csrf]") shouldBe "m&1"
    }

    @Test
    fun `a value that is not there is null`() {
        listOf("$.token", "header:X", "cookie:XSRF", "input[name=x]", "input[name=user]", "meta[name=user]").forEach {
            withClue(it) { find(it) shouldBe null }
        }
    }

    @Test
    fun `anything else is no place`() {
        listOf("", "token", "header:", "header:a b", "cookie", "input[id=x]", "input[name=]", "input[name='x]", "$..x").forEach {
            withClue(it) { CapturePlace.parse(it) shouldBe null }
        }
    }
}
