package bootdyno.imports

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
                "the variable \$random.uuid has no value" to "GET http://localhost:8080/orders/{{\$random.uuid}}",
                "the variable password is a secret" to "GET http://localhost:8080/orders",
                "other host api.shop.test" to "GET https://api.shop.test/orders",
                "a DELETE usually works once only" to "DELETE http://localhost:8080/orders/1",
                "method WEBSOCKET" to "WEBSOCKET ws://localhost:8080/live",
                "method GRAPHQL" to "GRAPHQL http://localhost:8080/graphql",
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
        path("http://localhost:{{port}}?a=b") shouldBe "/?a=b"
        path("localhost:8080/x y") shouldBe "/x%20y"
    }

    @Test
    fun `variables that name each other in a circle end`() {
        val imported = imported("@a = {{b}}\n@b = {{a}}\nGET http://localhost/x\n\n###\nGET http://localhost/{{a}}")
        leftOut(imported).keys.single().removeSuffix(" has no value") shouldBe "the variable a"
    }
}
