package bootdyno.imports

import bootdyno.model.Writing
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import java.util.Base64

internal const val FORM = "application/x-www-form-urlencoded"
private const val FORM_DATA = "multipart/form-data"
private val CACHES = setOf("disk", "memory", "prefetch", "disk cache", "memory cache")
private val FILE_NAME = Regex("""(?i);\s*filename\*?=(?!"")""")

/** Reads the entries of a HAR 1.2 file, as browsers write it, with their recorded status; equal requests count together. */
internal fun har(entries: Sequence<JsonElement>, collected: Collected) {
    entries.forEach { add(it, collected) }
    collected.joinPaths()
}

private fun add(entry: JsonElement, collected: Collected) {
    val request = entry["request"]
    // Some tools write the query apart only.
    val written = request["url"].text.orEmpty()
    val query = formOf(request["queryString"])
    val url = if ('?' in written || query.isEmpty()) written else "$written?$query"
    val post = request["postData"]
    val own = request["headers"].items.map { Header(it["name"].text.orEmpty(), it["value"].text.orEmpty()) }
    val type = own.find { it.isType }?.value ?: post["mimeType"].text.orEmpty()
    val fields = if (type.startsWith(FORM_DATA, ignoreCase = true)) fieldsOf(post) else emptyList()
    val sent = if (fields.isEmpty()) type else MULTIPART
    val found = FoundRequest(
        name = "",
        method = request["method"].text.orEmpty().uppercase(),
        url = url,
        headers = own.filterNot { it.isType } + listOf(Header("Content-Type", sent)).filter { sent.isNotBlank() },
        body = if (fields.isEmpty()) bodyOf(post, type) else multipart(fields),
        status = entry["response"]["status"].text?.toIntOrNull() ?: 0,
        isRecorded = true,
    )
    val mediaType = entry["response"]["content"]["mimeType"].text.orEmpty()
    when {
        entry["_resourceType"].text == "websocket" || url.startsWith("ws") -> collected.leaveOut("WebSocket", found.shown)

        !url.startsWith("http") -> collected.leaveOut("not HTTP", found.shown.take(60))

        entry["_resourceType"].text == "eventsource" || mediaType.startsWith(EVENTS) -> collected.leaveOut(ENDLESS, found.shown)

        isFromCache(entry) -> collected.leaveOut("from the browser's cache", found.shown)

        isBodyMissing(request, found) -> collected.leaveOut("its body was not recorded", found.shown)

        hasFile(post, fields) -> collected.leaveOut("its body has a file", found.shown)

        entry["_fetchType"].text == "Service Worker" || entry["response"]["_fetchedViaServiceWorker"].text == "true" ->
            collected.leaveOut("answered by a service worker", found.shown)

        else -> collected.addAnswered(found)
    }
}

/** Firefox names no cache, and gives such a response neither times nor a version. */
private fun isFromCache(entry: JsonElement) = listOf("_fromCache", "_fetchType").any { entry[it].text?.lowercase() in CACHES } ||
    ((entry["timings"] as? JsonObject)?.isEmpty() == true && entry["response"]["httpVersion"].text == "")

private fun isBodyMissing(request: JsonElement?, found: FoundRequest): Boolean {
    val length = found.headers.find { it.name.equals("content-length", ignoreCase = true) }?.value ?: request["bodySize"].text
    return found.body.isNullOrEmpty() && (length?.toLongOrNull() ?: 0) > 0
}

/** The fields of a form of several parts with their headers; empty if they were not recorded to the end. Some tools record no text. */
private fun fieldsOf(post: JsonElement?): List<String> {
    val text = textOf(post)?.ifBlank { null } ?: return post["params"].items.map { field ->
        formField(field["name"].text.orEmpty(), field["value"].text.orEmpty(), field["contentType"].text)
    }
    return if (text.trimEnd().endsWith("--")) fieldsIn(text) else emptyList()
}

/** Browsers do not record the content of files. A field for a file in which the user chose none has an empty name. */
private fun hasFile(post: JsonElement?, fields: List<String>) =
    fields.any { FILE_NAME.containsMatchIn(it.substringBefore("\r\n\r\n")) } ||
        post["params"].items.any { !it["fileName"].text.isNullOrEmpty() }

private fun bodyOf(post: JsonElement?, type: String): String? =
    textOf(post)?.ifEmpty { null } ?: formOf(post["params"]).takeIf { type.startsWith(FORM) }

/** The body as it was sent: some tools record it in Base64. Bytes that are no text become U+0000, as bodies cannot have. */
private fun textOf(post: JsonElement?): String? {
    val text = post["text"].text
    if (text == null || post["encoding"].text != "base64") return text
    // A NUL marks bytes that are no text.
    return try {
        Base64.getMimeDecoder().decode(text).decodeToString().replace('\uFFFD', '\u0000')
    } catch (_: IllegalArgumentException) {
        "\u0000"
    }
}

/** The [fields] of a form, which some tools record instead of its text. */
private fun formOf(fields: JsonElement?): String = fields.items.joinToString("&") { field ->
    listOf("name", "value").joinToString("=") { Writing.PERCENT_ENCODED.write(field[it].text.orEmpty()) }
}

/** Adds a request that was answered with [FoundRequest.status], unless the answer was no success. */
internal fun Collected.addAnswered(found: FoundRequest, count: Int = 1) {
    val status = statusOfRepeated(found.status)
    when {
        status != null -> add(found.copy(status = status), count)
        found.status <= 0 -> leaveOut("no response was recorded", found.shown, count)
        else -> leaveOut("status ${found.status}", found.shown, count)
    }
}

/** The status to expect of a request that was answered with [recorded], sent without condition and range; null for no success. */
internal fun statusOfRepeated(recorded: Int): Int? = when (recorded) {
    206, 304 -> 200
    in 200..299 -> recorded
    else -> null
}
