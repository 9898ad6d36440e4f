package bootdyno.model

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class TemplateTest {
    private val json = "application/json"

    private fun body(text: String, value: String, type: String? = json) = Template.ofBody(text, type).fill(mapOf("v" to value))

    // UTF-8 of ö is C3 B6, of 😀 F0 9F 98 80.
    @Test
    fun `a value is one segment of a path and one value of a query, whatever is in it`() {
        fun path(value: String) = Template.ofPath("/a/{v}?q={v}&r=1").fill(mapOf("v" to value))
        path("7") shouldBe "/a/7?q=7&r=1"
        path("Jörg/Ann & Co") shouldBe "/a/J%C3%B6rg%2FAnn%20%26%20Co?q=J%C3%B6rg%2FAnn%20%26%20Co&r=1"
        path("😀+%?#=") shouldBe "/a/%F0%9F%98%80%2B%25%3F%23%3D?q=%F0%9F%98%80%2B%25%3F%23%3D&r=1"
        path("A-z_0.9~") shouldBe "/a/A-z_0.9~?q=A-z_0.9~&r=1"
    }

    // RFC 3986, section 2.5. ë is C3 AB, 日本 E6 97 A5 E6 9C AC.
    @Test
    fun `a target has its characters beyond ASCII as the bytes of UTF-8, and keeps the rest`() {
        asciiTarget("/caf\u00e9/😀?name=Zoë&x=日本&y=%20[1]{v}") shouldBe
            "/caf%C3%A9/%F0%9F%98%80?name=Zo%C3%AB&x=%E6%97%A5%E6%9C%AC&y=%20[1]{v}"
        asciiTarget("/a?b=1") shouldBe "/a?b=1"
    }

    @Test
    fun `a value is escaped inside the quotes of JSON and left alone outside them`() {
        body("""{ "name": "{v}", "id": {v} }""", "7") shouldBe """{ "name": "7", "id": 7 }"""
        body("""{ "name": "Mr {v}!" }""", "A \"B\"\\\n") shouldBe """{ "name": "Mr A \"B\"\\\n!" }"""
        body("""{ "\"{v}": {v} }""", "\"") shouldBe "{ \"\\\"\\\"\": \" }"
        body("""["{v}","{v}",{v}]""", "ö") shouldBe """["ö","ö",ö]"""
    }

    @Test
    fun `the content type says what a body is, and without one its first character`() {
        class Case(val type: String?, val text: String, val written: String)
        listOf(
            Case(null, """ { "v": "{v}" }""", """ { "v": "\"&" }"""),
            Case(null, """["{v}"]""", """["\"&"]"""),
            Case(null, "\"{v}\"", "\"\"&\""),
            Case("application/problem+json; charset=utf-8", "\"{v}\"", "\"\\\"&\""),
            Case("text/plain", """{ "v": "{v}" }""", """{ "v": ""&" }"""),
            Case("application/x-www-form-urlencoded", "v={v}&w=1", "v=%22%26&w=1"),
        ).forEach { withClue("${it.type}: ${it.text}") { body(it.text, "\"&", it.type) shouldBe it.written } }
    }

    @Test
    fun `a value cannot begin another header`() {
        Template.ofHeader("Bearer {v}").fill(mapOf("v" to "a\r\nX: b")) shouldBe "Bearer a  X: b"
    }

    @Test
    fun `what has no value stays as it is written`() {
        Template.ofPath("/{a}/{b}").fill(mapOf("b" to "{a}")) shouldBe "/{a}/%7Ba%7D"
        Template.ofBody("""{ "a": { "b": 1 }, "{}": "{1}" }""", null).fill(mapOf("b" to "x")) shouldBe
            """{ "a": { "b": 1 }, "{}": "{1}" }"""
    }

    @Test
    fun `the names in a text are found in order`() {
        placeholders("/{a}/{b-c}?x={a}&y={}") shouldContainExactly listOf("a", "b-c", "a")
    }

    @Test
    fun `a step is filled in all its texts`() {
        val step = Step("s", "POST", "/p/{v}", mapOf("X-V" to "{v}"), """{ "v": "{v}" }""", Expectation(201, """{"v":"{v}"}"""))
        step.filled(mapOf("v" to "a\"b")) shouldBe
            Step("s", "POST", "/p/a%22b", mapOf("X-V" to "a\"b"), """{ "v": "a\"b" }""", Expectation(201, """{"v":"a\"b"}"""))
    }
}
