package bootdyno.keys

import bootdyno.plan.SMALL
import bootdyno.plan.problems
import bootdyno.plan.sound
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class HttpSyntaxTest {
    private fun withPath(path: String) = SMALL.replace("/noop", path)

    @Test
    fun `paths of every form that a request can have are sound`() {
        listOf("/", "'/a%20b/c;v=1?x=[1]&y=a+b&z=%C3%BC'", "'/größe?q=~a:b@c'", "'/a?x=1?2'").forEach {
            problems(withPath(it)).shouldBeEmpty()
        }
    }

    @Test
    fun `characters beyond ASCII of a path and of its parameters are sent as the bytes of UTF-8`() {
        val text = SMALL.replace(
            "/noop",
            "'/größe?name={name}', body: '{name}', parameters: { name: Zoë }, headers: { X: '{name}' }",
        )
        val step = sound(text).experiment.workloads.first().requests().single()
        step.path shouldBe "/gr%C3%B6%C3%9Fe?name=Zo%C3%AB"
        step.body shouldBe "Zoë"
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
    fun `what is no server's address has no host`(url: String) {
        hostOf(url) shouldBe null
    }

    @Test
    fun `a subject is called after its address without user and password`() {
        val text = SMALL.replace("{ subject: servlet }", "{ subject: { url: 'http://me:pw@127.0.0.1:80' } }")
            .replace("{ subject: reactive }", "{ subject: { url: 'http://me:other@127.0.0.1:80' } }")
        sound(text).experiment.subjects.map { it.name } shouldBe listOf("url:http://127.0.0.1:80", "url:http://127.0.0.1:80#2")
    }
}
