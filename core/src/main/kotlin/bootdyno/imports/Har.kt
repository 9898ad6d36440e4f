package bootdyno.imports

import kotlinx.serialization.json.JsonElement

private val CACHE = setOf("disk", "memory")

/** Reads the requests of a HAR 1.2 archive with their recorded status; equal requests count together. */
internal fun har(root: JsonElement, collected: Collected) = root["log"]["entries"].items.forEach { entry ->
    val request = entry["request"]
    val method = request["method"].text.orEmpty().uppercase()
    val url = request["url"].text.orEmpty()
    val status = entry["response"]["status"].text?.toIntOrNull() ?: 0
    val post = request["postData"]
    val type = post["mimeType"].text
    val what = "$method ${url.substringBefore('?')}"
    when {
        entry["_resourceType"].text == "websocket" || url.startsWith("ws") -> collected.leaveOut("WebSocket", what)
        !url.startsWith("http") -> collected.leaveOut("not HTTP", what.take(60))
        entry["_fromCache"].text in CACHE -> collected.leaveOut("from the browser's cache", what)
        type.orEmpty().startsWith("multipart/") -> collected.leaveOut("multipart body", what)
        else -> {
            val headers = request["headers"].items.map { Header(it["name"].text.orEmpty(), it["value"].text.orEmpty()) }
            val typed = type?.takeIf { headers.none { one -> one.name.equals("content-type", ignoreCase = true) } }
            val found = FoundRequest("", method, url, headers + listOfNotNull(typed?.let { Header("Content-Type", it) }), post["text"].text)
            collected.addAnswered(found, status)
        }
    }
}

/** Adds a request by its recorded [status]; 304 and 206 become 200, because no conditional request is sent. */
internal fun Collected.addAnswered(found: FoundRequest, status: Int) = when (status) {
    200, 206, 304 -> add(found)
    in 200..299 -> add(FoundRequest(found.name, found.method, found.url, found.headers, found.body, status))
    0 -> leaveOut("no response was recorded", "${found.method} ${found.url.substringBefore('?')}")
    else -> leaveOut("status $status", "${found.method} ${found.url.substringBefore('?')}")
}
