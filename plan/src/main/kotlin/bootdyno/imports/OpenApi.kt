package bootdyno.imports

import bootdyno.model.Writing
import bootdyno.yaml.Read
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import java.util.Collections
import java.util.IdentityHashMap

/** References and schemas may lead to each other this often in a row. */
private const val LONGEST_ROW = 20

/** Parameters of an operation, properties of a parameter, and so on: each may be shared by all operations. */
private const val MOST_PARTS = 100
private const val MOST_NAMED = 5
private const val NOT_DECLARED = "its path has a parameter that is not declared"

/** Headers that are no parameters, even if they are declared (OpenAPI 3, Parameter Object). */
private val IGNORED = setOf("accept", "content-type")
private val METHODS = listOf("get", "post", "put", "delete", "patch", "head", "options", "trace")

/** Before a host without a scheme, or with an unknown one: `//shop.test/v1`, `localhost:8080`, `{scheme}://{host}`. */
private val BARE_HOST = Regex("""^(?:(?:\{[^{}/]*})?:?//|(?=\{|localhost\b|[A-Za-z0-9.-]+(?::\d|\.[A-Za-z]{2,}(?:[/:]|$))))""")

/** A first id, a flag, and a day: values of parameters whose type is all that the document says. */
private val BY_FORMAT = mapOf("date" to "2025-01-15", "date-time" to "2025-01-15T12:00:00Z")
private val BY_TYPE = mapOf("integer" to "1", "number" to "1", "boolean" to "true")

/** An operation cannot be requested; the message is the reason. */
internal class Unresolved(message: String) : RuntimeException(message)

/**
 * Paths and queries of the `GET` operations in an OpenAPI document that need no headers; empty if [text] is none. They need not
 * exist: examples may be wrong.
 */
fun openApiPaths(text: String): List<String> =
    (readImport("api-docs", text.encodeToByteArray()) as? Read.Sound)?.value?.operations.orEmpty()
        .filter { it.headers.isEmpty() }.map { it.path }

/** Reads the GET operations of OpenAPI 3.0, 3.1 and Swagger 2 with values from examples, defaults, enums and types, also of other [files]. */
internal class OpenApi(private val root: JsonObject, private val files: ReferredFiles, private val collected: Collected) {
    private val guessed = linkedSetOf<String>()
    private val schemes = linkedSetOf<String>()
    private val otherServers = linkedSetOf<String>()

    /** Schemas of which nothing says a value, by identity: choices may lead to the same ones again and again. */
    private val withoutValue: MutableSet<JsonElement> = Collections.newSetFromMap(IdentityHashMap())

    fun read() {
        unlessUnresolved("all paths") {
            val paths = root["paths"]?.let(::resolved) as? JsonObject
            paths.orEmpty().forEach { (path, at) -> unlessUnresolved(path) { read(path, at) } }
        }
        if (guessed.isNotEmpty()) {
            val values = guessed.take(10).joinToString()
            collected.note("No example is declared for $values. If the answer is 404, add `example` to the document.")
        }
        if (otherServers.isNotEmpty()) {
            collected.note(
                "Paths begin with ${otherServers.take(MOST_NAMED).joinToString()}, the document's server. " +
                    "If the application has another context path, correct `servers`.",
            )
        }
        if (schemes.isNotEmpty()) {
            val names = schemes.joinToString()
            collected.note("Some operations need authentication ($names): add `login` or `headers` to the workload in a file.")
        }
    }

    private fun read(path: String, at: JsonElement) {
        val item = resolved(at)
        METHODS.filter { item[it] != null }.forEach { method ->
            val what = "${method.uppercase()} $path"
            when {
                method != "get" -> collected.leaveOut("only GET operations are imported from OpenAPI", what)
                !isOfUsers(path) -> collected.leaveOut("not for users", what)
                else -> unlessUnresolved(what) { get(path, item) }
            }
        }
    }

    private fun unlessUnresolved(what: String, read: () -> Unit) = try {
        read()
    } catch (e: Unresolved) {
        collected.leaveOut(e.message.orEmpty(), what)
    }

