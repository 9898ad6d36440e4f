package bootdyno.imports

import bootdyno.model.Writing
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** Folders may be nested this deep. */
private const val DEEPEST = 50

/** Methods whose body Postman does not send, unless the request says so. */
private val WITHOUT_BODY = setOf("GET", "HEAD", "COPY", "PURGE", "UNLOCK")

private val PATH_VARIABLE = Regex("/:([A-Za-z_][\\w-]*)")

/** Whether [name] is that of an exported environment: `local.postman_environment.json`, `environment_local.json`. */
internal fun isOfEnvironment(name: String) = name.contains("environment", ignoreCase = true) && name.endsWith(".json")

/**
 * Reads a Postman collection v2.0 or v2.1 with its variables, and those of one of its [environments], by file: see
 * [ownOrFirst][Collected.ownOrFirst]. Its auth blocks are secrets.
 */
internal fun postman(root: JsonElement, environments: Map<String, String>, collected: Collected) {
    val all = environments.mapValues { (_, text) -> enabled(jsonLine(text.trim())["values"]) }.filterValues { it.isNotEmpty() }
    val used = collected.ownOrFirst(all) { values -> values.mapNotNull { it["value"].text } }
    used?.let { collected.note("Variables are those of the environment in ${it.key}.") }
    val (secrets, plain) = used?.value.orEmpty().partition { it["type"].text == "secret" }
    secrets.forEach { collected.secret("variable ${it["key"].text}") }
    val variables = Variables(variablesOf(enabled(root["variable"])) + variablesOf(plain)) { "$root" }
    collected.secretOf(root)
    items(root["item"], 0, collected).forEach { item ->
        try {
            request(item, variables, collected)
        } catch (e: TooLong) {
            collected.leaveOut(e.message.orEmpty(), item["name"].text.orEmpty())
        }
    }
    variables.notes.forEach(collected::note)
}

private fun items(list: JsonElement?, depth: Int, collected: Collected): List<JsonElement> = list.items.flatMap { item ->
    if (item["item"] is JsonArray && depth < DEEPEST) {
        collected.secretOf(item)
        items(item["item"], depth + 1, collected)
    } else {
        listOf(item)
    }
}

private fun Collected.secretOf(owner: JsonElement?) {
    owner["auth"]["type"].text?.takeIf { it != "noauth" }?.let { secret("auth block $it") }
}

private fun variablesOf(list: List<JsonElement>): Map<String, String> = list.mapNotNull { one ->
    (one["key"] ?: one["id"]).text?.let { name -> one["value"].text?.let { name to it } }
}.toMap()

private fun request(item: JsonElement, variables: Variables, collected: Collected) {
    val request = item["request"]
    val name = item["name"].text.orEmpty()
    val raw = addressOf(request["url"]) ?: request["url"]["raw"].text?.ifEmpty { null } ?: request["url"].text ?: request.text
        ?: return collected.leaveOut("it has no address", name)
    val inPath = variablesOf(enabled(request["url"]["variable"]))
    val url = variables.fillUrl(
        raw.replace(PATH_VARIABLE) { found -> found.groupValues[1].let { "/" + (inPath[it]?.ifEmpty { null } ?: "{{$it}}") } },
    )
    val method = request["method"].text?.uppercase() ?: "GET"
    val isPruned = method in WITHOUT_BODY && item["protocolProfileBehavior"]["disableBodyPruning"].text != "true"
    val body = request["body"].takeUnless { isPruned || it["disabled"].text == "true" }
    val mode = body["mode"].text
    val isOfFile = (mode == "formdata" && enabled(body[mode]).any { it["type"].text == "file" }) ||
        (mode == "file" && body[mode]["src"].text != null)
    if (isOfFile) return collected.leaveOut("its body has a file", "$method $url")
    collected.secretOf(request)
    val fields = enabled(request["header"]).map { it["key"].text.orEmpty() to it["value"].text.orEmpty() }
    // Collections v2.0 may have all headers in one text.
    val lines = request["header"].text.orEmpty().lines().filter { ':' in it }
    val own = (fields + lines.map { it.substringBefore(':').trim() to it.substringAfter(':').trim() })
        .map { (key, value) -> Header(key, variables.fill(value)) }
    // Postman corrects the type of a form.
    val type = typeOf(body)?.takeUnless { sent ->
        own.any { it.isType && (sent == it.value.substringBefore(';').trim() || sent !in listOf(FORM, MULTIPART)) }
    }
    val headers = if (type == null) own else own.filterNot { it.isType } + Header("Content-Type", type)
    val isJson = headers.any { it.isType && JSON_TYPE.containsMatchIn(it.value) }
    collected.addFilled(FoundRequest(name, method, url, headers, bodyOf(body, variables, isJson)), statusOf(item))
}

