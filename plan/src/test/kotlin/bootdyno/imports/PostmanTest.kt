package bootdyno.imports

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
                "formdata body" to "POST http://localhost:8080/photos",
                "the variable adminPassword is a secret" to "POST http://localhost:8080/login",
                "the variable \$guid has no value" to "GET http://localhost:8080/items/{{\$guid}}",
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
}
