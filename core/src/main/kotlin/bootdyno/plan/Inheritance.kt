package bootdyno.plan

/** Keys of which a map holds one: when a file sets one of them, those it inherited are gone. */
private val ALTERNATIVES = listOf(PROFILE_KINDS, WORKLOAD_KINDS, ORIGIN_KINDS)

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
    if (name in below) {
        cursor.problem("extends itself: ${(below.dropWhile { it != name } + name).joinToString(" → ")}", "remove one `extends`")
        return own
    }
    val text = include(name)
    if (text == null) {
        cursor.problem("there is no experiment `$name`", "a built-in name, or a file beside this one without its .yaml")
        return own
    }
    val base = parseYaml(name, text, problems)
    if (base !is MapNode) return own
    return merge(inherit(base, include, problems, below + name).without("name"), own)
}

internal fun merge(base: MapNode, over: MapNode): MapNode {
    val replaced = ALTERNATIVES.filter { group -> over.fields.any { it.name in group } }.flatten().toSet()
    val names = over.fields.map { it.name }.toSet()
    val start = base.copy(fields = base.fields.filter { it.name !in replaced || it.name in names }, place = over.place)
    return over.fields.fold(start, ::mergeField)
}

private fun mergeField(base: MapNode, field: Field): MapNode {
    val old = base[field.name]
    return when {
        old is MapNode && field.value is MapNode -> base.with(field.name, field.place, merge(old, field.value))
        old != null && field.value is EmptyNode -> base.without(field.name)
        else -> base.with(field.name, field.place, field.value)
    }
}
