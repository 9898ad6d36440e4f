package bootdyno.imports

import bootdyno.yaml.Read
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

/** Files that are broken, foreign or empty: each has one problem that says what to do. */
class ReadImportTest {
    private fun refused(text: String, message: String, line: Int? = null) {
        val problem = problemOf(read(text))
        problem.message shouldStartWith message
        problem.file shouldBe "file"
        problem.line shouldBe line
        (problem.hint.orEmpty().length > 10) shouldBe true
    }

    private fun refused(bytes: ByteArray, message: String) {
        problemOf(readImport("file", bytes)).message shouldStartWith message
    }

    @Test
    fun `an empty file, a page and files of other tools are named`() {
        refused(" \n", "the file is empty")
        refused("<!DOCTYPE html><html><form action=/login>", "is an HTML or XML page, perhaps a login page")
        refused("<?xml version=\"1.0\"?>\n<jmeterTestPlan version=\"1.2\">", "is a JMeter test plan")
        refused("title: An experiment\nvariants: {}", "the format is unknown")
        refused("a,b\n1,2", "the format is unknown")
        refused("# Shop\n\n### GET started\n\nRun it.", "the format is unknown")
        refused("""{ "name": "package.json" }""", "the format is unknown")
        refused("""[ 1, 2 ]""", "the format is unknown")
        refused("""{ "_type": "export", "__export_format": 4, "resources": [] }""", "is an Insomnia export")
    }

    @Test
    fun `compressed, binary and other encodings are named`() {
        refused(byteArrayOf(0x1f, 0x8b.toByte(), 8, 0), "is compressed")
        refused(byteArrayOf(0x50, 0x4b, 3, 4, 0, 0), "is a binary file")
        refused("GET http://localhost/".toByteArray(Charsets.UTF_16), "the file is UTF-16")
        refused("GET http://localhost/J\u00f6rg".toByteArray(Charsets.ISO_8859_1), "this byte is not UTF-8")
    }

    @Test
    fun `a HAR file that was cut says where`() {
        refused("{\n \"log\": {\n  \"entries\": [ { \"request\": ", "this is not JSON: Cannot read", line = 3)
        refused("{\n \"log\" {} }", "this is not JSON: Expected", line = 2)
    }

    @Test
    fun `very deep JSON is refused instead of filling the stack`() {
        refused("[".repeat(100_000), "maps and lists are nested more than 200 deep", line = 1)
        refused("{\"a\":".repeat(100_000), "maps and lists are nested more than 200 deep", line = 1)
        refused("openapi: 3.0.1\npaths: " + "[".repeat(1_000), "maps and lists are nested more than 200 deep", line = 2)
        val deepLine = "{\"a\":" + "[".repeat(100_000) + "}"
        val log = "{\"request\":\"GET /x HTTP/1.1\",\"statusCode\":\"200\"}\n$deepLine"
        (read(log) as Read.Sound).value.operations.single().path shouldBe "/x"
    }

    @Test
    fun `a broken OpenAPI document says what is wrong`() {
        refused("openapi: 4.0.0\npaths: {}", "OpenAPI `4.0.0` is unknown")
        refused("openapi: 3.0.1\ninfo: {}", "the OpenAPI document has no `paths`")
        refused("openapi: 3.0.1\npaths: {}", "the OpenAPI 3.0.1 document has no requests")
        refused("openapi: 3.0.1\npaths:\n  /x: [", "this is not YAML", line = 3)
        refused("openapi: 3.0.1\npaths: { /x: { post: {} } }", "no request of the OpenAPI 3.0.1 document can be sent: only GET")
    }

    @Test
    fun `a log without a request to send says why`() {
        refused(
            "\"POST /orders HTTP/1.1\" 201\n\"GET /x HTTP/1.1\" 500",
            "no request of the access log can be sent: only GET and HEAD",
        )
        problemOf(read("\"GET /x HTTP/1.1\" 500")).message shouldContain "status 500 (1)"
    }

    @Test
    fun `requests do not repeat the path of the application's address`() {
        val text = "GET http://localhost/shop/orders\n\n###\nGET http://localhost/other"
        val read = readImport("file", text.encodeToByteArray(), ImportOptions(basePath = "/shop")) as Read.Sound
        read.value.operations.map { it.path } shouldBe listOf("/orders", "/other")
    }

    @Test
    fun `a byte order mark and Windows line ends do no harm`() {
        lines(imported("\uFEFF### x\r\nGET http://localhost/x\r\nAccept: text/plain\r\n\r\n")) shouldBe listOf("x GET /x 200 ×1")
    }
}
