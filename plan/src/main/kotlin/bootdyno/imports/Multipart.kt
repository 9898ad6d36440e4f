package bootdyno.imports

/** What separates the fields of an imported form, and its content type. */
private const val BOUNDARY = "boot-dyno-field"
internal const val MULTIPART = "multipart/form-data; boundary=$BOUNDARY"

/** The fields of a form of several parts with their headers. The boundary is that of [text], because some types lack it. */
internal fun fieldsIn(text: String): List<String> {
    val lines = "\r\n" + text.replace(LINE_BREAK, "\r\n")
    val begin = FIELD_BEGIN.find(lines)?.value ?: return emptyList()
    return lines.split(begin).drop(1).filterNot { it.isBlank() || it.startsWith("--") }.map { it.removePrefix("\r\n") }
}

internal val LINE_BREAK = Regex("""\r\n?|\n""")
private val FIELD_BEGIN = Regex("""\r\n--\S+""")

/** A field of [MULTIPART] with its headers. */
internal fun formField(name: String, value: String, type: String?): String {
    val typed = type?.ifEmpty { null }?.let { "Content-Type: $it\r\n" }.orEmpty()
    return "Content-Disposition: form-data; name=\"${name.replace("\"", "%22")}\"\r\n$typed\r\n$value"
}

/** The body of [MULTIPART] with [fields], which have their headers. */
internal fun multipart(fields: List<String>): String =
    fields.joinToString("", postfix = "--$BOUNDARY--\r\n") { "--$BOUNDARY\r\n$it\r\n" }
