package bootdyno.plan

/** Keys of which a map holds one: when a file sets one of them, those it inherited are gone. */
private val ALTERNATIVES = listOf(ProfileKeys, WorkloadKeys, SubjectKeys).map { shape -> shape.kinds.map { it.name } }

/** Files that extend each other, one by the other. */
private const val LONGEST_CHAIN = 20

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
    if (below.size > LONGEST_CHAIN) {
        cursor.problem("more than $LONGEST_CHAIN files extend each other in a row", "put some of them into one file")
        return own
    }
    if (name in below) {
        cursor.problem("extends itself: ${(below.dropWhile { it != name } + name).joinToString(" → ")}", "remove one `extends`")
        return own
    }
    val text = include(name)
    if (text == null) {
        cursor.problem("there is no experiment `$name`", "a built-in name, or a file beside this one without its .yaml")
        return own
    }
    val base = parseExperiment(name, text, problems)
    if (base !is MapNode) return own
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
