package bootdyno.plan

import bootdyno.model.Preset
import bootdyno.model.redactCommandLine

/** Keys of which a map holds one: when a file sets one of them, those it inherited are gone. */
private val ALTERNATIVES = listOf(ProfileKeys, WorkloadKeys, SubjectKeys).map { shape -> shape.kinds.map { it.name } }

/** Files that extend each other, one by the other. */
private const val LONGEST_CHAIN = 20

/** Of the path of a setting, with dots between them. */
private const val MOST_PARTS = 50

/** Maps whose keys contain dots themselves: all that follows is one key. */
private val DOTTED = setOf("settings", "env", "parameters", "headers")

/** A YAML text with the keys of an experiment, in their new names; null after a problem that leaves no tree. */
internal fun parseExperiment(file: String, text: String, problems: Problems): Node? =
    parseYaml(file, text, problems)?.let { renamed(it, problems) }

/** Keys that files may have in [OLD_NAMES] are those of an experiment, of its database, and of either under a preset. */
private fun renamed(node: Node, problems: Problems): Node = if (node !is MapNode) {
    node
} else {
    node.copy(
        fields = node.fields.map { field ->
            val name = OLD_NAMES[field.name] ?: field.name
            if (name != field.name) {
                problems.warnOfOldName(field.place, field.name, name)
                if (node[name] !=
                    null
                ) {
                    problems.add(field.place, field.name, "is the old name of `$name`", "remove one of the two")
                }
            }
            val within = name in PRESETS || name == ExperimentKeys.presets.name || name == ExperimentKeys.database.name
            Field(name, field.place, if (within) renamed(field.value, problems) else field.value)
        },
    )
}

/**
 * [node] with the file it `extends` beneath it, and so on up. Maps merge key by key, lists and single values replace, and a key without a
 * value (`gates:`) takes the inherited one away. The name of a file is not inherited.
 */
internal fun inherit(
    node: MapNode,
    include: (String) -> String?,
    problems: Problems,
    below: List<String> = emptyList(),
): MapNode {
    val cursor = node["extends"]?.let { Cursor(it, "extends", problems) } ?: return node
    val own = node.without("extends")
    val name = cursor.text() ?: return own
    val text = when {
        below.size > LONGEST_CHAIN ->
            cursor.problem("more than $LONGEST_CHAIN files extend each other in a row", "put some of them into one file")

        name in below -> {
            val circle = (below.dropWhile { it != name } + name).joinToString(" → ")
            cursor.problem("extends itself: $circle", "remove one `extends`")
        }

        else -> include(name)
            ?: cursor.problem("there is no experiment `$name`", "a built-in name, or a file beside this one without its .yaml")
    }
    val base = text?.let { parseExperiment(name, it, problems) } as? MapNode ?: return own
    return merge(inherit(base, include, problems, below + name).without("name"), own)
}

/** Maps merge key by key; [over] wins. */
internal fun merge(base: MapNode, over: MapNode): MapNode {
    val names = over.fields.map { it.name }.toSet()
    val replaced = ALTERNATIVES.filter { group -> group.any { it in names } }.flatten().toSet() - names
    val merged = base.fields.filter { it.name !in replaced }.associateByTo(linkedMapOf()) { it.name }
    over.fields.forEach { field ->
        val old = merged[field.name]?.value
        when {
            old is MapNode && field.value is MapNode -> merged[field.name] = field.copy(value = merge(old, field.value))
            old != null && field.value is EmptyNode -> merged -= field.name
            else -> merged[field.name] = field
        }
    }
    return MapNode(merged.values.toList(), over.place)
}

/** A file with what it says for the preset in use merged over it; [ofPreset] are the keys that came from there. */
internal class ForPreset(val tree: MapNode, val ofPreset: Set<String> = emptySet())

/** Merges `presets: { quick: { only: […] } }` over the rest of the file, where [flag] or the file choose that preset. */
internal fun withPreset(tree: MapNode, flag: Preset?, problems: Problems): ForPreset {
    val presets = tree["presets"] ?: return ForPreset(tree)
    val rest = tree.without("presets")
    PresetsKeys.read(Cursor(presets, "presets", problems))
    val name = flag?.word ?: (tree["preset"] as? TextNode)?.text ?: ExperimentKeys.preset.default.word
    val chosen = (presets as? MapNode)?.get(name) as? MapNode ?: return ForPreset(rest)
    return ForPreset(merge(rest, chosen), chosen.fields.map { it.name }.toSet())
}

/** [root] with every `--set path=value` applied, in order. A value is YAML: a number, a text or `[a, b]`. */
internal fun override(root: MapNode, settings: List<String>, problems: Problems): MapNode = settings.fold(root) { node, setting ->
    val place = Place("--set ${redactCommandLine(listOf(setting)).single()}")
    val path = setting.substringBefore('=').trim()
    val value = when {
        '=' !in setting || path.isEmpty() ->
            problems.add(place, "", "`$setting` sets nothing", "write path=value, as in limits.cpus=2")

        path.count { it == '.' } >= MOST_PARTS -> problems.add(place, "", "the path has more than $MOST_PARTS parts")

        else -> parseYaml(place.file, setting.substringAfter('=').ifBlank { "\"\"" }, problems, isFile = false)
    }
    if (value == null) node else merge(node, renamed(mapOf(node, path, value, place), problems) as MapNode)
}

/** `{ limits: { cpus: 2 } }` for the path `limits.cpus`; [map] is what [path] leads into, as far as it is there. */
private fun mapOf(map: MapNode?, path: String, value: Node, place: Place): MapNode {
    // The longest key of the map that the path begins with, else its first word.
    val key = map?.fields.orEmpty().map { it.name }.filter { path == it || path.startsWith("$it.") }.maxByOrNull { it.length }
        ?: path.substringBefore('.')
    val rest = path.removePrefix("$key.")
    val inner = when (key) {
        path -> value
        in DOTTED -> MapNode(listOf(Field(rest, place, value)), place)
        else -> mapOf(map?.get(key) as? MapNode, rest, value, place)
    }
    return MapNode(listOf(Field(key, place, inner)), map?.place ?: place)
}
