package bootdyno.bench

import bootdyno.model.perSecond
import bootdyno.run.WayToWarm
import bootdyno.stats.median
import java.util.Locale

private val HEAD =
    listOf(
        "way",
        "certified",
        "seconds",
        "compiler done, s",
        "C2 CPU s till then",
        "requests/s in the window",
        "compiler's share of its CPU",
    )

/** What the benchmark of warm-ups found, as text. A way given up after [budget] seconds takes at least so long. */
internal fun warmUpTable(found: List<TurnFound>, budget: Int): List<String> {
    val warmed = found.filterIsInstance<TurnFound.Warmed>()
    val failed = found.size - warmed.size
    return buildList {
        add("Warm-up until certified, medians over the turns (lowest to highest):")
        addAll(aligned(listOf(HEAD) + WayToWarm.entries.mapNotNull { row(it, warmed, budget) }))
        addAll(timeRatio(warmed, budget))
        addAll(samenessLines(warmed, budget))
        if (failed > 0) add("$failed of ${found.size} turns failed; no figure contains them.")
    }
}

/** One line for a turn that has just ended. */
internal fun turnLine(found: TurnFound, rounds: Int, budget: Int): String {
    val turn = found.turn
    val name = "round ${turn.round} of $rounds: " + (words(turn.way) + if (turn.again) " (again)" else "").padEnd(25)
    return when (found) {
        is TurnFound.Failed -> "$name failed: ${found.reason}"
        is TurnFound.Warmed -> "$name ${howLong(found, budget)}, then ${perSecond(found.perSecond)}"
    }
}

internal fun words(way: WayToWarm): String = way.method.removePrefix("certified, ")

private fun howLong(found: TurnFound.Warmed, budget: Int) =
    if (found.certified) "certified after %.1f s".text(found.seconds) else "not certified within $budget s"

private fun row(way: WayToWarm, warmed: List<TurnFound.Warmed>, budget: Int): List<String>? {
    val turns = warmed.filter { it.turn.way == way }.ifEmpty { return null }
    return listOf(
        words(way),
        "${turns.count { it.certified }} of ${turns.size}",
        spread(turns.map { it.time(budget) }, "≥ ") { "%.1f".text(it) },
        spread(turns.mapNotNull { it.steadyAfter }) { "%.1f".text(it) },
        spread(turns.mapNotNull { it.c2Seconds }) { "%.1f".text(it) },
        spread(turns.map { it.perSecond }) { "%,.0f".text(it) },
        spread(turns.mapNotNull { it.compilerShare }) { "%.1f %%".text(it * 100) },
    )
}

/** Where the fast way was not certified there is no ratio; where only the slow one was not, the ratio is at most this. */
private fun timeRatio(warmed: List<TurnFound.Warmed>, budget: Int): List<String> {
    val rounds = inOneRound(warmed, WayToWarm.FAVOURED, WayToWarm.SATURATE).ifEmpty { return emptyList() }
    val ratios = rounds.filter { it.first.certified }
        .map { Figure(it.first.seconds / it.second.time(budget).value, it.second.time(budget).isBound) }
    val without = rounds.size - ratios.size
    val done = rounds.mapNotNull { round ->
        val slow = round.second.steadyAfter
        round.first.steadyAfter?.let { fast -> slow?.let { fast / it } }
    }
    val ways = "${words(WayToWarm.FAVOURED)} / ${words(WayToWarm.SATURATE)}, within rounds: "
    return listOf(
        "Seconds, $ways" + spread(ratios, "≤ ") { "%.3f".text(it) } + ", n = ${ratios.size}" +
            if (without > 0) "; in $without more the fast way was not certified" else "",
        "Seconds until the compiler was done, $ways" + spread(done) { "%.3f".text(it) } + ", n = ${done.size}",
    )
}

/** The true value, or a bound of it. */
private class Figure(val value: Double, val isBound: Boolean)

private fun TurnFound.Warmed.time(budget: Int) = Figure(if (certified) seconds else budget.toDouble(), isBound = !certified)

private fun spread(values: List<Double>, text: (Double) -> String) = spread(values.map { Figure(it, isBound = false) }, "", text)

/** `median (lowest to highest)`, [sign] before each that is a bound; a median between two is one when either is. */
private fun spread(figures: List<Figure>, sign: String, text: (Double) -> String): String {
    fun shown(figure: Figure) = (if (figure.isBound) sign else "") + text(figure.value)
    if (figures.size < 2) return figures.firstOrNull()?.let(::shown) ?: "–"
    val sorted = figures.sortedBy { it.value }
    val middle = listOf(sorted[(sorted.size - 1) / 2], sorted[sorted.size / 2])
    val median = Figure(median(figures.map { it.value }), middle.any { it.isBound })
    return "${shown(median)} (${shown(sorted.first())} to ${shown(sorted.last())})"
}

private fun aligned(rows: List<List<String>>): List<String> {
    val widths = rows.first().indices.map { column -> rows.maxOf { it[column].length } }
    return rows.map { row -> "  " + row.zip(widths) { entry, width -> entry.padEnd(width) }.joinToString("  ").trimEnd() }
}

private fun String.text(vararg values: Any): String = format(Locale.ROOT, *values)
