package bootdyno.engine

import bootdyno.model.Expectation
import bootdyno.model.Step
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong

/** Keeps persons in memory, and counts what it is asked for. What [answer] gives is said instead of the truth; null leaves it. */
class PersonServer(private val answer: (Seen) -> Other? = { null }) : AutoCloseable {
    /** One request: the operation by its method, the id in its path, and which of its operation it is, from 0. */
    class Seen(val operation: String, val id: Long?, val number: Int)

    class Other(val status: Int, val body: String)

    private val ids = AtomicLong()
    private val counts = ConcurrentHashMap<String, AtomicInteger>()
    private val workers = Executors.newVirtualThreadPerTaskExecutor()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024)
    val persons = ConcurrentHashMap<Long, String>()

    /** Names as they came with creates, in order. */
    val created = ConcurrentLinkedQueue<String>()

    /** What should not have been asked. */
    val wrong = ConcurrentLinkedQueue<String>()

    val port: Int get() = server.address.port
    val base: URI get() = URI.create("http://127.0.0.1:$port")
    val asked: Map<String, Int> get() = counts.mapValues { it.value.get() }

    init {
        server.executor = workers
        server.createContext("/person") { exchange -> exchange.use(::serve) }
        server.start()
    }

    private fun serve(exchange: HttpExchange) {
        val body = exchange.requestBody.readAllBytes().decodeToString(throwOnInvalidSequence = true)
        val operation = OPERATIONS.getValue(exchange.requestMethod)
        val id = exchange.requestURI.path.removePrefix("/person").removePrefix("/").toLongOrNull()
        val number = counts.computeIfAbsent(operation) { AtomicInteger() }.getAndIncrement()
        val usual = usual(operation, id, body)
        val other = answer(Seen(operation, id, number)) ?: usual
        val bytes = other.body.toByteArray()
        exchange.responseHeaders.add("Content-Type", "application/json")
        exchange.sendResponseHeaders(other.status, if (bytes.isEmpty()) -1 else bytes.size.toLong())
        if (bytes.isNotEmpty()) exchange.responseBody.write(bytes)
    }

    private fun usual(operation: String, id: Long?, body: String): Other = when (operation) {
        "create" -> {
            val name = Json.parseToJsonElement(body).name
            created += name
            val mine = ids.incrementAndGet()
            persons[mine] = name
            Other(201, person(mine, name))
        }

        "read" -> persons[id]?.let { Other(200, person(id ?: 0, it)) } ?: missing("read $id")

        "update" -> {
            val sent = Json.parseToJsonElement(body) as JsonObject
            if (sent["id"]?.jsonPrimitive?.content != "$id") wrong += "update of $id with $body"
            if (persons.replace(id ?: 0, sent.name) == null) missing("update $id") else Other(200, "")
        }

        else -> if (persons.remove(id) == null) missing("delete $id") else Other(200, "")
    }

    private fun missing(what: String): Other {
        wrong += what
        return Other(404, "{}")
    }

    private val JsonElement.name: String get() = (this as JsonObject).getValue("name").jsonPrimitive.content

    override fun close() {
        server.stop(0)
        workers.close()
    }

    companion object {
        private val OPERATIONS = mapOf("POST" to "create", "GET" to "read", "PUT" to "update", "DELETE" to "delete")

        fun person(id: Long, name: String) = buildJsonObject {
            put("id", id)
            put("name", name)
        }.toString()

        private val json = mapOf("Content-Type" to "application/json")

        /** Create, read, update, delete; the read must give the very person that was created. */
        val CRUD = listOf(
            Step("create", "POST", "/person", json, """{ "name": "{name}" }""", Expectation(201), mapOf("id" to "$.id")),
            Step("read", "GET", "/person/{id}", expect = Expectation(200, """{"id":{id},"name":"{name}"}""", "application/json")),
            Step("update", "PUT", "/person/{id}", json, """{ "id": {id}, "name": "{name} again" }"""),
            Step("delete", "DELETE", "/person/{id}"),
        )
    }
}
