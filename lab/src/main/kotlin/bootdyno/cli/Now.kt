package bootdyno.cli

import bootdyno.model.fitted
import kotlin.math.roundToInt

/** What is measured now. [rates]: requests/s of each second of load in this stage. [leader]: which cell leads so far; null before two are measured. */
internal data class Now(
    val cell: String = "",
    val stage: String = "",
    val load: String = "",
    val rates: List<Double> = emptyList(),
    val leader: String? = null,
)

/** The parts of a line that do not wrap. */
internal data class NowLine(val name: String, val stage: String, val load: String)

/** In at most [width] characters: a long name is shortened, and the sparkline gets what is left. [blocks]: whether there is one. */
internal fun Now.line(width: Int, blocks: Boolean): NowLine {
    val shortStage = stage.take(width - load.length - SHORTEST_NAME - 2 * GAP)
    val left = width - shortStage.length - load.length - 2 * GAP
    val isDrawn = blocks && rates.size > 1
    val name = fitted(cell, (left - if (isDrawn) GAP + MOST_SECONDS else 0).coerceAtLeast(SHORTEST_NAME))
    val seconds = (left - name.length - GAP).coerceIn(0, MOST_SECONDS)
    val spark = if (isDrawn && seconds > 0) " ".repeat(GAP) + sparkline(rates.takeLast(seconds)) else ""
    return NowLine(name, shortStage, load + spark)
}

private const val GAP = 2
private const val SHORTEST_NAME = 12

/** Seconds of a sparkline. */
private const val MOST_SECONDS = 20

private const val BLOCKS = "▁▂▃▄▅▆▇█"

/** One character a value, from 0 to the largest of [values]. */
internal fun sparkline(values: List<Double>): String {
    val most = values.maxOrNull()?.takeIf { it > 0 } ?: return ""
    return values.joinToString("") { "${BLOCKS[(it / most * BLOCKS.lastIndex).roundToInt()]}" }
}
