package bootdyno.report

import bootdyno.model.Stack
import kotlinx.html.FlowContent
import kotlinx.html.FlowOrPhrasingContent
import kotlinx.html.TD
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.unsafe

internal fun FlowContent.tableOf(table: Table) = table {
    caption("sr") { +table.caption }
    thead {
        tr {
            table.columns.forEach { column ->
                th(scope = ThScope.col, classes = side(column)) {
                    +column.head
                    column.unit?.let { span("unit") { +it } }
                }
            }
        }
    }
    tbody {
        table.rows.forEach { row ->
            tr(if (row.emphasised) "baseline" else null) {
                row.entries.forEachIndexed { index, entry -> td(side(table.columns[index])) { entryOf(entry) } }
            }
        }
    }
}

private fun side(column: Column): String =
    (if (column.right) "r" else "l") + if (column.whenTight == Column.WhenTight.WRAP) " wraptxt" else ""

private fun TD.entryOf(entry: Entry): Unit = when (entry) {
    is Words -> wordsOf(entry)
    is Bar -> unsafe { raw(picture(entry)) }
}

private fun TD.wordsOf(words: Words) {
    words.mark?.let { mark -> span("sw ${shape(mark)}") { attributes["style"] = "background:var(--c${mark.colour})" } }
    if (words.text.isNotEmpty()) textOf(words)
    words.beside?.let { div("beside") { +it } }
    if (words.mark != null && words.hint != null) div("beside under") { +words.hint }
}

private fun FlowOrPhrasingContent.textOf(words: Words) = span((if (words.badge) "pill " else "") + toneClass(words.tone)) {
    words.hint?.let { attributes["title"] = it }
    +words.text
}

/** Colour is not the only sign: Netty's marks stand on a corner. */
internal fun shape(mark: Mark): String = when (mark.stack) {
    Stack.NETTY -> "diamond"
    Stack.TOMCAT, Stack.UNKNOWN -> "square"
}
