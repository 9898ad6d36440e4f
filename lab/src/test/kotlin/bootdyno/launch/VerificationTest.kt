package bootdyno.launch

import bootdyno.launch.http.Answer
import bootdyno.model.Bytes
import bootdyno.model.Expectation
import bootdyno.system.ProcStat
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class VerificationTest {
    private val answer = Answer(200, "text/plain;charset=UTF-8", "hello", 0.1)

    @Test
    fun `an answer as expected has no mismatch, and what is not expected is not compared`() {
        mismatch(Expectation(200, "hello", "text/plain"), answer) shouldBe null
        mismatch(Expectation(200, "hello", "Text/Plain; charset=utf-8"), answer) shouldBe null
        mismatch(Expectation(200), answer.copy(contentType = null)) shouldBe null
    }

    @Test
    fun `a mismatch shows what was expected and what came`() {
        mismatch(Expectation(201), answer) shouldBe "status 201 was expected, 200 came: 'hello'"
        mismatch(Expectation(200, "bye"), answer) shouldBe "the body 'bye' was expected, 'hello' came"
        mismatch(Expectation(200, null, "application/json"), answer) shouldBe
            "the content type application/json was expected, text/plain;charset=UTF-8 came"
        mismatch(Expectation(200, "x"), answer.copy(body = "a\n".repeat(150))).orEmpty() shouldContain "a\\na\\n"
    }

    @Test
    fun `a page or a JSON of an error is no success, unless it is expected`() {
        val page = answer.copy(contentType = "text/html", body = "<html><h1>Whitelabel Error Page</h1>")
        mismatch(Expectation(200), page).orEmpty() shouldContain "what looks like an error: 'Whitelabel Error Page'"
        mismatch(Expectation(200, contentType = "text/html"), page) shouldBe null
        mismatch(Expectation(200, body = page.body), page) shouldBe null
        errorIn("<title>Orders</title>") shouldBe null
        errorIn("""{ "timestamp": 1, "status": 500, "error": "Internal Server Error", "path": "/x" }""") shouldBe
            "Internal Server Error"
        errorIn("""{ "status": 500, "error": "none" }""") shouldBe null
        errorIn("""{ "status": "open" }""") shouldBe null
    }

    @Test
    fun `a death is told by its cause`() {
        exitSentence(137, memoryKills = 1, memory = Bytes(64 * Bytes.MIB)) shouldBe
            "The subject was killed for memory: it needed more than the 64 MiB it was allowed."
        exitSentence(137, memoryKills = 0, memory = null) shouldBe "The subject was ended by signal 9 (SIGKILL)."
        exitSentence(1, memoryKills = 0, memory = null) shouldBe "The subject ended with exit code 1."
    }

    @Test
    fun `nice is field 19, after a name with any character`() {
        ProcStat("17 (C2 Compiler) re) S " + (4..52).joinToString(" ")).nice shouldBe 19
    }
}
