package bootdyno.yaml

import bootdyno.model.Bytes
import bootdyno.model.count
import it.krzeminski.snakeyaml.engine.kmp.api.LoadSettings
import it.krzeminski.snakeyaml.engine.kmp.api.lowlevel.Parse
import it.krzeminski.snakeyaml.engine.kmp.events.AliasEvent
import it.krzeminski.snakeyaml.engine.kmp.events.Event
import it.krzeminski.snakeyaml.engine.kmp.events.MappingEndEvent
import it.krzeminski.snakeyaml.engine.kmp.events.MappingStartEvent
import it.krzeminski.snakeyaml.engine.kmp.events.NodeEvent
import it.krzeminski.snakeyaml.engine.kmp.events.ScalarEvent
import it.krzeminski.snakeyaml.engine.kmp.events.SequenceEndEvent
import it.krzeminski.snakeyaml.engine.kmp.events.SequenceStartEvent
import it.krzeminski.snakeyaml.engine.kmp.events.StreamEndEvent
import it.krzeminski.snakeyaml.engine.kmp.exceptions.Mark
import it.krzeminski.snakeyaml.engine.kmp.exceptions.MarkedYamlEngineException
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.util.Locale

/**
 * Limits of a parsed file. [values]: keys, values, lists and maps, where each alias counts with its content. [depth]: of nested maps and lists.
 * [hint] says what to do about a larger file, and [ofEmpty] about one without content. [nul]: whether values may have a NUL character.
 */
internal class YamlLimits(
    val size: Bytes,
    val values: Int,
    val depth: Int,
    val hint: String,
    val ofEmpty: String? = null,
    val nul: Boolean = false,
)

private const val BYTE_ORDER_MARK = "\uFEFF"
internal val UTF_16 = listOf(listOf<Byte>(-1, -2), listOf<Byte>(-2, -1))
private const val SAVE_AS_UTF_8 = "save the file as UTF-8 text"

/** Characters that YAML 1.2 excludes (chapter 5.1), including unpaired surrogates. */
private val UNPRINTABLE = Regex("""[^\t\n\r\x{85} -~\x{A0}-\x{D7FF}\x{E000}-\x{FFFD}\x{10000}-\x{10FFFF}]""")
private const val MERGE = "<<"
private val NULLS = setOf("", "~", "null")

/** The text of [bytes] in UTF-8, with or without a byte order mark. [file] is the file's name in problems. */
fun textOf(file: String, bytes: ByteArray): Read<String> {
    val problems = Problems()
    val rest = ByteBuffer.wrap(bytes)
    if (bytes.take(2) in UTF_16) {
        problems.add(Place(file, 1, 1), "", "the file is UTF-16", "save it as UTF-8, or run: iconv -f UTF-16 -t UTF-8")
    } else {
        try {
            return Read.Sound("${Charsets.UTF_8.newDecoder().decode(rest)}".removePrefix(BYTE_ORDER_MARK))
        } catch (_: CharacterCodingException) {
            val good = String(bytes, 0, rest.position(), Charsets.UTF_8).removePrefix(BYTE_ORDER_MARK)
            problems.add(placeAfter(good, file), "", "this byte is not UTF-8", SAVE_AS_UTF_8)
        }
    }
    return Read.Unsound(problems.all())
}

internal fun placeAfter(before: String, file: String) =
    Place(file, before.count { it == '\n' } + 1, before.length - before.lastIndexOf('\n'))

/**
 * Parses [text] into a tree; null after a problem that leaves none.
 *
 * Anchors and aliases are allowed, to reuse subjects. Every duplicate key is a problem. The limits are checked during parsing, so that no
 * text exceeds their time and memory. Values of flags ([isFile] false) have no lines.
 */
internal fun parseYaml(file: String, text: String, problems: Problems, limits: YamlLimits, isFile: Boolean = true): Node? {
    val plain = text.removePrefix(BYTE_ORDER_MARK)
    return try {
        checkCharacters(file, plain, limits)
        YamlReading(file, plain, problems, isFile, limits).read()
    } catch (e: NoYaml) {
        problems.add(if (isFile) e.place else Place(file), "", e.message.orEmpty(), e.hint)
    }
}

private class NoYaml(val place: Place, message: String, val hint: String?) : RuntimeException(message)

private fun checkCharacters(file: String, text: String, limits: YamlLimits) {
    if (text.length > limits.size.count) {
        throw NoYaml(Place(file, 1, 1), "the file is larger than ${limits.size.toText()}", limits.hint)
    }
    val at = UNPRINTABLE.find(text)?.range?.first ?: return
    val code = text[at].code
    val begin = text.take(64)
    val everyOther = begin.count { it == '\u0000' } * 3 > begin.length
    val (message, hint) = when {
        code == 0 && everyOther -> "this looks like UTF-16" to SAVE_AS_UTF_8
        code == 0 -> "there is a NUL character here, so this is no text" to SAVE_AS_UTF_8
        else -> "there is a control character here, U+${"%04X".format(Locale.ROOT, code)}" to "remove it"
    }
    throw NoYaml(placeAfter(text.substring(0, at), file), message, hint)
}

