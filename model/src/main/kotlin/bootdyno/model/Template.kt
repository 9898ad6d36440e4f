package bootdyno.model

import kotlinx.serialization.json.JsonPrimitive

/** A placeholder, as `{name}`; its first group is the name. */
val PLACEHOLDER = Regex("""\{([A-Za-z][A-Za-z0-9_-]*)}""")

/** [text] with the placeholders of [values] replaced by them, unencoded. */
fun filled(text: String, values: Map<String, String>): String =
    values.entries.fold(text) { filled, (name, value) -> filled.replace("{$name}", value) }

/** Names in curly brackets in [text], in order. */
fun placeholders(text: String): List<String> = PLACEHOLDER.findAll(text).map { it.groupValues[1] }.toList()

/**
 * Text with `{name}` placeholders. Values are data of a file or a response, not text of the experiment: each is encoded for its place, so
 * that no value can change the request around it.
 */
class Template private constructor(val pieces: List<Piece>) {
    sealed interface Piece

    data class Literal(val text: String) : Piece

    /** [text] is the placeholder itself; it stays if [name] has no value. */
    data class Hole(val name: String, val writing: Writing, val text: String) : Piece

    /** The text, if it has no placeholder. */
    val fixed: String? = pieces.filterIsInstance<Literal>().takeIf { it.size == pieces.size }?.joinToString("") { it.text }

    fun fill(values: Map<String, String>): String = fixed ?: pieces.joinToString("") { piece ->
        when (piece) {
            is Literal -> piece.text
            is Hole -> values[piece.name]?.let(piece.writing.write) ?: piece.text
        }
    }

    companion object {
        /** Path and query: a value becomes one path segment or one query value. */
        fun ofPath(text: String) = Template(cut(text) { Writing.PERCENT_ENCODED })

        fun ofHeader(text: String) = Template(cut(text) { Writing.ONE_LINE })

        /**
         * A body is JSON or a form by its [contentType]; without one it is JSON if it begins with a bracket. In JSON a value is escaped inside
         * quotes, and inserted unchanged elsewhere (`{ "id": {id} }`), as in other bodies.
         */
        fun ofBody(text: String, contentType: String?): Template {
            val type = contentType?.substringBefore(';')?.trim()?.lowercase()
            val json = if (type == null) text.trimStart().firstOrNull() in setOf('{', '[') else "json" in type
            return when {
                json -> Template(cut(text) { before -> if (endsInsideQuotes(before)) Writing.JSON_STRING else Writing.AS_IS })
                type == "application/x-www-form-urlencoded" -> Template(cut(text) { Writing.PERCENT_ENCODED })
                else -> Template(cut(text) { Writing.AS_IS })
            }
        }
    }
}

/** [writing] gets all literal text before the hole. */
private fun cut(text: String, writing: (before: String) -> Writing): List<Template.Piece> = buildList {
    val before = StringBuilder()
    var from = 0
    PLACEHOLDER.findAll(text).forEach { match ->
        val literal = text.substring(from, match.range.first)
        before.append(literal)
        if (literal.isNotEmpty()) add(Template.Literal(literal))
        add(Template.Hole(match.groupValues[1], writing(before.toString()), match.value))
        from = match.range.last + 1
    }
    if (from < text.length) add(Template.Literal(text.substring(from)))
}

private fun endsInsideQuotes(json: String): Boolean {
    var inside = false
    var escaped = false
    json.forEach { c ->
        when {
            escaped -> escaped = false
            inside && c == '\\' -> escaped = true
            c == '"' -> inside = !inside
        }
    }
    return inside
}

/** Encoding of a value. */
enum class Writing(val write: (String) -> String) {
    AS_IS({ it }),

    /** UTF-8 bytes as `%XX`, except letters, digits and `-._~` of ASCII (RFC 3986, section 2). */
    PERCENT_ENCODED({ if (it.all(::unreserved)) it else percentEncoded(it) }),

    /** As inside the quotes of a JSON string. */
    JSON_STRING({ JsonPrimitive(it).toString().removeSurrounding("\"") }),

    /** Control characters become spaces, because a line break would begin another header. */
    ONE_LINE({ value ->
        if (value.none(Char::isISOControl)) value else value.map { if (it.isISOControl()) ' ' else it }.joinToString("")
    }),
}

private fun unreserved(c: Char) = c in 'a'..'z' || c in 'A'..'Z' || c in '0'..'9' || c in "-._~"

/**
 * [target], a path and query, with each character beyond ASCII as `%XX` of its UTF-8 bytes, because a request line has none (RFC 3986,
 * section 2.5): Tomcat answers 400. All else stays as it is.
 */
fun asciiTarget(target: String): String =
    if (target.all { it < ASCII_END }) target else BEYOND_ASCII.replace(target) { percentEncoded(it.value) }

private val BEYOND_ASCII = Regex("[^\\x00-\\x7F]+")
private const val ASCII_END = '\u0080'

private fun percentEncoded(value: String): String = buildString {
    value.encodeToByteArray().forEach { byte ->
        val c = (byte.toInt() and 0xFF).toChar()
        if (unreserved(c)) append(c) else append('%').append(HEX[c.code shr 4]).append(HEX[c.code and 0xF])
    }
}

private const val HEX = "0123456789ABCDEF"
