package bootdyno.report.format

import bootdyno.report.FirstScreen
import bootdyno.report.Tile
import kotlinx.html.DIV
import kotlinx.html.FlowContent
import kotlinx.html.b
import kotlinx.html.code
import kotlinx.html.div
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.header
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.small

/** What was measured, the verdict with its certainty, and the tiles; before all sections. */
internal fun FlowContent.firstScreenOf(first: FirstScreen) = header {
    lineOf(first.line)
    p("question") { +first.question }
    h1 {
        id = "verdict"
        +first.verdict
    }
    first.cause?.let { p("cause") { +it } }
    p("badge ${toneClass(first.badge.sign.tone)}") {
        id = "badge"
        b { +first.badge.sign.word }
        if (first.badge.detail.isNotEmpty()) small { +" ${first.badge.detail}" }
    }
    div("tiles") { first.tiles.forEach { tileOf(it) } }
}

internal fun FlowContent.lineOf(parts: List<String>) = div("line") {
    p {
        b { +"Boot Dyno" }
        parts.forEach { +" · $it" }
    }
    buttonOf(mapOf("id" to "theme", "aria-label" to "◐ Theme: switch between light and dark")) { +"◐ Theme" }
}

/** Longer figures are settings. */
private const val LONG = 20

private fun DIV.tileOf(tile: Tile) = div("tile") {
    id = "tile-${tile.id}"
    h2 { +tile.heading }
    div(if (tile.figure.length > LONG) "big long" else "big") { +tile.figure }
    p { +tile.text }
    tile.command?.let { command ->
        p("copy") {
            code { +command }
            buttonOf(mapOf("data-copy" to command, "aria-label" to "Copy the command")) { +"Copy" }
        }
    }
}
