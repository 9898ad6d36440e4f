package bootdyno.report.format

import bootdyno.report.Bar
import bootdyno.report.Beside
import bootdyno.report.Block
import bootdyno.report.Bullets
import bootdyno.report.Chart
import bootdyno.report.Column
import bootdyno.report.Facts
import bootdyno.report.Folded
import bootdyno.report.Forest
import bootdyno.report.Medium
import bootdyno.report.Paragraph
import bootdyno.report.Table
import bootdyno.report.TableEntry
import bootdyno.report.Tone
import bootdyno.report.Verbatim
import bootdyno.report.Words
import kotlinx.html.FlowContent
import kotlinx.html.TD
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.code
import kotlinx.html.dd
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.label
import kotlinx.html.li
import kotlinx.html.option
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.select
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.svg
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import kotlinx.html.unsafe

/** [legends] by the id of the chart below them. */
internal fun FlowContent.blockOf(block: Block, legends: Map<String, Legend>): Unit = when (block) {
    is Paragraph -> p(toneClass(block.tone)) { +block.text }

    is Bullets -> div("card") {
        ul("items") {
            block.items.forEach { item ->
                li(toneClass(item.tone)) {
                    span { +item.text }
                    item.detail.forEach { div("detail") { +it } }
                }
            }
        }
    }

    is Forest -> forestOf(block)

    is Verbatim -> pre { code { +block.lines.joinToString("\n") } }

    is Facts -> dl("kv") {
        block.facts.forEach {
            dt { +it.name }
            dd { +it.value }
        }
    }

    is Folded -> details("card") {
        summary { +block.summary }
        block.blocks.forEach { blockOf(it, legends) }
    }

    is Table -> div("card table") { tableOf(block.on(Medium.HTML)) }

    is Chart -> {
        legends[block.id]?.let { legendOf(it) }
        chartOf(block)
    }

    is Beside -> {
        block.charts.mapNotNull { legends[it.id] }.forEach { legendOf(it) }
        div("pair") { block.charts.forEach { chartOf(it, if (block.charts.size > 1) HALF else WIDE) } }
    }
}

internal fun toneClass(tone: Tone): String = tone.name.lowercase()

internal fun FlowContent.tableOf(table: Table) {
    val ratios = table.rows.flatMap { it.entries }.filterIsInstance<Words>().flatMap { it.against }
    val hints = ratios.mapNotNull { it.hint }.distinct()
    if (table.baselines.isNotEmpty()) baselinesOf(table, hints)
    rowsOf(table, hints)
}

private fun FlowContent.baselinesOf(table: Table, hints: List<String>) = label("choices") {
    +"Compare with"
    select {
        attributes["data-baselines"] = hints.joinToString("|")
        val baseline = table.rows.indexOfFirst { it.emphasised }
        table.baselines.forEachIndexed { nth, name ->
            option {
                value = "$nth"
                selected = nth == baseline
                +name
            }
        }
    }
}

private fun FlowContent.rowsOf(table: Table, hints: List<String>) = table {
    if (table.columns.size >= FEWEST_FOR_CARDS) attributes["style"] = labels(table.columns)
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
                row.entries.forEachIndexed { index, entry -> td(side(table.columns[index])) { entryOf(entry, hints) } }
            }
        }
    }
}

/** See `report.css`. */
private const val FEWEST_FOR_CARDS = 5

/** The columns' headings for `report.css`, which puts them beside the figures where a narrow page shows each row as a card. */
private fun labels(columns: List<Column>): String = columns.withIndex().joinToString("") { (nth, column) ->
    val heading = listOfNotNull(column.head, column.unit).joinToString(if (column.unit?.startsWith("(") == true) " " else ", ")
    "--h${nth + 1}:\"${inCss(heading)}\";"
}

/** [text] inside a string of CSS, of which no character is more than itself. */
internal fun inCss(text: String): String =
    text.map { if (it.isLetterOrDigit() || it in " ,./%()-") "$it" else "\\${it.code.toString(HEX)} " }.joinToString("")

private const val HEX = 16

private fun side(column: Column): String =
    (if (column.right) "r" else "l") + if (column.whenTight == Column.WhenTight.WRAP) " wraptxt" else ""

private fun TD.entryOf(entry: TableEntry, hints: List<String>): Unit = when (entry) {
    is Words -> {
        if (entry.against.isNotEmpty()) attributes["data-against"] = entry.against.joinToString(";") { againstOf(it, hints) }
        wordsOf(entry)
    }

    is Bar -> svg("bar") {
        attributes["width"] = "${WIDTH + 6}"
        attributes["height"] = "32"
        attributes["viewBox"] = "-3 0 ${WIDTH + 6} 32"
        attributes["role"] = "img"
        attributes["aria-label"] = entry.spoken
        unsafe { raw(drawing(entry)) }
    }
}

/** For `tables.js`: figure, interval and number of the hint, without their signs: a table of 100 rows has 10,000 of them. */
private fun againstOf(words: Words, hints: List<String>): String {
    val range = words.beside?.removeSurrounding("[", "]")
    val parts = listOf(words.text.removeSuffix("×"), range, words.hint?.let { "${hints.indexOf(it)}" })
    return parts.joinToString("|") { it.orEmpty() }.trimEnd('|')
}

private fun FlowContent.wordsOf(words: Words) {
    words.mark?.let { mark -> span("sw ${mark.shape}") { attributes["style"] = "background:var(--c${mark.colour})" } }
    if (words.text.isNotEmpty()) {
        val tone = words.tone.takeIf { it != Tone.PLAIN }?.let(::toneClass)
        span(listOfNotNull("pill".takeIf { words.badge }, tone).joinToString(" ").ifEmpty { null }) {
            words.hint?.let { attributes["title"] = it }
            +words.text
        }
    }
    val below = if (words.mark == null) "beside" else "beside under"
    words.beside?.let { div(below) { +it } }
    words.hint?.takeIf { words.mark != null }?.let { div(below) { +it } }
}

private const val WIDTH = 160

/** A bar to scale with its interval as a whisker, its trials as dots, and its ceiling as a dashed line. */
private fun drawing(bar: Bar): String {
    val colour = "var(--c${bar.mark.colour})"
    fun x(value: Double) = (value / bar.most * WIDTH).coerceIn(0.0, WIDTH.toDouble())
    fun path(kind: String, d: String, stroke: String = "") = """<path class="$kind"$stroke d="$d"/>"""

    val length = pixels(x(bar.estimate.value).coerceAtLeast(1.5))
    val area = """<rect x="0" y="4" width="$length" height="16" rx="2" fill="$colour" opacity=".55"/>"""
    val limit = bar.limit?.let { path("limit", "M${pixels(x(it))} 0v30") }
    val whisker = bar.estimate.interval?.let { (low, high) ->
        val (from, to) = pixels(x(low)) to pixels(x(high))
        path("whisker", "M$from 12H${to}M$from 7v10M$to 7v10")
    }
    val dots = bar.dots.map { "M${pixels(x(it))} 27h0" }.takeIf { it.isNotEmpty() }
        ?.let { path("dots", it.joinToString(""), " stroke=\"$colour\"") }
    return listOfNotNull(area, limit, whisker, dots).joinToString("")
}