/** Builds a tree from the parser's events. */
private class YamlReading(
    private val file: String,
    text: String,
    private val problems: Problems,
    private val isFile: Boolean,
    private val limits: YamlLimits,
) {
    private class Anchored(val node: Node, val values: Int)

    private val events = Parse(LoadSettings(label = file, codePointLimit = Int.MAX_VALUE)).parse(text).iterator()
    private val anchors = mutableMapOf<String, Anchored>()
    private val open = mutableSetOf<String>()
    private var values = 0
    private var last: Mark? = null

    fun read(): Node {
        next()
        if (next() is StreamEndEvent) fail(null, "the file is empty", limits.ofEmpty)
        val root = node(next(), depth = 0)
        next()
        val end = next()
        if (end is StreamEndEvent) return root
        fail(end, "a second document begins here", "keep one document: remove this `---` and what follows")
    }

    private fun node(event: Event, depth: Int): Node {
        if (depth > limits.depth) fail(event, "maps and lists are nested more than ${limits.depth} deep", "write it flatter")
        if (event is AliasEvent) return aliased(event)
        val before = values
        count(event, 1)
        val anchor = (event as? NodeEvent)?.anchor?.value
        if (anchor != null) open += anchor
        val node = when (event) {
            is ScalarEvent ->
                if (event.plain && event.value in NULLS) EmptyNode(place(event)) else TextNode(textOf(event), place(event))

            is SequenceStartEvent -> {
                val items = generateSequence { next().takeUnless { it is SequenceEndEvent } }
                ListNode(items.map { node(it, depth + 1) }.toList(), place(event))
            }

            is MappingStartEvent -> map(event, depth)

            else -> fail(event, "this is not YAML")
        }
        if (anchor != null) {
            open -= anchor
            anchors[anchor] = Anchored(node, values - before)
        }
        return node
    }

    private fun textOf(event: ScalarEvent): String {
        val isRefused = '\u0000' in event.value && !limits.nul
        if (isRefused) fail(event, "has a NUL character in it", "remove \\0 here: no program takes it in a text")
        return event.value
    }

    private fun aliased(event: AliasEvent): Node {
        val name = event.alias.value
        val inside = name in open
        if (inside) fail(event, "*$name stands inside of what it names", "move &$name to a value that does not contain *$name")
        val anchored = anchors[name] ?: fail(event, "*$name names nothing above", suggestion(name, anchors.keys, "anchors above"))
        count(event, anchored.values)
        return anchored.node
    }

    private fun map(start: Event, depth: Int): MapNode {
        val fields = linkedMapOf<String, Field>()
        val merged = mutableListOf<Field>()
        generateSequence { next().takeUnless { it is MappingEndEvent } }.forEach { event ->
            count(event, 1)
            val key = (event as? ScalarEvent)?.let(::textOf).orEmpty()
            if (key.isEmpty()) fail(event, "this is no key", "a key is one word or text, then a colon: title: …")
            val value = node(next(), depth + 1)
            val first = fields[key]?.place?.line
            when {
                key == MERGE -> merged += mergedFields(event, value)

                first == null -> fields[key] = Field(key, place(event), value)

                else -> {
                    val hint = "it is already on line $first: rename or remove one of the two"
                    problems.add(place(event), key, "`$key` is written twice", hint)
                }
            }
        }
        // Keys of the map take precedence over merged keys.
        merged.forEach { fields.putIfAbsent(it.name, it) }
        return MapNode(fields.values.toList(), place(start))
    }

    private fun mergedFields(event: Event, value: Node): List<Field> = when (value) {
        is MapNode -> value.fields
        is ListNode -> value.items.flatMap { mergedFields(event, it) }
        is TextNode, is EmptyNode -> fail(event, "<< takes a map", "name one that stands above: <<: *name")
    }

    private fun count(event: Event, more: Int) {
        values += more
        if (values <= limits.values) return
        fail(event, "there are more than ${count(limits.values)} keys and values", limits.hint)
    }

    /** Internal failures of the parser are reported as invalid YAML. */
    private fun next(): Event = try {
        events.next().also { last = it.startMark ?: last }
    } catch (e: RuntimeException) {
        val marked = e as? MarkedYamlEngineException
        last = marked?.problemMark ?: marked?.contextMark ?: last
        val why =
            marked?.run { listOfNotNull(context, problem).joinToString(", ") } ?: e.message?.lineSequence()?.first().orEmpty()
        fail(null, "this is not YAML: $why", "check the indentation and quotes here")
    }

    private fun fail(event: Event?, message: String, hint: String? = null): Nothing =
        throw NoYaml(place(event?.startMark ?: last), message, hint)

    private fun place(event: Event) = place(event.startMark)

    private fun place(mark: Mark?) = if (isFile) Place(file, (mark?.line ?: 0) + 1, (mark?.column ?: 0) + 1) else Place(file)
}
