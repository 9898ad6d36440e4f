package bootdyno.plan

import bootdyno.model.redactCommandLine

/** Maps whose keys contain dots themselves: all that follows is one key. */
private val DOTTED = setOf("settings", "env", "parameters", "headers")

/** Of a path, with dots between them. */
private const val MOST_PARTS = 50

/** [root] with every `--set path=value` applied, in order. A value is YAML: a number, a text or `[a, b]`. */
internal fun override(root: MapNode, settings: List<String>, problems: Problems): MapNode =
    settings.fold(root) { node, setting -> applied(node, setting, problems) ?: node }

private fun applied(root: MapNode, setting: String, problems: Problems): MapNode? {
    val place = Place("--set ${redactCommandLine(listOf(setting)).single()}")
    val path = setting.substringBefore('=').trim()
    if ('=' !in setting || path.isEmpty()) {
        return problems.add(place, "", "`$setting` sets nothing", "write path=value, as in limits.cpus=2")
    }
    if (path.count { it == '.' } >= MOST_PARTS) return problems.add(place, "", "the path has more than $MOST_PARTS parts")
    val value = parseYaml(place.file, setting.substringAfter('=').ifBlank { "\"\"" }, problems) ?: return null
    val set = ExperimentKeys.renamed(mapOf(root, path, placed(value, place), place), problems)
    return merge(root, set as MapNode)
}

/** `{ limits: { cpus: 2 } }` for the path `limits.cpus`; [map] is what [path] leads into, as far as it is there. */
private fun mapOf(map: MapNode?, path: String, value: Node, place: Place): MapNode {
    val key = keyOf(map, path)
    val rest = path.removePrefix("$key.")
    val inner = when (key) {
        path -> value
        in DOTTED -> MapNode(listOf(Field(rest, place, value)), place)
        else -> mapOf(map?.get(key) as? MapNode, rest, value, place)
    }
    return MapNode(listOf(Field(key, place, inner)), map?.place ?: place)
}

/** The longest key of [map] that [path] begins with, else its first word. */
private fun keyOf(map: MapNode?, path: String): String =
    map?.fields.orEmpty().map { it.name }.filter { path == it || path.startsWith("$it.") }.maxByOrNull { it.length }
        ?: path.substringBefore('.')

/** Values of a flag have no line. */
private fun placed(node: Node, place: Place): Node = when (node) {
    is TextNode -> node.copy(place = place)
    is EmptyNode -> node.copy(place = place)
    is ListNode -> node.copy(items = node.items.map { placed(it, place) }, place = place)
    is MapNode -> node.copy(fields = node.fields.map { Field(it.name, place, placed(it.value, place)) }, place = place)
}
