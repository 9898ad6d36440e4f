package bootdyno.report

import kotlinx.html.FlowContent
import kotlinx.html.b
import kotlinx.html.code
import kotlinx.html.dd
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.small
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.ul

/** [legends] by the id of the chart each stands above. */
internal fun FlowContent.blockOf(block: Block, legends: Map<String, Legend>): Unit = when (block) {
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
        block.blocks.forEach { blockOf(it, legends) }
    }

    is Table -> div("card table") { tableOf(block.on(Medium.HTML)) }

    is Chart -> {
        legends[block.id]?.let { legendOf(it) }
        chartOf(block)
    }

    is Beside -> {
        block.charts.mapNotNull { legends[it.id] }.forEach { legendOf(it) }
        div("pair") { block.charts.forEach { chartOf(it) } }
    }
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

internal fun toneClass(tone: Tone): String = tone.name.lowercase()
