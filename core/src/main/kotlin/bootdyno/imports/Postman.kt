package bootdyno.imports

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement

/** Folders may be nested this deep. */
private const val DEEPEST = 50

/** Reads a Postman collection v2.0 or v2.1 with its variables. Its auth blocks are secrets. */
internal fun postman(root: JsonElement, collected: Collected) {
    val variables = Variables(variablesOf(root["variable"]))
    if (root["auth"]["type"].text != null) collected.secret("auth block ${root["auth"]["type"].text}")
    items(root["item"], 0).forEach { request(it, variables, collected) }
}

private fun items(list: JsonElement?, depth: Int): List<JsonElement> = list.items.flatMap { item ->
    if (item["item"] is JsonArray && depth < DEEPEST) items(item["item"], depth + 1) else listOf(item)
}

private fun variablesOf(list: JsonElement?): Map<String, String> =
    list.items.mapNotNull { one -> (one["key"] ?: one["id"]).text?.let { it to one["value"].text.orEmpty() } }.toMap()

private fun request(item: JsonElement, variables: Variables, collected: Collected) {
    val request = item["request"]
    val name = item["name"].text.orEmpty()
    val raw = request["url"]["raw"].text ?: request["url"].text ?: request.text
    if (raw == null) {
        collected.leaveOut("it has no address", name)
        return
    }
    val method = request["method"].text?.uppercase() ?: "GET"
    val inPath = variablesOf(request["url"]["variable"])
    val url = variables.fillUrl(raw.replace(Regex("/:([A-Za-z_][\\w-]*)")) { "/" + (inPath[it.groupValues[1]] ?: "{{${it.groupValues[1]}}}") })
    request["auth"]["type"].text?.takeIf { it != "noauth" }?.let { collected.secret("auth block $it") }
    val body = request["body"]
    val mode = body["mode"].text
    if (mode == "formdata" || mode == "file") {
        collected.leaveOut("$mode body", "$method $url")
        return
    }
    val headers = enabled(request["header"]).map { Header(it["key"].text.orEmpty(), variables.fill(it["value"].text.orEmpty())) }
    val type = when {
        mode == "urlencoded" -> "application/x-www-form-urlencoded"
        mode == "graphql" || body["options"]["raw"]["language"].text == "json" -> "application/json"
        else -> null
    }?.takeIf { headers.none { header -> header.name.equals("content-type", ignoreCase = true) } }
    val text = when (mode) {
        "raw" -> body["raw"].text
        "urlencoded" -> enabled(body["urlencoded"]).joinToString("&") { "${it["key"].text}=${it["value"].text.orEmpty().replace(" ", "+")}" }
        "graphql" -> "{\"query\":${body["graphql"]["query"] ?: "\"\""},\"variables\":${body["graphql"]["variables"].text?.ifBlank { null } ?: "{}"}}"
        else -> null
    }
    val scripts = item["event"].items.flatMap { it["script"]["exec"].items }.mapNotNull { it.text }.joinToString("\n")
    val saved = item["response"].items.firstNotNullOfOrNull { it["code"].text?.toIntOrNull()?.takeIf { code -> code in 200..299 } }
    val status = saved ?: statusOf(scripts)
    val all = headers + listOfNotNull(type?.let { Header("Content-Type", it) })
    collected.addFilled(FoundRequest(name, method, url, all, text?.let(variables::fill), status))
}

private fun enabled(list: JsonElement?) = list.items.filter { it["disabled"].text != "true" }
