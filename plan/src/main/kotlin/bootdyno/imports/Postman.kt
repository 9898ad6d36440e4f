package bootdyno.imports

import bootdyno.model.Writing
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement

/** Folders may be nested this deep. */
private const val DEEPEST = 50

private val PATH_VARIABLE = Regex("/:([A-Za-z_][\\w-]*)")

/** Reads a Postman collection v2.0 or v2.1 with its variables. Its auth blocks are secrets. */
internal fun postman(root: JsonElement, collected: Collected) {
    val variables = Variables(variablesOf(root["variable"]))
    root["auth"]["type"].text?.takeIf { it != "noauth" }?.let { collected.secret("auth block $it") }
    items(root["item"], 0).forEach { request(it, variables, collected) }
}

private fun items(list: JsonElement?, depth: Int): List<JsonElement> = list.items.flatMap { item ->
    if (item["item"] is JsonArray && depth < DEEPEST) items(item["item"], depth + 1) else listOf(item)
}

private fun variablesOf(list: JsonElement?): Map<String, String> =
    enabled(list).mapNotNull { one -> (one["key"] ?: one["id"]).text?.let { it to one["value"].text.orEmpty() } }.toMap()

private fun request(item: JsonElement, variables: Variables, collected: Collected) {
    val request = item["request"]
    val name = item["name"].text.orEmpty()
    val raw = request["url"]["raw"].text ?: request["url"].text ?: request.text
        ?: return collected.leaveOut("it has no address", name)
    val inPath = variablesOf(request["url"]["variable"])
    val url = variables.fillUrl(
        raw.replace(PATH_VARIABLE) { found -> found.groupValues[1].let { "/" + (inPath[it]?.ifEmpty { null } ?: "{{$it}}") } },
    )
    val method = request["method"].text?.uppercase() ?: "GET"
    val mode = request["body"]["mode"].text
    if (mode == "formdata" || mode == "file") return collected.leaveOut("$mode body", "$method $url")
    request["auth"]["type"].text?.takeIf { it != "noauth" }?.let { collected.secret("auth block $it") }
    val own = enabled(request["header"]).map { Header(it["key"].text.orEmpty(), variables.fill(it["value"].text.orEmpty())) }
    val type = typeOf(request["body"]).takeIf { own.none { header -> header.name.equals("content-type", ignoreCase = true) } }
    val headers = own + listOfNotNull(type?.let { Header("Content-Type", it) })
    collected.addFilled(FoundRequest(name, method, url, headers, bodyOf(request["body"], variables)), statusOf(item))
}

private fun typeOf(body: JsonElement?): String? = when (body["mode"].text) {
    "urlencoded" -> "application/x-www-form-urlencoded"
    "graphql" -> "application/json"
    "raw" -> "application/json".takeIf { body["options"]["raw"]["language"].text == "json" }
    else -> null
}

private fun bodyOf(body: JsonElement?, variables: Variables): String? = when (body["mode"].text) {
    "raw" -> body["raw"].text?.let(variables::fill)

    "urlencoded" -> enabled(body["urlencoded"]).joinToString("&") { field ->
        listOf("key", "value").joinToString("=") { Writing.PERCENT_ENCODED.write(variables.fill(field[it].text.orEmpty())) }
    }

    "graphql" -> {
        val values = body["graphql"]["variables"].text?.ifBlank { null } ?: "{}"
        variables.fill("""{"query":${body["graphql"]["query"] ?: "\"\""},"variables":$values}""")
    }

    else -> null
}

/** The status of a saved response, or of a test; null if there is none. */
private fun statusOf(item: JsonElement): Int? {
    val saved = item["response"].items.firstNotNullOfOrNull {
        it["code"].text?.toIntOrNull()?.takeIf { code -> code in 200..299 }
    }
    val lines = item["event"].items.flatMap { it["script"]["exec"].items }.mapNotNull { it.text }
    return saved ?: statusOf(lines.joinToString("\n"))
}

private fun enabled(list: JsonElement?) = list.items.filter { it["disabled"].text != "true" }
