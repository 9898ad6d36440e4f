package bootdyno.imports

import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class HttpFileTest {
    @Test
    fun `IntelliJ's file is read with its scripts, bodies and the variables beside`() {
        val imported = importedFixture("intellij.http")
        imported.kind shouldBe ".http file"
        lines(imported).shouldContainExactly(
            "List-orders GET /orders?page=0&size=20 200 ×1",
            "create POST /orders 201 ×1",
            "From-a-file PUT /orders/5 200 ×1",
            "post-graphql POST /graphql 200 ×1",
        )
        val (list, create, put) = imported.operations
        list.headers shouldBe mapOf("Accept" to "application/json")
        create.body shouldBe "{\n  \"item\": \"tea\",\n  \"pieces\": 2\n}"
        put.body shouldBe """{ "item": "milk", "pieces": 1 }"""
        put.headers shouldBe mapOf("Content-Type" to "application/json")
        imported.secrets.shouldContainExactly(mapOf("header Authorization" to 1, "header X-Api" to 1))
        imported.notes shouldContain "Variables are those of the environment `dev` in http-client.env.json."
        leftOut(imported).shouldContainExactly(
            mapOf(
                "the file ./none.json of its body is missing, or no text" to "POST http://localhost:8080/orders",
                "the variable unknownId has no value" to "GET http://localhost:8080/orders/{{unknownId}}",
                "the variable password is a secret" to "GET http://localhost:8080/orders",
                "other host api.shop.test" to "GET https://api.shop.test/orders",
                "a DELETE usually works once only" to "DELETE http://localhost:8080/orders/1",
                "method WEBSOCKET" to "WEBSOCKET ws://localhost:8080/live",
            ),
        )
    }

    @Test
    fun `VS Code's file is read with its own variables`() {
        val imported = importedFixture("vscode.http")
        lines(imported).shouldContainExactly(
            "search GET /search?q=tea&page=2 200 ×1",
            "byOrder GET /orders/tea-1 200 ×1",
            "vets GET /vets 200 ×1",
            "post-orders POST /orders 200 ×1",
        )
        imported.operations.last().body shouldBe "item=tea&pieces=2"
        leftOut(imported).shouldContainExactly(
            mapOf(
                "other host api.shop.test" to "GET http://api.shop.test/orders",
                "this is no request line" to "this is no request",
            ),
        )
    }

    @Test
    fun `an address with an unknown variable is the application`() {
        fun path(url: String) = imported("GET $url").operations.single().path
        path("{{base}}/x?u=http://y.test/z") shouldBe "/x?u=http://y.test/z"
        path("http://{{server}}:{{port}}/x") shouldBe "/x"
        path("{{scheme}}://{{server}}:{{port}}/x") shouldBe "/x"
        path("http://localhost:{{port}}?a=b") shouldBe "/?a=b"
        path("localhost:8080/x y") shouldBe "/x%20y"
    }

    @Test
    fun `variables that name each other in a circle end`() {
        val imported = imported("@a = {{b}}\n@b = {{a}}\nGET http://localhost/x\n\n###\nGET http://localhost/{{a}}")
        leftOut(imported).keys.single().removeSuffix(" has no value") shouldBe "the variable a"
    }

    @Test
    fun `a variable of the file that names itself has the value of the environment`() {
        val options = ImportOptions(above = { """{ "dev": { "user": "ada", "base": "http://localhost:8080" } }""" })
        val text = "@user = {{user}}\n@base = {{base}}/v2\n@id = {{id}}\nGET {{base}}/carts/{{user}}\n\n###\nGET {{base}}/{{id}}"
        val read = readImport("x.http", text.encodeToByteArray(), options) as Read.Sound
        read.value.operations.map { it.path } shouldBe listOf("/v2/carts/ada")
        leftOut(read.value).keys shouldBe setOf("the variable id has no value")
    }

    @Test
    fun `an empty value of the file or of an environment is sent, null is none`() {
        val options = ImportOptions(above = { """{ "dev": { "suffix": "", "gone": null } }""" })
        val text = "@e =\nGET http://localhost/a{{suffix}}?q={{e}}\n\n###\nGET http://localhost/{{gone}}"
        val read = readImport("x.http", text.encodeToByteArray(), options) as Read.Sound
        read.value.operations.map { it.path } shouldBe listOf("/a?q=")
        leftOut(read.value).keys shouldBe setOf("the variable gone has no value")
        val set = "@id =\nGET http://localhost/ok\n\n> {% client.global.set(\"id\", response.body.id); %}\n\n###\nGET /{{id}}"
        leftOut(imported(set)).keys shouldBe setOf("the variable id has no value")
    }

    @Test
    fun `files of bodies stand below the folder of the document`() {
        fun reason(file: String) =
            leftOut(imported("GET http://localhost/ok\n\n###\nPOST http://localhost/x\n\n< $file")).keys.single()
        listOf("/etc/hostname", "../order.json", "a/../../order.json", "~/x", "C:\\\\x", "{{up}}/../x").map(::reason).distinct()
            .shouldContainExactly("its body is a file outside the folder of the .http file")
    }

    @Test
    fun `letters of any language are sent as UTF-8`() {
        imported("GET http://localhost:8080/fast?name=Zoë&x=日本").operations.single().path shouldBe
            "/fast?name=Zo%C3%AB&x=%E6%97%A5%E6%9C%AC"
    }

    @Test
    fun `a request whose title has no Latin letters is named by its path`() {
        imported("### 잔고 1\nGET http://localhost/balance\n\n### 잔고 B\nGET http://localhost/b").operations.map { it.name } shouldBe
            listOf("balance", "B")
    }

    private fun only(text: String) = imported(text).operations.single()

    private val form = "Content-Type: application/x-www-form-urlencoded"

    @Test
    fun `a form over several lines is sent in one`() {
        only("POST http://localhost/f\n$form\n\na = 1 &\nb = 2").body shouldBe "a=1&b=2"
        only("POST http://localhost/f\n$form\n\nc=3\n# &e=6\n&d=4 5").body shouldBe "c=3&d=4%205"
    }

    @Test
    fun `comments and variables behind a body are no part of it, nor are comments inside JSON`() {
        only("GET http://localhost/a\n\n@id = {{a.response.body.id}}\n\n# ###\n# POST http://localhost/b").body shouldBe null
        only("POST http://localhost/a\n\n{\n  // one\n  \"a\": \"#1\"\n# two\n}\n\n// end").body shouldBe "{\n  \"a\": \"#1\"\n}"
        only("POST http://localhost/a\n\n# title\ntext\n# end").body shouldBe "# title\ntext"
    }

    @Test
    fun `multipart bodies, streams of events and requests that are to fail are left out`() {
        fun reason(request: String) = leftOut(imported("GET http://localhost/ok\n\n###\n$request")).keys.single()
        reason("POST http://localhost/u\nContent-Type: multipart/form-data; boundary=b\n\n--b\n") shouldBe "multipart body"
        reason("GET http://localhost/e\nAccept: text/event-stream") shouldBe "a stream of events has no end"
        reason("GET http://localhost/0\n\n> {% client.assert(response.status === 404, \"missing\") %}") shouldBe "status 404"
        reason("GET http://localhost/0\n\n> {%\n  client.test(\"a\", () => client.assert(response.status == 409));\n%}") shouldBe
            "status 409"
    }

    @Test
    fun `an unknown variable that may be a path leaves out its request, one in a header the header`() {
        fun reason(request: String) = leftOut(imported("GET http://localhost/ok\n\n###\n$request")).keys.single()
        reason("GET {{server}}{{endpoint}}") shouldBe "the variable server has no value"
        reason("GET {{ordersUrl}}") shouldBe "the variable ordersUrl has no value"
        reason("@base = http://localhost:8080\nGET {{base}}{{endpoint}}/7") shouldBe "the variable endpoint has no value"
        val imported = imported("GET {{base}}/a\nX-Trace: {{trace}}\nAuthorization: Basic {{username}} {{password}}")
        imported.operations.single().headers shouldBe emptyMap()
        imported.secrets shouldBe mapOf("header Authorization" to 1)
        imported.notes shouldContain "The header X-Trace is not imported: its variable trace has no value."
        imported.notes.last() shouldBe "{{base}} has no value. If its value ends with a path, as /api, the paths lack it."
    }

    @Test
    fun `generated variables have one value, and shared ones belong to each environment`() {
        val generated = imported("GET http://localhost/{{\$uuid}}/{{\$randomInt}}?at={{\$timestamp}}&n={{\$randomInt 1 9}}")
        generated.operations.single().path shouldBe "/6f1d9f1c-6a4f-4c1b-9a58-0d7c4f0a2c11/7?at=1767225600&n=7"
        generated.notes.last() shouldBe
            "Generated variables have the same value in each request: \$uuid, \$randomInt, \$timestamp, \$randomInt 1 9."
        only("GET http://localhost/{{\$random.integer(1, 9)}}/{{\$randomEmail}}/{{\$random.alphabetic(8)}}").path shouldBe
            "/7/ada@example.com/sample"
        val environments = """{ "${'$'}shared": { "version": "v1" }, "dev": { "host": "http://localhost:8080", "id": "7" } }"""
        val options = ImportOptions(above = { environments })
        val read = readImport("x.http", "GET {{host}}/{{version}}/orders/{{id}}".encodeToByteArray(), options) as Read.Sound
        read.value.operations.single().path shouldBe "/v1/orders/7"
        read.value.notes.first() shouldBe "Variables are those of the environment `dev` in http-client.env.json."
    }

    @Test
    fun `queries of GraphQL are sent as JSON with their variables`() {
        val query = "query Order(\$id: ID!) {\n  order(id: \$id) { name }\n\n}"
        val sent = """{"query":"query Order(${'$'}id: ID!) {\n  order(id: ${'$'}id) { name }\n\n}","variables":"""
        only("GRAPHQL http://localhost/graphql\n\n$query\n\n{\n  \"id\": \"7\"\n}").body shouldBe "$sent{\"id\":\"7\"}}"
        val marked = only("POST http://localhost/graphql\nX-REQUEST-TYPE: GraphQL\nX-A: 1\n\n$query")
        marked.body shouldBe "$sent{}}"
        marked.headers shouldBe mapOf("X-A" to "1", "Content-Type" to "application/json")
    }

    @Test
    fun `a body without an empty line before it is not sent as none`() {
        fun without(lines: String) = leftOut(imported("GET http://localhost/ok\n\n###\nPOST http://localhost/x\nX-A: 1\n$lines"))
        val reason = mapOf("no empty line is before its body, or a header has no colon" to "POST http://localhost/x")
        listOf("{\n  \"a\": 1\n}", "a=1&b=2", "Accept */*").map(::without).distinct() shouldBe listOf(reason)
        without("> handler.js\n<> answer.json") shouldBe emptyMap()
    }

    @Test
    fun `a request that follows without a separator is not sent as a body`() {
        val joined = "POST http://localhost/a\n\n{}\n\nGET http://localhost/b"
        leftOut(imported("GET http://localhost/ok\n\n###\n$joined")) shouldBe
            mapOf("another request follows without ### between them" to "POST http://localhost/a")
        only("POST http://localhost/a\n\nhttp://localhost/b\nGET on").body shouldBe "http://localhost/b\nGET on"
    }

    @Test
    fun `the type of a body has letters of either case`() {
        only("POST http://localhost/a\nContent-Type: Application/Json\n\n{ \"a\": \"{id}\" }").body shouldBe
            "{ \"a\": \"\\u007bid}\" }"
    }

    @Test
    fun `comments in an address of several lines, indented headers and a script before the request are no part of the address`() {
        val sent = only("< ./before.js\nGET http://localhost/a\n  ?x=1\n  # &y=2\n  &z=10:30\n  Accept: text/html\n")
        sent.path shouldBe "/a?x=1&z=10:30"
        sent.headers shouldBe mapOf("Accept" to "text/html")
    }

    @Test
    fun `a generated time has the format that is asked for`() {
        val query = "from={{\$datetime 'YYYY-MM-DD'}}&to={{\$localDatetime \"DD.MM.YYYY HH:mm\" 1 d}}"
        only("GET http://localhost/a?$query").path shouldBe "/a?from=2026-01-01&to=01.01.2026%2000:00"
        only("GET http://localhost/a\nX-At: {{\$datetime rfc1123 -1 d}}").headers.values.single() shouldBe
            "Thu, 01 Jan 2026 00:00:00 GMT"
    }

    @Test
    fun `an environment that is nested too deep has no values`() {
        val read = readImport("x.http", "GET {{a}}/b".encodeToByteArray(), ImportOptions(above = { "{\"a\":".repeat(100_000) }))
        (read as Read.Sound).value.operations.single().path shouldBe "/b"
    }

    @Test
    fun `conditions of a script expect no status`() {
        only("GET http://localhost/a\n\n> {% if (response.status === 401) { client.log('x') } %}").status shouldBe 200
    }

    // order.json has { "item": "milk", "pieces": 1 }.
    @Test
    fun `the parts of a multipart body are sent with CRLF, files of text among them, also behind an end too early`() {
        val sent = only(
            """
            POST http://localhost/u
            Content-Type: multipart/form-data; boundary="Web"
            X-A: 1

            --Web
            Content-Disposition: form-data; name="item"

            tea
            milk
            --Web--

            --Web
            Content-Disposition: form-data; name="order"; filename="order.json"
            Content-Type: application/json

            < ./order.json
            --Web
            Content-Disposition: form-data; name="empty"

            --Web--
            """.trimIndent(),
        )
        sent.headers shouldBe mapOf("X-A" to "1", "Content-Type" to "multipart/form-data; boundary=boot-dyno-field")
        sent.body shouldBe """
            --boot-dyno-field
            Content-Disposition: form-data; name="item"

            tea
            milk
            --boot-dyno-field
            Content-Disposition: form-data; name="order"; filename="order.json"
            Content-Type: application/json

            { "item": "milk", "pieces": 1 }
            --boot-dyno-field
            Content-Disposition: form-data; name="empty"


            --boot-dyno-field--

        """.trimIndent().replace("\n", "\r\n")
    }

    @Test
    fun `a part of a multipart body with a secret or a file that is no text leaves out the request`() {
        val head = "GET http://localhost/ok\n\n###\nPOST http://localhost/u\nContent-Type: multipart/form-data; boundary=b"
        fun reason(part: String) = leftOut(imported("$head\n\n--b\n$part\n--b--")).keys.single()
        reason("Content-Disposition: form-data; name=\"password\"\n\nhunter2") shouldBe "its body has a secret"
        reason("Content-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\n\n< ./a.png") shouldBe
            "the file ./a.png of its body is missing, or no text"
    }

    @Test
    fun `a method may have small letters, and assertions of httpyac are no part of a request`() {
        val text = "get http://localhost/a\n?? status == 201\n\n###\npost /b\nHost: localhost\n\n{}\n?? status == 202\n"
        lines(imported(text)) shouldBe listOf("a GET /a 201 ×1", "post-b POST /b 202 ×1")
        leftOut(imported("GET http://localhost/a\n\n###\nGet all orders")).keys shouldBe setOf("this is no request line")
    }

    @Test
    fun `variables have the values of VS Code's settings, of the environment that has an address of the application`() {
        val settings = """
            // Settings
            {
              "editor.tabSize": 2, /* of two */
              "rest-client.environmentVariables": {
                "${'$'}shared": { "version": "v1", },
                "production": { "host": "https://shop.test//" },
                "local": { "host": "localhost:8080", "id": "7" } // mine
              },
            }
        """
        val options = ImportOptions(above = { name -> settings.takeIf { name == ".vscode/settings.json" } })
        val read = readImport("x.http", "GET {{host}}/{{version}}/orders/{{id}}".encodeToByteArray(), options) as Read.Sound
        read.value.operations.single().path shouldBe "/v1/orders/7"
        read.value.notes.first() shouldBe "Variables are those of the environment `local` in .vscode/settings.json."
    }
}