/** The parts of an address, which Postman sends instead of its `raw`, without those that are disabled; null without parts. */
private fun addressOf(url: JsonElement?): String? {
    fun joined(key: String, sign: String) =
        url[key].text ?: url[key].items.joinToString(sign) { it.text ?: it["value"].text.orEmpty() }
    val host = joined("host", ".").ifEmpty { return null }
    val query = enabled(url["query"]).map { one ->
        val value = one["value"].text?.let { "=$it" }.orEmpty()
        (one["key"].text.orEmpty().replace("=", "%3D") + value).replace("&", "%26").replace("#", "%23")
    }
    val scheme = url["protocol"].text?.let { "$it://" }.orEmpty()
    val port = url["port"].text?.ifEmpty { null }?.let { ":$it" }.orEmpty()
    val path = url["path"]?.let { "/" + (it.text?.removePrefix("/") ?: joined("path", "/")) }.orEmpty()
    return scheme + host + port + path + if (query.isEmpty()) "" else query.joinToString("&", "?")
}

/** The `Content-Type` that Postman adds for a language of the editor; for any other it is plain text. */
private val TYPES = mapOf("html" to "text/html") + listOf("json", "xml", "javascript").associateWith { "application/$it" }

private fun typeOf(body: JsonElement?): String? = when (body["mode"].text) {
    "urlencoded" -> FORM.takeUnless { enabled(body["urlencoded"]).isEmpty() }
    "formdata" -> MULTIPART.takeUnless { enabled(body["formdata"]).isEmpty() }
    "graphql" -> "application/json"
    "raw" -> (TYPES[body["options"]["raw"]["language"].text] ?: "text/plain").takeUnless { body["raw"].text.isNullOrEmpty() }
    else -> null
}

/** Types whose comments Postman removes. */
private val JSON_TYPE = Regex("""(?i)^application/(?:\S+\+)?json""")

private fun bodyOf(body: JsonElement?, variables: Variables, isJson: Boolean): String? = when (body["mode"].text) {
    "raw" -> body["raw"].text?.let { if (isJson) withoutComments(it) else it }?.let(variables::fill)

    "urlencoded" -> enabled(body["urlencoded"]).joinToString("&") { field ->
        listOf("key", "value").joinToString("=") { Writing.PERCENT_ENCODED.write(variables.fill(field[it].text.orEmpty())) }
    }.replace("%7B%7B", "{{").replace("%7D%7D", "}}")

    "formdata" -> enabled(body["formdata"]).map { field ->
        val (name, value) = listOf("key", "value").map { variables.fill(field[it].text.orEmpty()) }
        formField(name, value, field["contentType"].text)
    }.ifEmpty { null }?.let(::multipart)

    "graphql" -> {
        val graphQl = body["graphql"]
        val values = (graphQl["variables"] as? JsonObject)?.toString() ?: graphQl["variables"].text?.ifBlank { null } ?: "{}"
        val name = graphQl["operationName"].text?.let { ""","operationName":${JsonPrimitive(it)}""" }.orEmpty()
        variables.fill("""{"query":${graphQl["query"] ?: "\"\""}$name,"variables":$values}""")
    }

    else -> null
}

/** The status of a test, or of a saved response, a success first; null if there is none. */
private fun statusOf(item: JsonElement): Int? {
    val saved = item["response"].items.mapNotNull { it["code"].text?.toIntOrNull() }
    val scripts = item["event"].items.filter { it["listen"].text != "prerequest" }.map { it["script"]["exec"] }
    val tests = scripts.flatMap { it.items + listOfNotNull(it) }.mapNotNull { it.text }
    return statusOf(tests.joinToString("\n")) ?: saved.firstOrNull { it in 200..299 } ?: saved.firstOrNull()
}

private fun enabled(list: JsonElement?) = list.items.filter { it["disabled"].text != "true" && it["enabled"].text != "false" }
