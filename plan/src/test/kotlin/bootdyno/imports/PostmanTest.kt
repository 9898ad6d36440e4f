package bootdyno.imports

import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class PostmanTest {
    @Test
    fun `a collection is read with its folders, variables, bodies and the status of its tests`() {
        val imported = importedFixture("collection.postman.json")
        imported.kind shouldBe "Postman collection"
        lines(imported).shouldContainExactly(
            "List-orders GET /orders?page=0 200 ×1",
            "Read-order GET /orders/7 200 ×1",
            "Create-order POST /orders 201 ×1",
            "Form POST /basket 202 ×1",
            "Graph POST /graphql 200 ×1",
            "Plain GET /plain 200 ×1",
        )
        val (list, _, create, form, graph) = imported.operations
        list.headers shouldBe mapOf("Accept" to "application/json")
        create.body shouldBe """{ "item": "tea & milk" }"""
        create.headers shouldBe mapOf("Content-Type" to "application/json")
        form.body shouldBe "item=tea%20%26%20milk"
        graph.body shouldBe """{"query":"{ orders { id } }","variables":{}}"""
        imported.notes.single() shouldContain "Status 200 is expected where the file names none."
        leftOut(imported).shouldContainExactly(
            mapOf(
                "its body has a file" to "POST http://localhost:8080/photos",
                "the variable adminPassword is a secret" to "POST http://localhost:8080/login",
                "the variable unknownId has no value" to "GET http://localhost:8080/items/{{unknownId}}",
                "it has no address" to "No address",
                "other host postman-echo.com" to "GET https://postman-echo.com/get",
            ),
        )
    }

    @Test
    fun `secrets of a collection are named, not imported`() {
        val imported = importedFixture("collection.postman.json")
        imported.secrets shouldBe mapOf("auth block bearer" to 1)
        imported.toString() shouldNotContain "s3cr3t"
        imported.toString() shouldNotContain "hunter2"
    }

    @Test
    fun `other exports of Postman are named`() {
        problemOf(read("""{ "requests": [], "order": [] }""")).message shouldBe "is a Postman collection v1"
        problemOf(read("""{ "values": [], "_postman_variable_scope": "environment" }""")).message shouldBe
            "is a Postman environment"
    }

    private fun collection(vararg items: String) = """{"info":{},"item":[${items.joinToString()}]}"""

    @Test
    fun `an empty body of a form, and an address in parts, are requests without a body`() {
        val url = """{"protocol":"http","host":["localhost"],"port":"8080","path":["orders","1"],
            "query":[{"key":"a","value":"2"},{"key":"b","value":"3","disabled":true}]}"""
        val imported = imported(
            collection(
                """{"name":"list","request":{"url":"http://localhost/orders","method":"GET","body":{"mode":"formdata","formdata":[]}}}""",
                """{"name":"file","request":{"url":"http://localhost/f","method":"GET","body":{"mode":"file","file":{}}}}""",
                """{"name":"parts","request":{"url":$url,"method":"GET","body":{"mode":"raw","raw":""}}}""",
            ),
        )
        lines(imported).shouldContainExactly("list GET /orders 200 ×1", "file GET /f 200 ×1", "parts GET /orders/1?a=2 200 ×1")
        imported.operations.map { it.body }.distinct() shouldBe listOf(null)
    }

    @Test
    fun `an empty value is sent, unless it makes up the host or a script sets it`() {
        val header = """"header":[{"key":"X-A","value":"{{e}}"}]"""
        fun get(url: String, more: String = "") = """{$more"request":{"method":"GET","url":"$url",$header}}"""
        val script = """"event":[{"listen":"test","script":{"exec":["pm.environment.set(\"id\", pm.response.json().id)"]}}],"""
        val variables = """"variable":[{"key":"base","value":""},{"key":"port","value":""},{"key":"id","value":""},
            {"key":"e","value":""},{"key":"context","value":"{{e}}"},{"key":"size","value":"5"},{"key":"none","value":null}]"""
        val items = listOf(
            get("{{base}}/a/{{e}}/b", script),
            get("{{base}}/c?q={{e}}&size={{size}}"),
            get("http://{{base}}:{{port}}/d{{context}}"),
            get("http://localhost:8080{{context}}/e"),
            get("http://localhost:{{port}}/f?q={{e}}"),
            get("{{base}}/{{id}}"),
            get("{{base}}/{{none}}"),
            get("{{base}}{{e}}"),
        )
        val imported = imported("""{"info":{},"item":[${items.joinToString()}],$variables}""")
        imported.operations.map { it.path } shouldBe listOf("/a//b", "/c?q=&size=5", "/d", "/e", "/f?q=")
        imported.operations.map { it.headers }.distinct() shouldBe listOf(mapOf("X-A" to ""))
        leftOut(imported).keys shouldBe listOf("id", "none", "base").map { "the variable $it has no value" }.toSet()
    }

    @Test
    fun `the body of a GET is not sent, unless its setting says so`() {
        fun get(name: String, more: String = "") = """{"name":"$name","request":{"url":"http://localhost/$name","method":"GET",
            "body":{"mode":"raw","raw":"{}","options":{"raw":{"language":"json"}}}}$more}"""
        val (pruned, sent) =
            imported(collection(get("a"), get("b", ""","protocolProfileBehavior":{"disableBodyPruning":true}"""))).operations
        pruned.body shouldBe null
        pruned.headers shouldBe emptyMap()
        sent.body shouldBe "{}"
    }

    @Test
    fun `the auth block of a folder is named, and a raw body has the content type of its language`() {
        val imported = imported(
            collection(
                """{"name":"admin","auth":{"type":"bearer"},"item":[{"name":"x","request":{"method":"POST","url":"http://localhost/x",
                   "body":{"mode":"raw","raw":"<a/>","options":{"raw":{"language":"xml"}}}}}]}""",
            ),
        )
        imported.secrets shouldBe mapOf("auth block bearer" to 1)
        imported.operations.single().headers shouldBe mapOf("Content-Type" to "application/xml")
        val plain = """{"request":{"method":"PUT","url":"http://localhost/x","body":{"mode":"raw","raw":"{}"}}}"""
        imported(collection(plain)).operations.single().headers shouldBe mapOf("Content-Type" to "text/plain")
    }

    @Test
    fun `requests whose test or saved response is a failure are left out`() {
        fun item(name: String, test: String) = """{"name":"$name","event":[{"listen":"test","script":{"exec":["$test"]}}],
            "request":{"method":"GET","url":"http://localhost/$name"}}"""
        val imported = imported(
            collection(
                item("a", "pm.response.to.have.status(404)"),
                item("b", "pm.response.to.have.status('Conflict')"),
                item("c", "pm.expect(pm.response.code).to.equal(400)"),
                item("d", "pm.response.to.be.forbidden"),
                item("e", "tests['x'] = responseCode.code === 500"),
                item("kind", "pm.response.to.be.clientError"),
                """{"name":"f","response":[{"code":410}],"request":{"method":"GET","url":"http://localhost/f"}}""",
                item("created", "pm.response.to.have.status('Created')"),
                item("either", "pm.expect(pm.response.code).to.be.oneOf([404, 202])"),
                item("list", "pm.expect([201, 200]).to.include(pm.response.code)"),
            ),
        )
        lines(imported)
            .shouldContainExactly("created GET /created 201 ×1", "either GET /either 202 ×1", "list GET /list 201 ×1")
        imported.leftOut.map { it.reason }.shouldContainExactly(listOf(404, 409, 400, 403, 500, 410).map { "status $it" })
        imported.leftOut.single { it.reason == "status 400" }.count shouldBe 2
    }

    @Test
    fun `a form of several parts without a file is sent as such`() {
        fun form(name: String, vararg fields: String) =
            """{"name":"$name","request":{"url":"http://localhost/$name","method":"POST",
            "body":{"mode":"formdata","formdata":[${fields.joinToString()}]}}}"""
        val plain = """{"key":"item","value":"tea","type":"text"}"""
        val imported = imported(
            collection(
                form(
                    "basket",
                    plain,
                    """{"key":"more","value":"{}","contentType":"application/json"}""",
                    """{"key":"off","disabled":true}""",
                ),
                form("login", plain, """{"key":"password","value":"hunter2"}"""),
                form("csrf", plain, """{"key":"_csrf","value":"7"}"""),
                form("unknown", """{"key":"item","value":"{{item}}"}"""),
            ),
        )
        val sent = imported.operations.single()
        sent.headers shouldBe mapOf("Content-Type" to "multipart/form-data; boundary=boot-dyno-field")
        sent.body shouldBe """
            --boot-dyno-field
            Content-Disposition: form-data; name="item"

            tea
            --boot-dyno-field
            Content-Disposition: form-data; name="more"
            Content-Type: application/json

            {}
            --boot-dyno-field--

        """.trimIndent().replace("\n", "\r\n")
        leftOut(imported).shouldContainExactly(
            mapOf(
                "its body has a secret" to "POST http://localhost/login",
                "its body has a CSRF token, which belongs to one session" to "POST http://localhost/csrf",
                "the variable item has no value" to "POST http://localhost/unknown",
            ),
        )
    }

    private fun called(files: Map<String, String>) = { wanted: (String) -> Boolean -> files.filterKeys(wanted) }

    @Test
    fun `variables have the values of the environment beside the collection that has an address of the application`() {
        fun environment(base: String) = """{"name":"x","values":[{"key":"base","value":"$base","enabled":true},
            {"key":"id","value":"8"},{"key":"size","value":"5","enabled":false},{"key":"word","value":"abc","type":"secret"}],
            "_postman_variable_scope":"environment"}"""
        fun get(path: String) = """{"request":{"method":"GET","url":"{{base}}$path"}}"""
        val text = """{"info":{},"item":[${listOf("/a/{{id}}", "/b?size={{size}}", "/c/{{word}}").joinToString { get(it) }}],
            "variable":[{"key":"id","value":"7"}]}"""
        val files = mapOf(
            "a.postman_environment.json" to environment("https://staging.example"),
            "b.postman_environment.json" to environment("http://localhost:8080/api"),
            "c-environment.json" to "{{",
        )
        val read = readImport("file", text.encodeToByteArray(), ImportOptions(called = called(files)))
        val imported = (read as Read.Sound).value
        imported.operations.map { it.path } shouldBe listOf("/api/a/8")
        imported.notes.first() shouldBe "Variables are those of the environment in b.postman_environment.json."
        imported.secrets shouldBe mapOf("variable word" to 1)
        leftOut(imported).keys shouldBe setOf("the variable size has no value", "the variable word has no value")
    }

    @Test
    fun `conditions, comments, denials, other values and scripts before the request expect no status`() {
        fun item(name: String, exec: String, listen: String = "test") = """{"name":"$name",
            "event":[{"listen":"$listen","script":{"exec":$exec}}],"request":{"method":"GET","url":"http://localhost/$name"}}"""
        val imported = imported(
            collection(
                item("a", """["if (pm.response.code === 401 || old()) {","}","pm.response.to.have.status(201)"]"""),
                item("b", """["// pm.response.to.have.status(404);","/* responseCode.code === 500 */"]"""),
                item("c", """["pm.response.to.not.have.status(404)","pm.expect(pm.response).not.to.have.status(500)"]"""),
                item("d", """["pm.expect(order.code).to.eql(404); pm.expect(order.token).to.be.ok"]"""),
                item("e", """["pm.response.to.have.status(404)"]""", listen = "prerequest"),
                item("f", "\"pm.test('x', () => pm.response.to.have.status(202))\""),
            ),
        )
        imported.operations.map { it.status }.shouldContainExactly(201, 200, 200, 200, 200, 202)
        imported.leftOut shouldBe emptyList()
    }

    @Test
    fun `a disabled body, comments in JSON, headers in one text and the name of an operation are as Postman sends them`() {
        fun post(body: String, header: String = "[]") = imported(
            collection("""{"request":{"method":"POST","url":"http://localhost/x","header":$header,"body":$body}}"""),
        ).operations.single()
        post("""{"mode":"raw","raw":"{}","disabled":true}""").run { body to headers shouldBe (null to emptyMap()) }
        val json = """"options":{"raw":{"language":"json"}}"""
        post("""{"mode":"raw","raw":"{ // one\n\"a\": \"//b\" /* two\n*/ }",$json}""").body shouldBe "{ \n\"a\": \"//b\"  }"
        post("""{"mode":"raw","raw":"// text"}""").body shouldBe "// text"
        fun typed(type: String) = post("""{"mode":"raw","raw":"{} // a"}""", """[{"key":"Content-Type","value":"$type"}]""").body
        listOf("application/json", "application/hal+json; charset=UTF-8", "text/plain").map(::typed) shouldBe
            listOf("{} ", "{} ", "{} // a")
        post("""{"mode":"raw","raw":"{}"}""", "\"Content-Type: application/json\\nX-A: b:c\\n\"").headers shouldBe
            mapOf("Content-Type" to "application/json", "X-A" to "b:c")
        post("""{"mode":"graphql","graphql":{"query":"query A { a }","operationName":"A","variables":{"id":7}}}""").body shouldBe
            """{"query":"query A { a }","operationName":"A","variables":{"id":7}}"""
    }

    @Test
    fun `a word behind a variable without a value may be a path`() {
        fun get(url: String) = """{"request":{"method":"GET","url":"$url"}}"""
        val imported =
            imported(collection(get("{{baseUrl}}orders/7"), get("{{tenant}}.shop.test/a"), get("http://api-{{env}}/b")))
        imported.operations.map { it.path } shouldBe listOf("/a", "/b")
        leftOut(imported).keys shouldBe setOf("the variable baseUrl has no value")
    }

    @Test
    fun `an address is sent from its parts, of which some may be disabled`() {
        fun get(url: String) = """{"request":{"method":"GET","url":{$url}}}"""
        val parts = """"protocol":"http","host":["localhost"],"port":"8080","path":["a",":id"]"""
        val query = """"query":[{"key":"x","value":"1","disabled":true},{"key":"y","value":"#2"},{"key":"a=b","value":"c&d=e"}]"""
        val items = listOf(
            get(""""raw":"http://localhost:8080/a/:id?x=1&y=#2",$parts,$query,"variable":[{"key":"id","value":"7"}]"""),
            get(""""host":["localhost"],"path":["","c",""]"""),
            get(""""host":"localhost","path":"/d/""""),
            get(""""raw":"{{url}}","host":["{{url}}"]"""),
            get(""""raw":"{{url}}?z=1","host":["{{url}}"],"query":[{"key":"z","value":"1"}]"""),
        )
        val variables = """"variable":[{"key":"url","value":"http://localhost/b"}]"""
        imported("""{"info":{},"item":[${items.joinToString()}],$variables}""").operations.map { it.path }
            .shouldContainExactly("/a/7?y=%232&a%3Db=c%26d=e", "//c/", "/d/", "/b", "/b?z=1")
    }

    @Test
    fun `parameters with an empty key or without a value are sent as Postman sends them`() {
        fun pathOf(url: String) = imported(collection("""{"request":{"method":"GET","url":$url}}""")).operations.single().path

        fun path(vararg query: String) = pathOf("""{"host":["localhost"],"path":["a"],"query":[${query.joinToString()}]}""")
        val foo = """{"key":"foo","value":null}"""
        val disabled = """{"key":"off","value":"1","disabled":true}"""
        path("""{"key":"","value":null}""", foo) shouldBe "/a?&foo"
        path("""{"key":null,"value":null}""", foo, """{"key":"b","value":""}""") shouldBe "/a?&foo&b="
        path("""{"value":"1"}""", foo) shouldBe "/a?=1&foo"
        path(disabled, foo, disabled) shouldBe "/a?foo"
        path(disabled) shouldBe "/a"
        path("""{"key":""}""", disabled) shouldBe "/a?"
        pathOf("\"http://localhost/a?&foo&&b\"") shouldBe "/a?&foo&&b"
    }

    @Test
    fun `the file of an environment has that word in its name, and an address may have no scheme`() {
        val text = """{"info":{},"item":[{"request":{"method":"GET","url":"{{base}}/a"}}]}"""
        fun environment(base: String) = """{"values":[{"key":"base","value":"$base"}]}"""
        val files = mapOf(
            "aenvironment.json" to environment("shop.test/api"),
            "Environment_local.json" to environment("localhost:8080/api"),
            "environment.json.txt" to environment("localhost:8080/text"),
            "orders.json" to environment("localhost:8080/orders"),
        )
        val read = readImport("file", text.encodeToByteArray(), ImportOptions(called = called(files)))
        (read as Read.Sound).value.operations.map { it.path } shouldBe listOf("/api/a")
        read.value.notes.first() shouldBe "Variables are those of the environment in Environment_local.json."
    }

    @Test
    fun `a form has the type of its mode, whatever its header says`() {
        fun type(mode: String, header: String) = imported(
            collection(
                """{"request":{"url":"http://localhost/x","method":"POST","header":[{"key":"content-type","value":"$header"}],
                "body":{"mode":"$mode","$mode":[{"key":"a","value":"1"}]}}}""",
            ),
        ).operations.single().headers.values.single()
        type("formdata", "multipart/form-data") shouldBe "multipart/form-data; boundary=boot-dyno-field"
        type("formdata", "multipart/form-data; boundary=x") shouldBe "multipart/form-data; boundary=boot-dyno-field"
        type("urlencoded", "application/json") shouldBe "application/x-www-form-urlencoded"
        val ofUtf8 = "application/x-www-form-urlencoded; charset=UTF-8"
        type("urlencoded", ofUtf8) shouldBe ofUtf8
        val empty = """{"request":{"url":"http://localhost/x","method":"POST","body":{"mode":"urlencoded","urlencoded":[]}}}"""
        imported(collection(empty)).operations.single().headers shouldBe emptyMap()
    }

    @Test
    fun `a form with a variable without a value is left out`() {
        val body = """{"mode":"urlencoded","urlencoded":[{"key":"a","value":"{{item}} b"}]}"""
        fun post(path: String, body: String) = """{"request":{"url":"http://localhost/$path","method":"POST","body":$body}}"""
        leftOut(imported(collection(post("ok", "{}"), post("f", body)))) shouldBe
            mapOf("the variable item has no value" to "POST http://localhost/f")
    }
}