    private fun get(path: String, item: JsonElement) {
        val operation = item["get"]?.let(::resolved)
        val parameters = (item["parameters"].items.take(MOST_PARTS + 1) + operation["parameters"].items).map(::resolved)
            .associateBy { it["in"].text to it["name"].text }.values
        if (parameters.size > MOST_PARTS) throw Unresolved("it has more than $MOST_PARTS parameters")
        val answers = (operation["responses"] as? JsonObject).orEmpty()
        val types = answers.values.take(MOST_PARTS).flatMap { (resolved(it)["content"] as? JsonObject)?.keys.orEmpty() } +
            operation["produces"].items.mapNotNull { it.text }
        if ("text/event-stream" in types) throw Unresolved("a stream of events has no end")
        val filled = parameters.filter { it["in"].text == "path" }.fold(path) { so, one ->
            val name = one["name"].text.orEmpty()
            if (isSecretName(name)) throw Unresolved("its path has a secret")
            so.replace("{$name}", Writing.PERCENT_ENCODED.write(required(one)))
        }
        if ('{' in filled) throw Unresolved(NOT_DECLARED)
        val query = parameters.filter { it["in"].text == "query" }.flatMap(::pairs)
        val headers = parameters.filter { it["in"].text == "header" && isRequired(it) }
            .filter { it["name"].text?.lowercase() !in IGNORED }
            .map { Header(it["name"].text.orEmpty(), headerValue(it)) }
        parameters.filter { it["in"].text == "cookie" && isRequired(it) }
            .forEach { collected.secret("cookie ${it["name"].text}") }
        schemes +=
            (operation["security"] ?: root["security"]).items.take(MOST_PARTS).flatMap { (it as? JsonObject)?.keys.orEmpty() }
        val status = expected(answers.keys)
        val sign = if ('?' in filled) "&" else "?"
        val url = basePath(operation, item) + filled + if (query.isEmpty()) "" else query.joinToString("&", sign)
        collected.add(FoundRequest(operation["operationId"].text.orEmpty(), "GET", url, headers, status = status))
    }

    /** The first success of the documented statuses; 200 if `default`, `2XX` or none is documented. */
    private fun expected(documented: Set<String>): Int {
        val statuses = documented.mapNotNull { it.toIntOrNull() }
        val other = statuses.minOrNull().takeIf { documented.size == statuses.size }
        return statuses.find { it in 200..299 } ?: if (other == null) 200 else throw Unresolved("status $other is documented")
    }

    /** The path of the first server on this machine, or without a host; otherwise of the first that is no mock. */
    private fun basePath(operation: JsonElement?, item: JsonElement): String {
        val servers = (operation["servers"] ?: item["servers"] ?: root["servers"]).items.take(MOST_PARTS).map(::addressOf)
        val own = servers.find { url -> authorityOf(url)?.let(collected::isOwn) != false }
        val url = own ?: servers.find { "mock" !in it } ?: servers.firstOrNull() ?: root["basePath"].text ?: "/"
        return targetOf(url).substringBefore('?').trimEnd('/').also { base ->
            if (own == null && servers.isNotEmpty() && base.isNotEmpty()) otherServers += "$base of ${authorityOf(url)}"
        }
    }

    private fun addressOf(server: JsonElement): String = (server["variables"] as? JsonObject).orEmpty().entries.take(MOST_PARTS)
        .fold(server["url"].text ?: "/") { so, (name, of) -> so.replace("{$name}", of["default"].text.orEmpty()) }
        .replaceFirst(BARE_HOST, "http://")

    private fun isRequired(parameter: JsonElement) = parameter["required"].text == "true"

    /** Secrets need no value: they are removed. */
    private fun headerValue(parameter: JsonElement) =
        if (isSecretName(parameter["name"].text.orEmpty())) "x" else required(parameter)

    private fun required(parameter: JsonElement): String {
        val name = parameter["name"].text.orEmpty()
        return example(parameter) ?: value(name, schemaOf(parameter), 0)
            ?: throw Unresolved("its parameter $name has no example, default or enum")
    }

