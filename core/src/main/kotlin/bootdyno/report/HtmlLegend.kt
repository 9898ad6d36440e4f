package bootdyno.report

import kotlinx.html.FlowContent
import kotlinx.html.button
import kotlinx.html.div
import kotlinx.html.span
import kotlinx.html.unsafe

/** The buttons that hide and show lines, which also say what the lines look like. One stands above all charts of its [group]. */
internal data class Legend(val group: String, val keys: List<Key>, val published: Boolean = false)

internal data class Key(val name: String, val mark: Mark, val shown: Boolean)

/** The legend of each group of sweeps, by the id of the group's first chart. */
internal fun legends(charts: List<Chart>): Map<String, Legend> =
    charts.filterIsInstance<SweepChart>().groupBy { it.group }.entries.associate { (group, own) ->
        val lines = own.flatMap { it.lines }
        val keys = lines.distinctBy { it.name }.map { Key(it.name, it.mark, shown = true) }
        own.first().id to Legend(group, keys, lines.any { it.published.isNotEmpty() })
    }

internal fun FlowContent.legendOf(legend: Legend) = div("choices legend") {
    legend.keys.forEach { key ->
        button {
            attributes["type"] = "button"
            attributes["data-group"] = legend.group
            attributes["data-line"] = key.name
            attributes["aria-pressed"] = "${key.shown}"
            unsafe { raw(sample(key.mark)) }
            +key.name
        }
    }
    if (legend.keys.size > 3) {
        listOf("all" to true, "none" to false).forEach { (word, shown) ->
            button(classes = "quiet") {
                attributes["type"] = "button"
                attributes["data-group"] = legend.group
                attributes["data-all"] = "$shown"
                +word
            }
        }
    }
    if (legend.published) {
        span("key") {
            unsafe { raw(PUBLISHED) }
            +"published"
        }
    }
}

/** A piece of the line with its mark. */
private fun sample(mark: Mark): String {
    val colour = "var(--c${mark.colour})"
    val dashes = mark.stroke.pattern.joinToString(" ")
    val line = """<line x1="0" y1="6" x2="34" y2="6" stroke="$colour" stroke-width="2.2" stroke-dasharray="$dashes"/>"""
    return picture(line + shapeOf(mark, colour))
}

private fun shapeOf(mark: Mark, colour: String): String = when (shape(mark)) {
    "diamond" -> """<path d="M17 1.5 21.5 6 17 10.5 12.5 6Z" fill="$colour"/>"""
    else -> """<circle cx="17" cy="6" r="3.6" fill="$colour"/>"""
}

private val PUBLISHED = picture(
    """<line x1="0" y1="6" x2="34" y2="6" stroke="currentColor" stroke-width="1.2" stroke-dasharray="5 4"/>""" +
        """<circle cx="17" cy="6" r="3.4" fill="var(--card)" stroke="currentColor" stroke-width="1.2"/>""",
)

private fun picture(inside: String) =
    """<svg class="sample" width="34" height="12" viewBox="0 0 34 12" aria-hidden="true">$inside</svg>"""
