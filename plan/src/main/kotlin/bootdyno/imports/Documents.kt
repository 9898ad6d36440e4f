package bootdyno.imports

import bootdyno.model.jsonOf
import bootdyno.yaml.EmptyNode
import bootdyno.yaml.ListNode
import bootdyno.yaml.MapNode
import bootdyno.yaml.Node
import bootdyno.yaml.Problems
import bootdyno.yaml.TextNode
import bootdyno.yaml.YamlLimits
import bootdyno.yaml.parseYaml
import bootdyno.yaml.placeAfter
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** Maximum depth of nested maps and lists, because the parser of JSON needs stack for each. */
private const val DEEPEST = 200
private const val IMPORT_PART = "import a part of the file"

private val OFFSET = Regex("""Unexpected JSON token at offset (\d+): """)
private val OF_IMPORTS = YamlLimits(LARGEST_IMPORT, values = 2_000_000, depth = DEEPEST, hint = IMPORT_PART, nul = true)

/** [text] as JSON; null after a problem with its line. */
internal fun parseJson(file: String, text: String, problems: Problems): JsonElement? {
    tooDeepAt(text)?.let {
        return problems.add(placeAfter(text.take(it), file), "", "maps and lists are nested more than $DEEPEST deep", IMPORT_PART)
    }
    return try {
        Json.parseToJsonElement(text)
    } catch (e: SerializationException) {
        val said = e.message.orEmpty()
        // Without an offset it is the end of the text.
        val offset = OFFSET.find(said)?.groupValues?.get(1)?.toIntOrNull() ?: text.length
        val why = said.lineSequence().first().replace(OFFSET, "").substringBefore(" at path")
        problems.add(placeAfter(text.take(offset), file), "", "this is not JSON: $why", "check that the file is complete")
    }
}

/** A line of a log as a JSON object; null if it is none. */
internal fun jsonLine(line: String): JsonObject? =
    if (line.startsWith("{") && tooDeepAt(line) == null) jsonOf(line) as? JsonObject else null

/** [text] as a JSON object that may have comments, and commas behind its last elements; null if it is none. */
internal fun commentedJson(text: String): JsonObject? =
    jsonLine(TEXT_OR_LAST_COMMA.replace(withoutComments(text)) { if (it.value == ",") "" else it.value }.trim())

/** [json] without comments, as Postman sends it. */
internal fun withoutComments(json: String) = TEXT_OR_COMMENT.replace(json) { if (it.value.startsWith('/')) "" else it.value }

private const val TEXT = """"(?:[^"\\]|\\.)*+"?"""
private val TEXT_OR_COMMENT = Regex("""$TEXT|//.*|/\*[\s\S]{0,1000}?\*/""")
private val TEXT_OR_LAST_COMMA = Regex("""$TEXT|,(?=\s*+[}\]])""")

/**
 * The elements of the list at [path], `log` and `entries`, of the JSON object [text], each parsed when it is read, because the tree of a
 * large file takes many times its size. Null if there is no such list, or if [text] is no JSON around it.
 */
internal fun elementsIn(text: String, path: List<String>): Sequence<JsonElement>? {
    val scan = JsonScan(text)
    val begin =
        path.fold(scan.skipSpace(0) as Int?) { at, key -> at?.let { scan.valueOf(key, it) } }?.takeIf { text[it] == '[' }
            ?: return null
    val ends = scan.elements(begin) ?: return null
    return ends.asSequence().map { Json.parseToJsonElement(text.substring(it.first, it.last + 1)) }
}

/** Finds where values of JSON begin and end. Positions are null where the text is no JSON, as at its end. */
private class JsonScan(private val text: String) {
    fun skipSpace(from: Int): Int {
        var at = from
        while (at < text.length && text[at].isWhitespace()) at++
        return at
    }

    /** Where the value of [key] begins in the object at [from]. */
    fun valueOf(key: String, from: Int): Int? {
        var at = from
        if (text.getOrNull(at) != '{') return null
        do {
            val name = skipSpace(at + 1)
            val nameEnd = end(name)?.takeIf { text[name] == '"' } ?: return null
            val sign = skipSpace(nameEnd)
            if (text.getOrNull(sign) != ':') return null
            val value = skipSpace(sign + 1)
            val isIt = nameEnd - name == key.length + 2 && text.regionMatches(name + 1, key, 0, key.length)
            if (isIt) return value.takeIf { it < text.length }
            at = skipSpace(end(value) ?: return null)
        } while (text.getOrNull(at) == ',')
        return null
    }

    /** Where the elements of the list at [from] are; null if it has no end. */
    fun elements(from: Int): List<IntRange>? = buildList {
        var at = from
        do {
            val element = skipSpace(at + 1)
            if (isEmpty() && text.getOrNull(element) == ']') return@buildList
            val end = end(element) ?: return null
            add(element..<end)
            at = skipSpace(end)
        } while (text.getOrNull(at) == ',')
        if (text.getOrNull(at) != ']') return null
    }

    /** Behind the value at [from]. */
    private fun end(from: Int): Int? {
        var at = from
        var depth = 0
        if (text.getOrNull(from) !in BEGINS) {
            while (at < text.length && text[at] !in ",]}" && !text[at].isWhitespace()) at++
            return at.takeIf { it > from }
        }
        do {
            when (text.getOrNull(at) ?: return null) {
                '"' -> at = closing(at) ?: return null
                '{', '[' -> if (++depth > DEEPEST) return null
                '}', ']' -> depth--
            }
            at++
        } while (depth > 0)
        return at
    }

    private fun closing(quote: Int): Int? {
        var at = quote + 1
        while (at < text.length && text[at] != '"') at += if (text[at] == '\\') 2 else 1
        return at.takeIf { it < text.length }
    }
}

private val BEGINS = setOf('"', '{', '[')

/** Where [json] is nested too deeply; null if nowhere. */
private fun tooDeepAt(json: String): Int? {
    var depth = 0
    var isQuoted = false
    var at = 0
    while (at < json.length) {
        when (json[at]) {
            '\\' -> if (isQuoted) at++
            '"' -> isQuoted = !isQuoted
            '{', '[' -> if (!isQuoted && ++depth > DEEPEST) return at
            '}', ']' -> if (!isQuoted) depth--
        }
        at++
    }
    return null
}

/** YAML [text] as JSON in which every single value is a string; null after a problem. */
internal fun parseYamlDocument(file: String, text: String, problems: Problems): JsonElement? =
    parseYaml(file, text, problems, OF_IMPORTS)?.let(::asJson)

private fun asJson(node: Node): JsonElement = when (node) {
    is TextNode -> JsonPrimitive(node.text)
    is EmptyNode -> JsonNull
    is ListNode -> JsonArray(node.items.map(::asJson))
    is MapNode -> JsonObject(node.fields.associate { it.name to asJson(it.value) })
}

internal operator fun JsonElement?.get(name: String): JsonElement? = (this as? JsonObject)?.get(name)

/** The elements of a list; empty for anything else. */
internal val JsonElement?.items: List<JsonElement> get() = (this as? JsonArray).orEmpty()

/** The text of a string, number or boolean. */
internal val JsonElement?.text: String? get() = (this as? JsonPrimitive)?.takeIf { it !is JsonNull }?.content
