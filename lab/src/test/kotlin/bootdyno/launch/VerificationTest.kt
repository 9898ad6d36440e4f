package bootdyno.launch

import bootdyno.launch.http.Answer
import bootdyno.launch.http.readerFor
import bootdyno.model.Bytes
import bootdyno.model.Expectation
import bootdyno.model.Step
import bootdyno.system.ProcStat
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class VerificationTest {
    private fun mismatch(expected: Expectation, body: String = "hello", type: String? = "text/plain;charset=UTF-8"): String? {
        val reader = readerFor(Step("s", path = "/", expect = expected), keep = 1000)
        val head =
            "HTTP/1.1 200 OK\r\n" + type?.let { "Content-Type: $it\r\n" }.orEmpty() + "Content-Length: ${body.length}\r\n\r\n"
        val bytes = (head + body).toByteArray()
        reader.read(bytes, 0, bytes.size)
        return mismatch(expected, Answer(reader, 0.1))
    }

    @Test
    fun `an answer as expected has no mismatch, and what is not expected is not compared`() {
        mismatch(Expectation(200, "hello", "text/plain")) shouldBe null
        mismatch(Expectation(200, "hello", "Text/Plain; charset=utf-8")) shouldBe null
        mismatch(Expectation(200), type = null) shouldBe null
    }

    @Test
    fun `a mismatch shows what was expected and what came`() {
        mismatch(Expectation(201)) shouldBe "status 201 was expected, 200 came: 'hello'"
        mismatch(Expectation(200, "bye")) shouldBe "the body 'bye' was expected, 'hello' came"
        mismatch(Expectation(200, null, "application/json")) shouldBe
            "the content type application/json was expected, text/plain;charset=UTF-8 came"
        mismatch(Expectation(200, "x"), "a\n".repeat(150)).orEmpty() shouldContain "a\\na\\n"
    }

    @Test
    fun `a page or a JSON of an error is no success, unless it is expected`() {
        val page = "<html><h1>Whitelabel Error Page</h1>"
        mismatch(Expectation(200), page, "text/html").orEmpty() shouldContain "what looks like an error: 'Whitelabel Error Page'"
        mismatch(Expectation(200, contentType = "text/html"), page, "text/html") shouldBe null
        mismatch(Expectation(200, page), page, "text/html") shouldBe null
        errorIn("<title>Orders</title>") shouldBe null
        errorIn("""{ "timestamp": 1, "status": 500, "error": "Internal Server Error", "path": "/x" }""") shouldBe
            "Internal Server Error"
        errorIn("""{ "status": 500, "error": "none" }""") shouldBe null
        errorIn("""{ "status": "open" }""") shouldBe null
    }

    @Test
    fun `a death is told by its cause`() {
        exitSentence(137, memoryKills = 1, memory = Bytes(64 * Bytes.MIB)) shouldBe
            "The subject was killed for memory: it needed more than the 64 MiB it was allowed. Try --set 'limits.memory=128 MiB'."
        exitSentence(137, memoryKills = 0, memory = null) shouldBe "The subject was ended by signal 9 (SIGKILL)."
        exitSentence(1, memoryKills = 0, memory = null) shouldBe "The subject ended with exit code 1."
    }

    @Test
    fun `nice is field 19, after a name with any character`() {
        ProcStat("17 (C2 Compiler) re) S " + (4..52).joinToString(" ")).nice shouldBe 19
    }
}
