package bootdyno.engine.netty

import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.LoadOrder
import bootdyno.model.DataTable
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.ResponseText
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.SplittableRandom
import kotlin.time.Duration.Companion.seconds

class ChainCursorTest {
    private val rows = DataTable(listOf("name"), listOf(listOf("Jörg \"J\""), listOf("Ann")))

    private fun cursor(vararg steps: Step, rows: DataTable? = this.rows): ChainCursor {
        val order =
            LoadOrder(
                "127.0.0.1",
                81,
                steps = steps.toList(),
                load = LoadProfile.Closed(1),
                window = 1.seconds,
                timeout = 1.seconds,
            )
        val chain = Chain(order, rows)
        return SentChain(chain).newCursor()
    }

    private fun ChainCursor.text() = request().let { buffer -> buffer.toString(Charsets.UTF_8).also { buffer.release() } }

    @Test
    fun `a body's length is that of its bytes, in the path and the headers a value is written as it must be there`() {
        val json = mapOf("Content-Type" to "application/json", "X-Name" to "{name}")
        // {"n":"Jörg \"J\""} : 6 + 4 + 1 for the second byte of ö + 1 + 5 + 2 = 19 bytes.
        cursor(Step("s", "POST", "/a/{name}?q={name}", json, """{"n":"{name}"}""")).text() shouldBe
            "POST /a/J%C3%B6rg%20%22J%22?q=J%C3%B6rg%20%22J%22 HTTP/1.1\r\n" +
            "Host: 127.0.0.1:81\r\nContent-Type: application/json\r\nX-Name: Jörg \"J\"\r\nContent-Length: 19\r\n\r\n{\"n\":\"Jörg \\\"J\\\"\"}"
    }

    @Test
    fun `without a body there is no length, and headers of the step replace our own`() {
        cursor(Step("s", "DELETE", "/a"), rows = null).text() shouldBe "DELETE /a HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n"
        cursor(Step("s", "POST", "/a", mapOf("host" to "x", "CONTENT-LENGTH" to "2"), "ö")).text() shouldBe
            "POST /a HTTP/1.1\r\nhost: x\r\nCONTENT-LENGTH: 2\r\n\r\nö"
    }

    @Test
    fun `a line break of the experiment's own is refused, a curly name that nothing has stays`() {
        shouldThrow<IllegalArgumentException> { cursor(Step("s", path = "/a", headers = mapOf("A" to "b\r\nC: d"))) }
        cursor(Step("s", path = "/{other}")).text() shouldBe "GET /{other} HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n"
    }

    private val create = Step("create", "POST", "/p", body = "{name}", capture = mapOf("id" to "$.id", "tag" to "$.tags[1]"))
    private val read = Step("read", path = "/p/{id}/{tag}", expect = Expectation(body = "{name} {id}"))

    private fun ChainCursor.take(answer: String) = capture(ResponseText(emptyMap(), answer))

    private fun ChainCursor.line() = text().substringBefore(" HTTP").substringAfter(' ')

    @Test
    fun `what an answer gave is in the next step, and is forgotten when the chain begins anew with the next row`() {
        val cursor = cursor(create, read)
        cursor.take("""{"id": 7, "tags": ["a", "b/c"]}""") shouldBe true
        cursor.next() shouldBe true
        cursor.line() shouldBe "/p/7/b%2Fc"
        cursor.expectedBody()?.decodeToString() shouldBe "Jörg \"J\" 7"
        cursor.next() shouldBe false
        cursor.goOn(well = true)
        cursor.step.name shouldBe "create"
        cursor.text().substringAfterLast('\n') shouldBe "Ann"
        cursor.goOn(well = false)
        cursor.text().substringAfterLast('\n') shouldBe "Jörg \"J\""
    }

    @Test
    fun `an answer that lacks one of the values is not taken`() {
        val cursor = cursor(create, read)
        listOf("", "{}", """{"id": 7, "tags": ["a"]}""", """{"id": null, "tags": [1, 2]}""", """{"id": 7""").forEach {
            cursor.take(it) shouldBe false
        }
    }

    @Test
    fun `each operation of a mix is sent as often as its weight says, with the next row, and is followed by another`() {
        val list = Step("list", path = "/list/{name}", weight = 3.0)
        val order = LoadOrder(
            "127.0.0.1",
            81,
            steps = listOf(list, Step("create", "POST", "/create", body = "{name}")),
            load = LoadProfile.Closed(1),
            window = 1.seconds,
            timeout = 1.seconds,
            mix = true,
        )
        val cursor = SentChain(Chain(order, rows), SplittableRandom(7)).newCursor()
        val sent = List(10_000) {
            cursor.text().also { _ -> cursor.goOn(well = it % 2 == 0) }
        }
        cursor.next() shouldBe false
        // 3 of 4, ± 4 standard deviations of √(0.75 × 0.25 × 10,000) = 43.
        sent.count { it.startsWith("GET /list/") } shouldBeInRange 7_327..7_673
        sent.mapIndexed { i, text -> ("Ann" in text) == (i % 2 == 1) }.all { it } shouldBe true
    }

    private fun answer(reader: AnswerReader, text: String, piece: Int) {
        reader.begin(false)
        text.toByteArray().toList().chunked(piece).forEach { reader.read(it.toByteArray(), 0, it.size) }
    }

    @Test
    fun `a body is kept in whatever pieces it comes, and only for the answer it belongs to`() {
        val cursor = cursor(create, read)
        val reader = AnswerReader(null, null)
        reader.expect(null, null, keep = LONGEST_CAPTURED_FROM)
        val body = """{"id": 7, "tags": ["a", "ö"]}"""
        val sized = "HTTP/1.1 200 OK\r\nContent-Length: ${body.toByteArray().size}\r\n\r\n$body"
        val chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n${body.take(5)}\r\n" +
            "${(body.toByteArray().size - 5).toString(16)}\r\n${body.drop(5)}\r\n0\r\n\r\n"
        listOf(sized to 1, chunked to 1, sized to 1000, chunked to 7).forEach { (text, piece) ->
            answer(reader, text, piece)
            reader.complete shouldBe true
            reader.give(cursor) shouldBe true
        }
        cursor.next()
        cursor.line() shouldBe "/p/7/%C3%B6"
    }

    @Test
    fun `of a body beyond 1 MiB nothing is captured, of one that long it is`() {
        val cursor = cursor(create.copy(capture = mapOf("id" to "$.id")), read)
        val reader = AnswerReader(null, null)
        reader.expect(null, null, keep = LONGEST_CAPTURED_FROM)
        fun body(size: Int) = """{"id":1,"x":"${"y".repeat(size - 15)}"}"""
        listOf(1024 * 1024 to true, 1024 * 1024 + 1 to false, 20 to true).forEach { (size, taken) ->
            answer(reader, "HTTP/1.1 200 OK\r\nContent-Length: $size\r\n\r\n${body(size)}", 60_000)
            reader.complete shouldBe true
            reader.give(cursor) shouldBe taken
        }
    }
}
