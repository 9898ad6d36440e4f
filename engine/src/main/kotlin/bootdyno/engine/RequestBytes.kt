package bootdyno.engine

/** The request as it goes over the wire, encoded once and sent unchanged each time. */
internal fun LoadOrder.requestBytes(): ByteArray {
    val content = body?.toByteArray()
    val given = headers.keys.map { it.lowercase() }
    val lines = buildList {
        add("$method $path HTTP/1.1")
        if ("host" !in given) add("Host: $hostHeader")
        headers.forEach { (name, value) -> add("$name: $value") }
        if (content != null && "content-length" !in given) add("Content-Length: ${content.size}")
    }
    lines.forEach(::requireOneLine)
    val head = lines.joinToString("\r\n", postfix = "\r\n\r\n").toByteArray()
    return if (content == null) head else head + content
}

internal val LoadOrder.hostHeader: String get() = "${if (':' in host) "[$host]" else host}:$port"

internal fun requireOneLine(line: String) =
    require(line.none { it == '\r' || it == '\n' }) { "a line break inside a request line: $line" }
