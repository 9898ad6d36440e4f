package bootdyno.plan

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class HttpSyntaxTest {
    private fun withPath(path: String) = SMALL.replace("/noop", path)

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        ignoreLeadingAndTrailingWhitespace = true,
        value = [
            "'/noop#top' | has a fragment",
            "'/noop%zz' | has a % without two hexadecimal digits",
            "'/noop%4' | has a % without two hexadecimal digits",
            "'/no op' | has a space: write %20",
            "\"/no\\top\" | has the control character U+0009",
            "\"/no\\r\\nHost: x\" | has the control character U+000D",
            "\"/no\\u202Eop\" | which a path writes as %E2%80%AE",
            "'/a^b' | which a path writes as %5E",
            "noop | is not a path: it begins with /",
            "http://127.0.0.1/noop | is not a path: it begins with /",
        ],
    )
    fun `a path that no request can have is a problem with its place`(path: String, why: String) {
        problems(withPath(path)).single().let {
            it shouldStartWith "6:16 workloads.noop.get"
            it shouldContain why
        }
    }

    @Test
    fun `paths of every form that a request can have are sound`() {
        listOf("/", "'/a%20b/c;v=1?x=[1]&y=a+b&z=%C3%BC'", "'/größe?q=~a:b@c'", "'/a?x=1?2'").forEach {
            problems(withPath(it)).shouldBeEmpty()
        }
    }

    @Test
    fun `parameters are part of the path and of headers that they are put into`() {
        val with = { value: String -> SMALL.replace("{ get: /noop }", "{ get: \"/a?x={x}\", parameters: { x: $value } }") }
        problems(with("'a b'")).single() shouldContain "`/a?x=a b` has a space"
        problems(with("[ 1, 2 ]")).shouldBeEmpty()
        val header = { value: String ->
            SMALL.replace("{ get: /noop }", "{ get: /noop, headers: { X: \"{x}\" }, parameters: { x: $value } }")
        }
        problems(header("\"a\\nb\"")).single() shouldContain "workloads.noop.headers.X: the value of X has a line break"
        problems(SMALL, Overrides(set = listOf("workloads.noop.get=/a#b"))).single() shouldStartWith
            "--set workloads.noop.get=/a#b"
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = [
            "{ \"X-A\": \"b\\r\\nX-C: d\" } | the value of X-A has a line break",
            "{ \"X-A\": \"b\\x07\" } | the value of X-A has the control character U+0007",
            "{ \"X A\": b } | `X A` cannot be the name of a header",
            "{ \"X-A:\": b } | `X-A:` cannot be the name of a header",
            "{ \"Xü\": b } | `Xü` cannot be the name of a header",
        ],
    )
    fun `a header that would not be one header is a problem`(headers: String, why: String) {
        problems(SMALL.replace("{ get: /noop }", "{ get: /noop, headers: $headers }")).single() shouldContain why
        problems(SMALL.replace("{ get: /noop }", "{ chain: { one: { get: /noop, headers: $headers } } }")).single() shouldContain
            why
    }

    @ParameterizedTest
    @CsvSource(
        "http://127.0.0.1:8080, 127.0.0.1",
        "http://me:pw@Example.test:8080/, Example.test",
        "'http://[::1]:80', ::1",
        "http://localhost, localhost",
        "http://127.0.0.1@evil.test/, evil.test",
        "http://a_b.test, a_b.test",
        "http://a.test/context/path, a.test",
    )
    fun `the host of an address is where its requests go`(url: String, host: String) {
        hostOf(url) shouldBe host
    }

    @ParameterizedTest
    @CsvSource(
        "ftp://a.test",
        "http://",
        "http://a.test:99999",
        "http://2130706433",
        "http://1.2.3.999",
        "http://a b.test",
        "http://a.test?password=pw",
        "http://a.test/path?password=pw",
        "http://a.test#x",
        "http://a.test\\@b.test",
    )
    fun `what is no server's address is refused without being repeated`(url: String) {
        hostOf(url) shouldBe null
        problems(SMALL.replace("{ subject: servlet }", "{ subject: { url: '$url' } }")).single().let {
            it shouldContain "is not the http:// or https:// address of a server"
            it shouldNotContain "pw"
        }
    }

    @Test
    fun `a subject is called after its address without user and password`() {
        val text = SMALL.replace("{ subject: servlet }", "{ subject: { url: 'http://me:pw@127.0.0.1:80' } }")
            .replace("{ subject: reactive }", "{ subject: { url: 'http://me:other@127.0.0.1:80' } }")
        sound(text).experiment.subjects.map { it.name } shouldBe listOf("url:http://127.0.0.1:80", "url:http://127.0.0.1:80#2")
    }
}
