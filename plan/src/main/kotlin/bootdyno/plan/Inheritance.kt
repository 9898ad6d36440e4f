package bootdyno.plan

import bootdyno.keys.DatabaseKeys
import bootdyno.keys.ExperimentKeys
import bootdyno.keys.OF_EXPERIMENTS
import bootdyno.keys.PRESETS
import bootdyno.keys.PresetsKeys
import bootdyno.keys.ProfileKeys
import bootdyno.keys.SubjectKeys
import bootdyno.keys.WorkloadKeys
import bootdyno.model.Preset
import bootdyno.model.redactCommandLine
import bootdyno.yaml.Cursor
import bootdyno.yaml.EmptyNode
import bootdyno.yaml.Field
import bootdyno.yaml.MapNode
import bootdyno.yaml.Node
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.TextNode
import bootdyno.yaml.parseYaml

/** Alternative keys: a file that sets one of them removes the inherited others. */
private val ALTERNATIVES = listOf(ProfileKeys, WorkloadKeys, SubjectKeys).map { shape -> shape.kinds.map { it.name } }

/** Maximum number of files that extend each other. */
private const val LONGEST_CHAIN = 20

/** Maximum number of parts in the path of `--set`. */
private const val MOST_PARTS = 50

/** Maps whose keys may contain dots: the rest of the path is one key. */
private val DOTTED = setOf("settings", "env", "parameters", "headers")

/** An experiment as a tree, with old key names replaced; null after a problem that leaves no tree. */
internal fun parseExperiment(file: String, text: String, problems: Problems): Node? =
    parseYaml(file, text, problems, OF_EXPERIMENTS)?.let { renamed(it, problems) }

/** Old names of keys, with the new ones. */
private val OLD_NAMES =
    (ExperimentKeys.keys + DatabaseKeys.keys).mapNotNull { key -> key.oldName?.let { it to key.name } }.toMap()

/** Replaces [OLD_NAMES] in the experiment, in its database, and under presets. */
private fun renamed(node: Node, problems: Problems): Node = if (node !is MapNode) {
    node
} else {
    node.copy(
        fields = node.fields.map { field ->
            val name = OLD_NAMES[field.name] ?: field.name
            if (name != field.name) {
                problems.warnOfOldName(field.place, field.name, name)
                if (node[name] != null) {
                    problems.add(field.place, field.name, "is the old name of `$name`", "remove one of the two")
                }
            }
            val within = name in PRESETS || name == ExperimentKeys.presets.name || name == ExperimentKeys.database.name
            Field(name, field.place, if (within) renamed(field.value, problems) else field.value)
        },
    )
}

/**
 * [node] merged over the file that it `extends`, recursively. Maps merge key by key; lists and single values replace. A key without a value
 * (`gates:`) removes the inherited one. The name of a file is not inherited.
 */
internal fun inherit(node: MapNode, include: (String) -> String?, problems: Problems, below: List<String>): MapNode {
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

/** Merges key by key; [over] takes precedence. */
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

/** A file with the keys of its preset merged over it; [ofPreset] are the names of these keys. */
internal class ForPreset(val tree: MapNode, val ofPreset: Set<String> = emptySet())

/** Merges `presets: { quick: { only: […] } }` over the file if [flag] or the file chooses that preset. */
internal fun withPreset(tree: MapNode, flag: Preset?, problems: Problems): ForPreset {
    val presets = tree["presets"] ?: return ForPreset(tree)
    val rest = tree.without("presets")
    PresetsKeys.read(Cursor(presets, "presets", problems))
    val name = flag?.word ?: (tree["preset"] as? TextNode)?.text ?: ExperimentKeys.preset.default.word
    val chosen = (presets as? MapNode)?.get(name) as? MapNode ?: return ForPreset(rest)
    return ForPreset(merge(rest, chosen), chosen.fields.map { it.name }.toSet())
}

/** [root] with every `--set path=value` applied in order. The value is YAML: a number, a text or `[a, b]`. */
internal fun override(root: MapNode, settings: List<String>, problems: Problems): MapNode = settings.fold(root) { node, setting ->
    val place = Place("--set ${redactCommandLine(listOf(setting)).single()}")
    val path = setting.substringBefore('=').trim()
    val value = when {
        '=' !in setting || path.isEmpty() ->
            problems.add(place, "", "`$setting` sets nothing", "write path=value, as in limits.cpus=2")

        path.count { it == '.' } >= MOST_PARTS -> problems.add(place, "", "the path has more than $MOST_PARTS parts")

        else -> parseYaml(place.file, setting.substringAfter('=').ifBlank { "\"\"" }, problems, OF_EXPERIMENTS, isFile = false)
    }
    if (value == null) node else merge(node, renamed(mapOf(node, path, value, place), problems) as MapNode)
}

/** `{ limits: { cpus: 2 } }` for the path `limits.cpus`; [map] is the existing map at this level. */
private fun mapOf(map: MapNode?, path: String, value: Node, place: Place): MapNode {
    // The longest existing key that the path begins with, otherwise its first word.
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
