package bootdyno.report

import kotlinx.html.FlowContent
import kotlinx.html.b
import kotlinx.html.button
import kotlinx.html.code
import kotlinx.html.dd
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.small
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.ul

internal fun FlowContent.blockOf(block: Block): Unit = when (block) {
    is Paragraph -> p(toneClass(block.tone)) { +block.text }

    is Bullets -> div("card") { itemsOf(block) }

    is Cards -> div("find") { block.cards.forEach { cardOf(it) } }

    is Verbatim -> pre { code { +block.lines.joinToString("\n") } }

    is Facts -> dl("kv") {
        block.facts.forEach {
            dt { +it.name }
            dd { +it.value }
        }
    }

    is Folded -> details("card") {
        summary { +block.summary }
        block.blocks.forEach { blockOf(it) }
    }

    is Table -> div("card table") { tableOf(block.on(Medium.HTML)) }

    is Chart -> chartOf(block)
}

private fun FlowContent.itemsOf(block: Bullets) = ul("items") {
    block.items.forEach { item ->
        li(toneClass(item.tone)) {
            span { +item.text }
            item.detail.forEach { div("detail") { +it } }
        }
    }
}

private fun FlowContent.cardOf(card: Card) = div("card ${toneClass(card.tone)}") {
    div("n") {
        +card.figure
        card.range?.let {
            +" "
            small { +it }
        }
    }
    p {
        b { +card.title }
        +" ${card.text}"
    }
}

/** An empty box the script draws into; its table says the same to those who do not see it, and without scripts. */
private fun FlowContent.chartOf(chart: Chart) = div("card") {
    h3 { +chart.title }
    when (chart) {
        is CurvesChart, is TimelineChart -> div("choices") {
            id = "choices-${chart.id}"
            names(chart).forEachIndexed { index, name ->
                button {
                    attributes["type"] = "button"
                    attributes["data-chart"] = chart.id
                    attributes["data-index"] = "$index"
                    +name
                }
            }
        }

        is OrderChart -> {}
    }
    div("chart ${chart.id}") {
        id = "chart-${chart.id}"
        attributes["role"] = "img"
        attributes["aria-label"] = chart.spoken
    }
    chart.table?.let { table ->
        details {
            summary { +"The same as a table" }
            tableOf(table.on(Medium.HTML))
        }
    }
}

private fun names(chart: Chart): List<String> = when (chart) {
    is CurvesChart -> chart.curves.map { it.name }
    is TimelineChart -> chart.timelines.map { it.name }
    is OrderChart -> emptyList()
}

internal fun toneClass(tone: Tone): String = tone.name.lowercase()
