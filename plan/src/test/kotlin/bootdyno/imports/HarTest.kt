package bootdyno.imports

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class HarTest {
    @Test
    fun `Chrome's requests to this machine are operations, equal ones together, with their recorded status`() {
        val imported = importedFixture("chrome.har")
        imported.kind shouldBe "HAR file"
        lines(imported).shouldContainExactly(
            "api-orders-7 GET /api/orders/7?full=true 200 ×2",
            "owners GET /owners?lastName= 200 ×1",
            "css-app-css GET /css/app.css?v=3 200 ×1",
            "post-api-orders POST /api/orders 201 ×1",
        )
        imported.operations[1].headers.shouldContainExactly(
            mapOf("Accept" to "text/html,application/xhtml+xml", "Accept-Encoding" to "gzip, deflate, br, zstd"),
        )
        leftOut(imported).shouldContainExactly(
            mapOf(
                "from the browser's cache" to "GET http://localhost:8080/js/app.js",
                "method OPTIONS" to "OPTIONS http://localhost:8080/api/orders",
                "WebSocket" to "GET ws://localhost:8080/live",
                "not HTTP" to "GET data:image/png;base64,iVBORw0KGgo=",
                "other host cdn.shop.test" to "GET https://cdn.shop.test/lib.js",
                "status 302" to "POST http://localhost:8080/login",
                "its body has a secret" to "POST http://localhost:8080/api/session",
                "no response was recorded" to "GET http://localhost:8080/blocked",
                "multipart body" to "POST http://localhost:8080/photos",
            ),
        )
    }

    @Test
    fun `no secret of a browser is imported, and each is named`() {
        val imported = importedFixture("chrome.har")
        imported.secrets.shouldContainExactly(
            mapOf("header Cookie" to 1, "header Authorization" to 1, "query parameter access_token" to 1),
        )
        listOf("5B9C4F0E", "eyJhbGci", "abc123", "hunter2", "81c9").forEach { secret ->
            imported.toString() shouldNotContain secret
            imported.summary("chrome.har") shouldNotContain secret
        }
    }

    @Test
    fun `curly brackets of a browser's texts are no placeholders`() {
        val imported = importedFixture("chrome.har")
        imported.operations.last().body shouldBe """{"item":"tea \u007bx}","pieces":2}"""
        imported.notes.joinToString() shouldContain "The header X-Template is not imported"
    }

    @Test
    fun `Firefox's requests to the named host are imported, and forms from their fields`() {
        val imported = importedFixture("firefox.har", "shop.test")
        lines(imported).shouldContainExactly("root GET / 200 ×1", "post-basket POST /basket 200 ×1")
        imported.operations.first().headers shouldBe mapOf("Accept-Language" to "en-US,en;q=0.5")
        imported.operations.last().body shouldBe "item=tea%20%26%20milk&pieces=2"
        leftOut(imported) shouldBe mapOf("other host metrics.test" to "GET https://metrics.test/collect")
    }

    @Test
    fun `a file about other hosts names them, the most frequent first`() {
        val problem = problemOf(read(fixture("firefox.har").orEmpty()))
        problem.message shouldBe
            "no request of the HAR file is for this machine. " +
            "Its requests are to shop.test (1), shop.test:443 (1), metrics.test (1)"
        problem.hint shouldBe "if shop.test is your application, add --import-host shop.test"
    }

    @Test
    fun `several servers of this machine are named, and a port chooses one`() {
        fun entry(url: String) =
            """{ "request": { "method": "GET", "url": "$url", "headers": [] }, "response": { "status": 200 } }"""
        val urls = listOf("http://localhost:5173/a", "http://127.0.0.1:8080/b", "http://[::1]:8080/c", "http://localhost:8080/d")
        val har = """{ "log": { "entries": [ ${urls.joinToString { entry(it) }} ] } }"""
        val all = imported(har)
        all.operations.map { it.name }.shouldContainExactly("a", "b", "c", "d")
        all.notes.single() shouldContain "localhost:5173 (1), 127.0.0.1:8080 (1), [::1]:8080 (1), localhost:8080 (1)"
        imported(har, "http://localhost:8080/").operations.map { it.name }.shouldContainExactly("d")
        imported(har, "127.0.0.1").notes shouldBe all.notes
        imported(har, "localhost").operations.map { it.name }.shouldContainExactly("a", "b", "c", "d")
    }

    private fun entry(url: String, more: String = "", request: String = "\"headers\":[]", method: String = "GET") =
        """{"request":{"method":"$method","url":"http://localhost$url",$request},"response":{"status":200}$more}"""

    private fun har(vararg entries: String) = imported("""{"log":{"entries":[${entries.joinToString()}]}}""")

    @Test
    fun `event streams and what caches answered are left out`() {
        val imported = har(
            entry("/a"),
            entry("/sse", ""","_resourceType":"eventsource""""),
            entry("/sse2", request = """"headers":[{"name":"accept","value":"text/event-stream"}]"""),
            entry("/safari", ""","_fetchType":"Disk Cache""""),
            entry("/memory", ""","_fetchType":"Memory Cache""""),
            entry("/firefox", ""","cache":{},"timings":{},"time":0""").replace("200", """200,"httpVersion":"","headers":[]"""),
            entry("/worker", ""","_fetchType":"Service Worker""""),
            entry("/chrome").replace("200", "200,\"_fetchedViaServiceWorker\":true"),
        )
        imported.operations.map { it.path }.shouldContainExactly("/a")
        imported.leftOut.associate { it.reason to it.count } shouldBe
            mapOf("a stream of events has no end" to 2, "from the browser's cache" to 3, "answered by a service worker" to 2)
    }

    private fun form(path: String, recorded: String, type: String = "multipart/form-data") = entry(
        path,
        request = """"headers":[{"name":"content-type","value":"$type"}],"postData":{"mimeType":"$type",$recorded}""",
        method = "POST",
    )

    /** As browsers record it. */
    private fun text(boundary: String, vararg fields: String): String {
        val parts = fields.joinToString("") { """--$boundary\r\nContent-Disposition: form-data; $it\r\n""" }
        return """"text":"$parts--$boundary--\r\n""""
    }

    private fun withReturns(text: String) = text.trimIndent().replace("\n", "\r\n")

    @Test
    fun `a form of several parts is sent with the fields that a browser recorded, whatever its boundary`() {
        val fields = arrayOf(
            """name=\"item\"\r\n\r\ntea """,
            """name=\"photo\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n""",
        )
        val type = "multipart/form-data; boundary=----WebKitFormBoundaryA"
        val withoutReturns = text("---------------------------71", *fields).replace("""\r""", "")
        val imported = har(form("/f", text("----WebKitFormBoundaryA", *fields), type), form("/f", withoutReturns))
        val sent = imported.operations.single()
        sent.weight shouldBe 2
        sent.headers shouldBe mapOf("Content-Type" to "multipart/form-data; boundary=boot-dyno-field")
        sent.body shouldBe withReturns(
            """
            --boot-dyno-field
            Content-Disposition: form-data; name="item"

            tea${' '}
            --boot-dyno-field
            Content-Disposition: form-data; name="photo"; filename=""
            Content-Type: application/octet-stream


            --boot-dyno-field--

            """,
        )
    }

    @Test
    fun `a form of several parts without its text has the fields that are named, and with a file it is left out`() {
        val named = """"params":[{"name":"the \"item\"","value":"tea & milk"},
            {"name":"o","value":"[]","contentType":"application/json"}]"""
        val imported = har(
            form("/named", named),
            form("/file", """"params":[{"name":"item","value":"tea"},{"name":"photo","fileName":"a.png"}]"""),
            form("/upload", text("A", """name=\"photo\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n""")),
            form("/cut", """"text":"--A\r\nContent-Disposition: form-data; name=\"item\"\r\n\r\nte""""),
        )
        imported.operations.single().body shouldBe withReturns(
            """
            --boot-dyno-field
            Content-Disposition: form-data; name="the %22item%22"

            tea & milk
            --boot-dyno-field
            Content-Disposition: form-data; name="o"
            Content-Type: application/json

            []
            --boot-dyno-field--

            """,
        )
        imported.leftOut.map { it.reason to it.count } shouldBe listOf("its body has a file" to 2, "multipart body" to 1)
    }

    // aGVsbG8= is hello, AAECAw== are the bytes 0 to 3.
    @Test
    fun `bodies in Base64 are decoded, and repeated headers are one list`() {
        fun body(text: String) = """"headers":[{"name":"X-A","value":"1"},{"name":"x-a","value":"2"}],
            "postData":{"mimeType":"text/plain","text":"$text","encoding":"base64"}"""
        val imported =
            har(
                entry("/b", request = body("aGVsbG8="), method = "POST"),
                entry("/c", request = body("AAECAw=="), method = "POST"),
            )
        imported.operations.single().body shouldBe "hello"
        imported.operations.single().headers shouldBe mapOf("X-A" to "1, 2", "Content-Type" to "text/plain")
        leftOut(imported) shouldBe mapOf("its body is no text" to "POST http://localhost/c")
    }

    @Test
    fun `a signature behind other values, and a header whose name ends with auth, are secrets`() {
        val headers = """"headers":[{"name":"X-Acl","value":"st=1628655402~exp=1628661402~acl=/*~hmac=1f"},
            {"name":"shopauth","value":"abc"},{"name":"X-Page","value":"st=1~exp=2"}]"""
        val imported = har(entry("/a", request = headers))
        imported.operations.single().headers shouldBe mapOf("X-Page" to "st=1~exp=2")
        imported.secrets.keys shouldBe setOf("header X-Acl", "header shopauth")
    }

    @Test
    fun `a request whose body was not recorded is left out`() {
        fun post(path: String, length: String) =
            entry(path, request = """"headers":[{"name":"content-length","value":"$length"}]""", method = "POST")
        val imported =
            har(post("/a", "0"), post("/b", "7"), entry("/c", request = """"headers":[],"bodySize":7""", method = "PUT"))
        imported.operations.map { it.path }.shouldContainExactly("/a")
        imported.leftOut.map { it.reason to it.count }.shouldContainExactly("its body was not recorded" to 2)
    }

    @Test
    fun `paths that differ in ids are one operation, as in a log`() {
        val imported = har(*(1..40).map { entry("/orders/$it") }.toTypedArray(), entry("/vets"))
        lines(imported).shouldContainExactly("orders-id GET /orders/{orders-id} 200 ×40", "vets GET /vets 200 ×1")
        imported.data.orEmpty().lines().filter { it.isNotEmpty() }.size shouldBe 41
    }

    @Test
    fun `a query that stands apart from its address only is sent`() {
        fun query(name: String) = """"headers":[],"queryString":[{"name":"$name","value":"a b"},{"name":"page","value":"2"}]"""
        har(entry("/a", request = query("q")), entry("/b?q=1", request = query("q"))).operations.map { it.path } shouldBe
            listOf("/a?q=a%20b&page=2", "/b?q=1")
    }

    @Test
    fun `a status below 0 is no recorded response`() {
        val imported = har(entry("/a"), entry("/b").replace("200", "-1"))
        leftOut(imported) shouldBe mapOf("no response was recorded" to "GET http://localhost/b")
    }
}
