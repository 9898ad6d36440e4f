package bootdyno.cli

import bootdyno.engine.SmallServer
import bootdyno.measure.InputProblem
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.URI
import java.util.concurrent.CopyOnWriteArrayList

class FoundApplicationTest {
    private val servers = mutableListOf<SmallServer>()
    private val said = mutableListOf<String>()
    private val requested = CopyOnWriteArrayList<String>()

    /** Answers [bodies] by their paths, an empty one with status 204, and all others with 404. */
    private fun serve(vararg bodies: Pair<String, String>): URI {
        val server = SmallServer {
            val path = "${it.requestURI}".also(requested::add)
            val body = bodies.toMap()[path]?.toByteArray()
            if (body == null || body.isEmpty()) {
                it.sendResponseHeaders(if (body == null) 404 else 204, -1)
            } else {
                it.sendResponseHeaders(200, body.size.toLong())
                it.responseBody.write(body)
            }
        }
        return server.also(servers::add).base
    }

    private fun requests(base: URI, vararg settings: Pair<String, String>) =
        requestsOf(FoundApplication(base, settings.toMap()), said::add)

    private fun openApi(vararg paths: String) =
        """{ "openapi": "3.0.1", "paths": { ${paths.joinToString { """"$it": { "get": { "responses": {} } }""" }} } }"""

    private fun mappings(vararg paths: String) = """{ "mappings": [ ${paths.joinToString {
        """{ "details": { "requestMappingConditions": { "methods": [ "GET" ], "patterns": [ "$it" ] } } }"""
    }} ] }"""

    @AfterEach
    fun stop() = servers.forEach { it.close() }

    @Test
    fun `a path without content keeps its status, and one that may change something is not requested`() {
        val document = "/v3/api-docs" to openApi("/a", "/cache/clear", "/empty")
        val base = serve(document, "/a" to "a", "/empty" to "", "/cache/clear" to "x")
        requests(base) shouldBe mapOf("/a" to 200, "/empty" to 204)
        requested shouldNotContain "/cache/clear"
        said.single() shouldContain "may change something: GET /cache/clear. --path requests it."
    }

    @Test
    fun `the document may be where another framework has it, or a setting says`() {
        requests(serve("/q/openapi" to openApi("/hello"), "/hello" to "hi")) shouldBe mapOf("/hello" to 200)
        requests(serve("/docs" to openApi("/hello"), "/hello" to "hi"), "springdoc.api-docs.path" to "/docs") shouldBe
            mapOf("/hello" to 200)
    }

    @Test
    fun `mappings are found on a port of the actuator's own, and begin with the context path`() {
        val management = serve("/admin/manage/mappings" to mappings("/orders"))
        val base = serve("/shop/api/orders" to "[]")
        requests(
            base,
            "server.servlet.context-path" to "/shop",
            "spring.mvc.servlet.path" to "/api/",
            "management.endpoints.web.base-path" to "/manage",
            "management.server.base-path" to "admin",
            "local.management.port" to "${management.port}",
        ) shouldBe mapOf("/shop/api/orders" to 200)
        said.shouldBeEmpty()
    }

    @Test
    fun `below the path of an address, paths are found and requested without it`() {
        val links = """<a href="list">L</a><a href="/shop/find?q=1">F</a><a href="/other">O</a>"""
        val server = serve("/shop/" to links, "/shop/list" to "a", "/shop/find?q=1" to "b", "/other" to "c")
        requests(server.resolve("/shop/")) shouldBe mapOf("/" to 200, "/list" to 200, "/find?q=1" to 200)
    }

    @Test
    fun `without a path, what to name is said, and how the application ended`() {
        val found = FoundApplication(serve("/hello" to "hi"), emptyMap()) { "The subject ended with exit code 3." }
        val refusal = shouldThrow<InputProblem> { requestsOf(found, said::add) }.message.orEmpty()
        refusal shouldContain "GET / answered 404. The subject ended with exit code 3.\nName what to request: --path /orders"
        refusal shouldContain "--request 'POST /orders @order.json'"
    }
}
