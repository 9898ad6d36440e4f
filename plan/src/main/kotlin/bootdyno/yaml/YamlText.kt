package bootdyno.yaml

import kotlinx.serialization.json.JsonPrimitive

private const val FLOW_WIDTH = 110
private val PLAIN = Regex("[A-Za-z0-9/_.][A-Za-z0-9/_.*+=@ -]*(?<! )")
private val NULLS = setOf("null", "Null", "NULL", "~", "")

/** [node] as YAML, in block style, with flat maps and lists on one line if they fit. */
internal fun yamlText(node: MapNode): String = buildString { block(node, "") }

private fun StringBuilder.block(node: MapNode, indent: String): Unit = node.fields.forEach { (name, _, value) ->
    append("$indent${scalar(name)}:")
    val line = flow(value)
    val fits = line.length + indent.length <= FLOW_WIDTH
    when {
        value is MapNode && !(fits && value.fields.all { isText(it.value) }) -> {
            append('\n')
            block(value, "$indent  ")
        }

        value is ListNode && !(fits && value.items.all(::isText)) -> {
            append('\n')
            value.items.forEach { append("$indent  - ${flow(it)}\n") }
        }

        else -> append(" $line\n")
    }
}

private fun isText(node: Node) = node is TextNode || node is EmptyNode

private fun flow(node: Node): String = when (node) {
    is TextNode -> scalar(node.text)
    is EmptyNode -> "null"
    is ListNode -> node.items.joinToString(", ", "[", "]", transform = ::flow)
    is MapNode if node.fields.isEmpty() -> "{}"
    is MapNode -> node.fields.joinToString(", ", "{ ", " }") { "${scalar(it.name)}: ${flow(it.value)}" }
}

/** Texts with another meaning in YAML are quoted like JSON, which is valid YAML. */
private fun scalar(text: String): String = if (PLAIN.matches(text) && text !in NULLS) text else JsonPrimitive(text).toString()
