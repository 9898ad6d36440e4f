package bootdyno.plan

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

/** Keys, values, lists and maps in one text of YAML. What an alias stands for counts each time it is named. */
private const val MOST_VALUES = 20_000

/** Maps and lists inside each other. */
private const val DEEPEST = 40

private const val MERGE = "<<"
private val NULLS = setOf("", "~", "null")

/**
 * [text] as a tree, or null after a problem that leaves none.
 *
 * Anchors and aliases are allowed: they spare a file from saying the same subject twice. Every duplicate key is a problem of its own.
 * The limits are checked while the parser goes on, so that no text takes more time or memory than they allow.
 */
internal fun parseYaml(file: String, text: String, problems: Problems): Node? {
    val plain = text.removePrefix(BYTE_ORDER_MARK)
    return try {
        faultOf(plain)?.let { throw NoYaml(it.line, it.column, it.message, it.hint) }
        YamlReading(file, plain, problems).read()
    } catch (e: NoYaml) {
        problems.add(Place(file, e.line, e.column), "", e.message.orEmpty(), e.hint)
    }
}

private class NoYaml(val line: Int, val column: Int, message: String, val hint: String?) : RuntimeException(message)

/** Builds a tree from the parser's events. */
private class YamlReading(private val file: String, private val text: String, private val problems: Problems) {
    private class Anchored(val node: Node, val values: Int)

    private val events = Parse(LoadSettings(label = file, codePointLimit = Int.MAX_VALUE)).parse(text).iterator()
    private val anchors = mutableMapOf<String, Anchored>()
    private val open = mutableSetOf<String>()
    private var values = 0
    private var last: Mark? = null

    fun read(): Node {
        next()
        if (next() is StreamEndEvent) fail(null, "the file is empty", "docs/experiment.md has a complete example")
        val root = node(next(), depth = 0)
        next()
        val end = next()
        if (end !is StreamEndEvent) {
            fail(
                end,
                "a second document begins here",
                "keep one document: remove this `---` and what follows",
            )
        }
        return root
    }

    private fun node(event: Event, depth: Int): Node {
        if (depth > DEEPEST) fail(event, "maps and lists are nested more than $DEEPEST deep", "write it flatter")
        if (event is AliasEvent) return aliased(event)
        val before = values
        count(event, 1)
        val anchor = (event as? NodeEvent)?.anchor?.value
        if (anchor != null) open += anchor
        val node = when (event) {
            is ScalarEvent -> scalar(event)
            is SequenceStartEvent -> ListNode(generateSequence(::item).map { node(it, depth + 1) }.toList(), place(event))
            is MappingStartEvent -> map(event, depth)
            else -> fail(event, "this is not YAML", null)
        }
        if (anchor != null) {
            open -= anchor
            anchors[anchor] = Anchored(node, values - before)
        }
        return node
    }

    private fun item(): Event? = next().takeUnless { it is SequenceEndEvent }

    private fun scalar(event: ScalarEvent): Node =
        if (event.plain && event.value in NULLS) EmptyNode(place(event)) else TextNode(textOf(event), place(event))

    private fun textOf(event: ScalarEvent): String {
        if ('\u0000' in event.value) fail(event, "has a NUL character in it", "remove \\0 here: no program takes it in a text")
        return event.value
    }

    private fun aliased(event: AliasEvent): Node {
        val name = event.alias.value
        if (name in
            open
        ) {
            fail(event, "*$name stands inside of what it names", "move &$name to a value that does not contain *$name")
        }
        val anchored = anchors[name] ?: fail(event, "*$name names nothing above", suggestion(name, anchors.keys, "anchors above"))
        count(event, anchored.values)
        return anchored.node
    }

    private fun map(start: Event, depth: Int): MapNode {
        val fields = linkedMapOf<String, Field>()
        val merged = mutableListOf<Field>()
        generateSequence { next().takeUnless { it is MappingEndEvent } }.forEach { event ->
            val key = key(event)
            val value = node(next(), depth + 1)
            when {
                key == MERGE -> merged += mergedFields(event, value)
                key in fields -> twice(event, key, fields.getValue(key))
                else -> fields[key] = Field(key, place(event), value)
            }
        }
        // What the map says itself goes before what it merges.
        merged.forEach { fields.putIfAbsent(it.name, it) }
        return MapNode(fields.values.toList(), place(start))
    }

    private fun key(event: Event): String {
        count(event, 1)
        val key = (event as? ScalarEvent)?.let(::textOf)
        return key?.takeIf { it.isNotEmpty() }
            ?: fail(event, "this is no key", "a key is one word or text, then a colon: title: …")
    }

    private fun mergedFields(event: Event, value: Node): List<Field> = when (value) {
        is MapNode -> value.fields
        is ListNode -> value.items.flatMap { mergedFields(event, it) }
        is TextNode, is EmptyNode -> fail(event, "<< takes a map", "name one that stands above: <<: *name")
    }

    private fun twice(event: Event, key: String, first: Field) = problems.add(
        place(event),
        key,
        "`$key` is written twice",
        "it is already on line ${first.place.line}: rename or remove one of the two",
    )

    private fun count(event: Event, more: Int) {
        values += more
        if (values <= MOST_VALUES) return
        fail(event, "there are more than ${whole(MOST_VALUES.toLong())} keys and values", "split the experiment")
    }

    /** What the parser itself does not survive is no YAML either. */
    private fun next(): Event = try {
        events.next().also { last = it.startMark ?: last }
    } catch (e: MarkedYamlEngineException) {
        last = e.problemMark ?: e.contextMark ?: last
        fail(null, "this is not YAML: ${listOfNotNull(e.context, e.problem).joinToString(", ")}", HINT)
    } catch (e: RuntimeException) {
        fail(null, "this is not YAML: ${e.message?.lineSequence()?.first().orEmpty()}", HINT)
    }

    private fun fail(event: Event?, message: String, hint: String?): Nothing {
        val mark = event?.startMark ?: last
        throw NoYaml((mark?.line ?: 0) + 1, (mark?.column ?: 0) + 1, message, hint)
    }

    private fun place(event: Event) = Place(file, (event.startMark?.line ?: 0) + 1, (event.startMark?.column ?: 0) + 1)

    private companion object {
        const val HINT = "check the indentation and quotes here"
    }
}
