package bootdyno.plan

import bootdyno.model.Template
import bootdyno.model.jsonOf
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** Paths that no user of an application requests. */
private val NOT_OF_USERS = listOf("/actuator", "/error", "/swagger", "/v3/api-docs", "/webjars", "/logout", "/h2-console")

/** Ends of paths of files, which a server sends without the application. */
private val FILES = ".css .js .png .jpg .jpeg .gif .ico .svg .woff .woff2 .map .pdf".split(' ')

private val LINK_TARGET = Regex("""(?i)<a\s[^>]*?href\s*=\s*["'](/[^"'#\s]*)["']""")

/**
 * The paths of `GET` operations in an OpenAPI document (3.x, as JSON) whose required parameters have an example, a default or a first value;
 * empty if [text] is none. The paths need not exist: examples may be wrong.
 */
fun openApiPaths(text: String): List<String> {
    val root = jsonOf(text) as? JsonObject ?: return emptyList()
    val prefix = prefixOf(root)
    return (root["paths"] as? JsonObject).orEmpty().mapNotNull { (path, item) ->
        val operations = item as? JsonObject ?: return@mapNotNull null
        val get = operations["get"] as? JsonObject ?: return@mapNotNull null
        val parameters = listOf(operations["parameters"], get["parameters"]).flatMap { (it as? JsonArray).orEmpty() }
            .mapNotNull { resolved(it, root) }
        filled(path, parameters)?.takeIf(::isOfUsers)?.let { prefix + it }
    }
}

/** The paths that `/actuator/mappings` lists for `GET`, with 1 for each variable; empty if [text] is no such list. */
fun mappedPaths(text: String): List<String> {
    val conditions = mutableListOf<JsonObject>()
    jsonOf(text)?.let { collect(it, "requestMappingConditions", conditions) }
    return conditions.filter { "GET" in texts(it["methods"]) }.flatMap { texts(it["patterns"]) }
        .map { it.replace(VARIABLE_OF_PATH, "1") }.distinct().filter { '*' !in it && isOfUsers(it) }
}

/** The paths that an HTML page links to, on the same server. */
fun linkedPaths(html: String): List<String> = LINK_TARGET.findAll(html).map { it.groupValues[1].replace("&amp;", "&") }.distinct()
    .filter { path -> !path.startsWith("//") && FILES.none { path.substringBefore('?').lowercase().endsWith(it) } }
    .filter(::isOfUsers).toList()

private val VARIABLE_OF_PATH = Regex("""\{[^/}]+}""")

private fun isOfUsers(path: String): Boolean = pathFault(path) == null && NOT_OF_USERS.none { path.startsWith(it) }

/** The path of the first server, as of an application with a context path; empty for the root. */
private fun prefixOf(root: JsonObject): String {
    val server = (root["servers"] as? JsonArray)?.firstOrNull() as? JsonObject
    val url = text(server?.get("url")).orEmpty()
    val path = if ("://" in url) "/" + url.substringAfter("://").substringAfter('/', "") else url
    return path.trimEnd('/')
}

/** The parameter itself; `#/components/parameters/id` is looked up. */
private fun resolved(element: JsonElement, root: JsonObject): JsonObject? {
    val own = element as? JsonObject ?: return null
    val reference = text(own["\$ref"]) ?: return own
    val found = reference.removePrefix("#/").split('/')
        .fold<String, JsonElement?>(root) { at, name -> (at as? JsonObject)?.get(name) }
    return found as? JsonObject
}

/** [path] with values for its required parameters; null if one has no value, or is no part of a URL. */
private fun filled(path: String, parameters: List<JsonObject>): String? {
    val required = parameters.filter { text(it["required"]) == "true" }
    if (required.any { text(it["in"]) !in listOf("path", "query") }) return null
    val values = required.associate { text(it["name"]).orEmpty() to (valueOf(it) ?: return null) }
    val query = required.filter { text(it["in"]) == "query" }.mapNotNull { text(it["name"]) }
    val made = Template.ofPath(path + if (query.isEmpty()) "" else query.joinToString("&", "?") { "$it={$it}" }).fill(values)
    return made.takeUnless { VARIABLE_OF_PATH.containsMatchIn(it) }
}

/** Its example, default or first allowed value; 1 for a number, which is often the first id. */
private fun valueOf(parameter: JsonObject): String? {
    val schema = parameter["schema"] as? JsonObject
    val examples = (parameter["examples"] as? JsonObject).orEmpty().values.map { (it as? JsonObject)?.get("value") }
    val allowed = (schema?.get("enum") as? JsonArray)?.firstOrNull()
    val given = listOf(parameter["example"]) + examples + listOf(schema?.get("example"), schema?.get("default"), allowed)
    return given.firstNotNullOfOrNull { text(it) } ?: "1".takeIf { text(schema?.get("type")) in listOf("integer", "number") }
}

private fun collect(element: JsonElement, key: String, into: MutableList<JsonObject>) {
    when (element) {
        is JsonObject -> element.forEach { (name, value) ->
            if (name == key) (value as? JsonObject)?.let(into::add) else collect(value, key, into)
        }

        is JsonArray -> element.forEach { collect(it, key, into) }

        is JsonPrimitive -> Unit
    }
}

private fun texts(element: JsonElement?): List<String> = (element as? JsonArray).orEmpty().mapNotNull { text(it) }

private fun text(element: JsonElement?): String? = (element as? JsonPrimitive)?.takeUnless { it is JsonNull }?.content
