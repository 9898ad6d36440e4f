package bootdyno.imports

import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class OpenApiTest {
    @Test
    fun `springdoc's JSON gives its GET operations with values, below the path of its server`() {
        val imported = importedFixture("springdoc.json")
        imported.kind shouldBe "OpenAPI 3.1.0 document"
        lines(imported).shouldContainExactly(
            "list GET /shop/orders?page=0&size=1 200 ×1",
            "read GET /shop/orders/1 200 ×1",
            "list_1 GET /shop/orders/6f1d9f1c-6a4f-4c1b-9a58-0d7c4f0a2c11/stock?size=SMALL 204 ×1",
        )
        imported.operations.last().headers shouldBe mapOf("X-Tenant" to "acme")
        imported.secrets shouldBe mapOf("header X-Auth-Token" to 1)
        leftOut(imported).shouldContainExactly(
            mapOf(
                "only GET operations are imported from OpenAPI" to "POST /orders",
                "its parameter name has no example, default or enum" to "GET /customers/{name}",
                "its path has a secret" to "GET /reset/{token}",
                "a stream of events has no end" to "GET /ticks",
                "not for users" to "GET /actuator/health",
            ),
        )
        imported.leftOut.first().count shouldBe 2
        imported.notes.joinToString("\n") shouldContain "No example is declared for page (0), size (1), id (1)."
        imported.notes.joinToString("\n") shouldContain "Some operations need authentication (bearerAuth)"
    }

    @Test
    fun `an expression in YAML may have a NUL character`() {
        val schemas = "components: { schemas: { Name: { pattern: \"^[ \\0-\\x7f]*$\" } } }"
        lines(imported("openapi: 3.0.1\n$schemas\npaths: { /a: { get: {} } }")).shouldContainExactly("a GET /a 200 ×1")
    }

    @Test
    fun `springdoc's YAML gives the same as its JSON would`() {
        lines(importedFixture("springdoc.yaml")).shouldContainExactly(
            "listVets GET /vets?q=O%27Neil%20%26%20son 200 ×1",
            "readPet GET /owners/3/pets/7 200 ×1",
        )
    }

    @Test
    fun `headers that OpenAPI ignores as parameters need no value`() {
        fun header(name: String, value: String = "") =
            """{ "name": "$name", "in": "header", "required": true, "schema": { "type": "string" $value } }"""
        val all = listOf(
            header("Accept", """, "enum": [ "text/csv" ]"""),
            header("content-type"),
            header("X-A", """, "default": "1""""),
        )
        val get = """{ "parameters": [ ${all.joinToString()} ] }"""
        val imported = imported("""{ "openapi": "3.0.0", "paths": { "/a": { "get": $get } } }""")
        imported.operations.single().headers shouldBe mapOf("X-A" to "1")
    }

    @Test
    fun `Swagger 2 has its values in the parameters`() {
        val imported = imported(
            """
            swagger: "2.0"
            basePath: /api
            paths:
              /pets:
                get:
                  parameters: [ { name: limit, in: query, required: true, type: integer, default: 20 } ]
                  responses: { "200": { description: OK } }
            """.trimIndent(),
        )
        lines(imported).shouldContainExactly("api-pets GET /api/pets?limit=20 200 ×1")
    }

    @Test
    fun `references in a circle, to nowhere and to other files leave out their operation only`() {
        val missing = "and there is no such text file of at most 1 MiB: bundle the document into one file before"
        val imported = imported(
            """
            { "openapi": "3.0.1", "paths": {
              "/a": { "get": { "parameters": [ { "${'$'}ref": "#/components/parameters/a" } ] } },
              "/b": { "get": { "parameters": [ { "${'$'}ref": "#/components/parameters/none" } ] } },
              "/c": { "${'$'}ref": "other.yaml#/c" },
              "/d/{x}": { "get": {} },
              "/e": { "get": { "parameters": [
                { "name": "e", "in": "query", "required": true, "schema": { "${'$'}ref": "#/components/schemas/E" } } ] } },
              "/good": { "get": {} } },
              "components": { "parameters": { "a": { "${'$'}ref": "#/components/parameters/a" } },
                "schemas": { "E": { "allOf": [ { "${'$'}ref": "#/components/schemas/E" } ] } } } }
            """,
        )
        lines(imported).shouldContainExactly("good GET /good 200 ×1")
        leftOut(imported).shouldContainExactly(
            mapOf(
                "its reference refers to itself" to "GET /a",
                "#/components/parameters/none does not exist" to "GET /b",
                "it refers to other.yaml, $missing" to "/c",
                "its path has a parameter that is not declared" to "GET /d/{x}",
                "its schema refers to itself" to "GET /e",
            ),
        )
    }

    @Test
    fun `an operation with one response other than 200 expects it`() {
        val imported =
            imported("""{ "openapi": "3.0.1", "paths": { "/x": { "get": { "responses": { "default": {}, "206": {} } } } } }""")
        imported.operations.map { it.status } shouldContain 206
    }

    @Test
    fun `an operation that documents other statuses than successes only is left out`() {
        fun document(vararg responses: String) = imported(
            responses.withIndex().joinToString(",", """{"openapi":"3.0.0","paths":{"/ok":{"get":{}},""", "}}") { (at, of) ->
                """"/$at":{"get":{"responses":{${of.split(' ').joinToString { "\"$it\":{}" }}}}}"""
            },
        )
        leftOut(document("302", "404 302")) shouldBe mapOf("status 302 is documented" to "GET /0")
        lines(document("default", "2XX 404", "404 default", "404 204")).last() shouldBe "request-3 GET /3 204 ×1"
    }

    @Test
    fun `an id is not 0, whatever its minimum, and no value is an excluded bound`() {
        fun parameter(name: String, bounds: String = "\"minimum\":0") =
            """{"name":"$name","in":"query","required":true,"schema":{"type":"integer",$bounds}}"""
        val first = listOf("\"minimum\":0,\"exclusiveMinimum\":true", "\"exclusiveMinimum\":4").map { parameter("n", it) }
        fun path(vararg parameters: String) =
            imported("""{"openapi":"3.0.0","paths":{"/a":{"get":{"parameters":[${parameters.joinToString()}]}}}}""")
                .operations.single().path
        path(parameter("item_id"), parameter("page")) shouldBe "/a?item_id=1&page=0"
        first.map { path(it) } shouldBe listOf("/a?n=1", "/a?n=5")
    }

    @Test
    fun `Swagger 1 is named`() {
        problemOf(read("""{"swaggerVersion":"1.2","apis":[]}""")).message shouldBe "OpenAPI `1.2` is unknown"
    }

    @Test
    fun `the paths of a document that need no headers may be requested at once`() {
        val document = """
            { "openapi": "3.1.0", "servers": [ { "url": "http://localhost:8080/shop" } ],
              "components": { "parameters": { "id": { "name": "id", "in": "path", "required": true, "example": "a b" } } },
              "paths": {
                "/orders": { "get": { "parameters": [ { "name": "page", "in": "query", "schema": { "default": 0 } } ] }, "post": {} },
                "/orders/{id}": { "parameters": [ { "${'$'}ref": "#/components/parameters/id" } ], "get": {} },
                "/items/{item}": { "get": { "parameters": [
                  { "name": "item", "in": "path", "required": true, "schema": { "type": "integer" } },
                  { "name": "size", "in": "query", "required": true, "schema": { "enum": [ "s", "l" ] } } ] } },
                "/users/{name}": { "get": { "parameters": [
                  { "name": "name", "in": "path", "required": true, "schema": { "type": "string" } } ] } },
                "/carts": { "get": { "parameters": [ { "name": "X-User", "in": "header", "required": true, "example": "1" } ] } },
                "/checkout": { "post": {} },
                "/actuator/info": { "get": {} } } }
        """
        openApiPaths(document).shouldContainExactly("/shop/orders", "/shop/orders/a%20b", "/shop/items/1?size=s")
        openApiPaths("{}").shouldBeEmpty()
        openApiPaths("<html>").shouldBeEmpty()
    }

    @Test
    fun `deep objects have their names in brackets`() {
        val imported = imported(
            """
            openapi: 3.0.3
            paths:
              /deep: { get: { parameters: [ { in: query, name: filter, required: true, style: deepObject,
                schema: { properties: { size: { example: 5 }, color: { enum: [ red ] } } } } ] } }
            """.trimIndent(),
        )
        imported.operations.single().path shouldBe "/deep?filter%5Bsize%5D=5&filter%5Bcolor%5D=red"
    }

    private fun importedBeside(files: Map<String, String>, paths: String): Imported {
        val parameter = "{ in: query, name: n, required: true, example: 5 }"
        val document = "openapi: 3.0.3\ncomponents: { parameters: { n: $parameter } }\npaths:$paths"
        val options = ImportOptions(file = { files[it]?.replace("@", "\$ref") })
        return (readImport("docs/api.yaml", document.replace("@", "\$ref").encodeToByteArray(), options) as Read.Sound).value
    }

    @Test
    fun `references to files in the folder of the document, or below, are read, also from those files`() {
        val files = mapOf(
            "paths/orders.yaml" to """
                get: { parameters: [ { @: "#/own" }, { @: "../parts.json#/list/1" }, { @: "../api.yaml#/components/parameters/n" } ] }
                own: { in: query, name: own, required: true, schema: { @: ./size.yaml } }
            """.trimIndent(),
            "paths/size.yaml" to "{ enum: [ s, l ] }",
            "parts.json" to
                """{ "list": [ 0, { "in": "query", "name": "p", "required": true, "example": 2 } ], "all": { "@": "index.yaml" } }""",
            "index.yaml" to "a/{b}: { get: {} }\nvets: { get: { parameters: [ { in: query, name: v, example: 1 } ] } }",
            "all.yaml" to "{ /vets: { @: 'parts.json#/all/vets' }, /b: { @: 'index.yaml#/a~1%7Bb%7D' } }",
        )
        lines(importedBeside(files, " { /orders: { get: { @: './paths/orders.yaml#/get' } } }")).single() shouldBe
            "orders GET /orders?own=s&p=2&n=5 200 ×1"
        importedBeside(files, " { @: all.yaml }").operations.map { it.path } shouldBe listOf("/vets?v=1", "/b")
    }

    @Test
    fun `references to files elsewhere, in a circle, or damaged leave out their operation with the reason`() {
        val asked = mutableListOf<String>()
        val files = mapOf(
            "a.yaml" to "x: { @: 'b.yaml#/x' }",
            "b.yaml" to "x: { @: 'a.yaml#/x' }",
            "bad.json" to "{ \"x\": ",
            "up/u.yaml" to "x: { @: ../../o.yaml }",
        )
        val network = "https://shop.test/o.yaml"
        val where =
            listOf("a.yaml#/x", "bad.json", "../o.yaml#/x", "/etc/o.yaml", network, "up/u.yaml#/x", "a.yaml#/y", "a.yaml#x", "..")
        val document = where.withIndex().joinToString("") { (at, of) -> "\n  /$at: { @: '$of' }" } + "\n  /ok: { get: {} }"
        val options = ImportOptions(file = { name -> files[name].also { asked += name }?.replace("@", "\$ref") })
        val text = "openapi: 3.0.3\npaths:" + document.replace("@", "\$ref")
        val imported = (readImport("api.yaml", text.encodeToByteArray(), options) as Read.Sound).value
        lines(imported).single() shouldBe "ok GET /ok 200 ×1"
        val notJson = "this is not JSON: Cannot read Json element because of unexpected end of the input"
        val outside = "outside the folder of the document: bundle the document into one file before"
        leftOut(imported) shouldContainExactly mapOf(
            "its reference refers to itself" to "/0",
            "it refers to bad.json, in which line 1 is wrong: $notJson" to "/1",
            "it refers to ../o.yaml, $outside" to "/2",
            "it refers to /etc/o.yaml, $outside" to "/3",
            "it refers to $network, $outside" to "/4",
            "a.yaml#/y does not exist" to "/6",
            "a.yaml#x does not exist" to "/7",
            "it refers to .., $outside" to "/8",
        )
        imported.leftOut.single { it.reason == "it refers to ../o.yaml, $outside" }.requests shouldBe listOf("/2", "/5")
        asked shouldBe listOf("a.yaml", "b.yaml", "bad.json", "up/u.yaml")
    }

    @Test
    fun `files of more than 8 MB together are not read`() {
        val large = """{ "x": { "get": {} }, "y": "${"x".repeat(1_000_000)}" }"""
        val files = (0..8).associate { "$it.json" to large }
        val imported = importedBeside(files, (0..8).joinToString("") { "\n  /$it: { @: '$it.json#/x' }" })
        imported.operations.map { it.path } shouldBe (0..6).map { "/$it" }
        leftOut(imported).keys.first() shouldBe
            "it refers to 7.json, and all such files have more than 8 MB: bundle the document into one file before"
    }

    @Test
    fun `the base path is that of the server on this machine, and that of another is named`() {
        fun read(vararg urls: String) =
            imported("""{"openapi":"3.0.0","servers":[${urls.joinToString { """{"url":"$it"}""" }}],"paths":{"/a":{"get":{}}}}""")
        read("https://mock.test/m/1", "http://localhost:8080/api").run {
            operations.single().path shouldBe "/api/a"
            notes shouldBe emptyList()
        }
        read("https://mock.test/m/1", "https://shop.test/v2").run {
            operations.single().path shouldBe "/v2/a"
            notes.single() shouldBe "Paths begin with /v2 of shop.test, the document's server. " +
                "If the application has another context path, correct `servers`."
        }
    }

    @Test
    fun `a server without a scheme is a host, and a query in a path goes on`() {
        fun path(server: String, path: String = "/a") = imported(
            """{"openapi":"3.0.0","servers":[{"url":"$server"}],"paths":{"$path":{"get":{"parameters":[
                {"name":"n","in":"query","required":true,"example":"7"}]}}}}""",
        ).operations.single().path
        val unknown = listOf("{scheme}://{host}:{port}/v1", "{base}/v1")
        (unknown + listOf("localhost:8080/v1", "//shop.test/v1", "shop.test/v1", "127.0.0.1:80/v1", "v1", "http://shop.test/v1"))
            .map { path(it) }.distinct() shouldBe listOf("/v1/a?n=7")
        path("v1.0") shouldBe "/v1.0/a?n=7"
        path("/", "/a?b=1") shouldBe "/a?b=1&n=7"
    }
}