    /** Required parameters, and optional ones with an example; the properties of an object are parameters of their own. */
    private fun pairs(parameter: JsonElement): List<String> {
        val name = parameter["name"].text.orEmpty()
        val example = example(parameter)
        val schema = schemaOf(parameter)
        val properties = schema["properties"] as? JsonObject
        return when {
            example != null -> listOf(pair(name, example))

            !isRequired(parameter) -> emptyList()

            isSecretName(name) -> listOf(pair(name, "x"))

            properties != null && properties.size > MOST_PARTS -> throw Unresolved("$name has more than $MOST_PARTS properties")

            properties != null -> properties.mapNotNull { (key, of) ->
                val own = if (parameter["style"].text == "deepObject") "$name[$key]" else key
                value(key, resolved(of), 1)?.let { pair(own, it) }
            }

            else -> listOf(pair(name, required(parameter)))
        }
    }

    private fun pair(name: String, value: String) = listOf(name, value).joinToString("=") { Writing.PERCENT_ENCODED.write(it) }

    /** In Swagger 2 the parameter itself has the keys of a schema. */
    private fun schemaOf(parameter: JsonElement): JsonElement = resolved(
        parameter["schema"] ?: (parameter["content"] as? JsonObject)?.values?.firstOrNull()["schema"] ?: parameter,
    )

    private fun example(parameter: JsonElement): String? {
        val named = (parameter["examples"] as? JsonObject)?.values?.firstOrNull()?.let { resolved(it)["value"] }
        val schema = schemaOf(parameter)
        val ofSchema = listOf(schema["example"], schema["examples"].items.firstOrNull())
        return (listOf(parameter["example"], named, parameter["x-example"]) + ofSchema).firstNotNullOfOrNull(::single)
    }

    /** A value of the [schema] of the parameter called [name]; null if nothing says one, as of a text. */
    private fun value(name: String, schema: JsonElement, depth: Int): String? {
        if (depth > LONGEST_ROW) throw Unresolved("its schema refers to itself")
        if (schema in withoutValue) return null
        val types = schema["type"].items.mapNotNull { it.text } + listOfNotNull(schema["type"].text)
        val parts = listOf("allOf", "oneOf", "anyOf").flatMap { schema[it].items }
        val said = listOf(schema["example"], schema["examples"].items.firstOrNull(), schema["default"], schema["const"])
        return (said + schema["enum"].items.firstOrNull()).firstNotNullOfOrNull(::single)
            ?: parts.firstNotNullOfOrNull { value(name, resolved(it), depth + 1) }
            ?: schema["items"]?.let { value(name, resolved(it), depth + 1) }
            ?: (BY_FORMAT[schema["format"].text] ?: types.firstNotNullOfOrNull { least(name, schema) ?: BY_TYPE[it] })
                ?.also { guessed += "$name ($it)" }
            ?: null.also { withoutValue += schema }
    }

    /** The least value of the [schema] of a parameter called [name], unless that is 0 for an id, as which no database has it. */
    private fun least(name: String, schema: JsonElement): String? {
        val bound = schema["exclusiveMinimum"].text
        val above = (if (bound == "true") schema["minimum"].text else bound)?.toLongOrNull()
        return above?.let { "${it + 1}" }
            ?: schema["minimum"].text?.takeUnless { it == "0" && name.endsWith("id", ignoreCase = true) }
    }

    /** A single value, or the first of a list. */
    private fun single(value: JsonElement?): String? = value.text ?: (value as? JsonArray)?.firstOrNull().text

    private fun resolved(at: JsonElement): JsonElement = Resolution().of(at)

    /** Follows references to one element. */
    private inner class Resolution {
        private var followed = 0

        /** Whatever is on the way may be a reference, too. */
        fun of(at: JsonElement): JsonElement {
            val reference = at[REFERENCE].text ?: return at
            if (++followed > LONGEST_ROW) throw Unresolved("its reference refers to itself")
            var found: JsonElement? = files.document(reference)
            keysOf(reference).forEach { key -> found = found?.let { child(of(it), key) } }
            return of(found ?: throw Unresolved("$reference does not exist"))
        }

        private fun child(within: JsonElement, key: String): JsonElement? =
            within[key] ?: key.toIntOrNull()?.let { within.items.getOrNull(it) }

        /** Those of a JSON pointer (RFC 6901, section 6). */
        private fun keysOf(reference: String): List<String> {
            val keys = reference.substringAfter('#', "").split('/')
            if (keys.first().isNotEmpty()) throw Unresolved("$reference does not exist")
            return keys.drop(1).map { (percentDecoded(it) ?: it).replace("~1", "/").replace("~0", "~") }
        }
    }
}
