package bootdyno.plan

private const val FLOW_WIDTH = 110
private val PLAIN = Regex("[A-Za-z0-9/_.][A-Za-z0-9/_.*+=@ -]*(?<! )")
private val NULLS = setOf("null", "Null", "NULL", "~", "")

/** The tree as YAML: blocks, with flat maps and lists on one line where they fit. Reading it again gives the same tree. */
internal fun writeYaml(node: MapNode): String = buildString { block(node, "") }

private fun StringBuilder.block(node: MapNode, indent: String) {
    node.fields.forEach { (name, _, value) ->
        append(indent).append(scalar(name)).append(':')
        value(value, indent)
    }
}

private fun StringBuilder.value(node: Node, indent: String) {
    val line = flow(node)
    when {
        line != null && line.length + indent.length <= FLOW_WIDTH -> append(' ').append(line).append('\n')

        node is MapNode -> {
            append('\n')
            block(node, "$indent  ")
        }

        node is ListNode -> {
            append('\n')
            node.items.forEach { append(indent).append("  - ").append(flow(it, deep = true)).append('\n') }
        }

        else -> append(' ').append(flow(node, deep = true)).append('\n')
    }
}

/** The node on one line, or null when it holds maps or lists of maps and [deep] does not insist. */
private fun flow(node: Node, deep: Boolean = false): String? = when (node) {
    is TextNode -> scalar(node.text)
    is EmptyNode -> "null"
    is ListNode -> node.items.takeIf { deep || it.all(::isText) }?.joinToString(", ", "[", "]") { flow(it, true).orEmpty() }
    is MapNode -> node.fields.takeIf { deep || it.all { field -> isText(field.value) } }?.let(::flowMap)
}

private fun flowMap(fields: List<Field>) =
    if (fields.isEmpty()) "{}" else fields.joinToString(", ", "{ ", " }") { "${scalar(it.name)}: ${flow(it.value, true)}" }

private fun isText(node: Node) = node is TextNode || node is EmptyNode

private fun scalar(text: String): String = if (PLAIN.matches(text) && text !in NULLS) text else quoted(text)

private fun quoted(text: String): String = text.map { c ->
    when {
        c == '"' -> "\\\""
        c == '\\' -> "\\\\"
        c == '\n' -> "\\n"
        c == '\t' -> "\\t"
        c == '\r' -> "\\r"
        c < ' ' -> "\\x" + c.code.toString(16).padStart(2, '0')
        else -> c.toString()
    }
}.joinToString("", "\"", "\"")
