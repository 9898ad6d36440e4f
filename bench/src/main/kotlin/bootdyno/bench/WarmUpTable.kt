package bootdyno.bench

import bootdyno.model.fixed
import bootdyno.model.perSecond
import bootdyno.run.WayToWarm
import bootdyno.stats.DEFAULT_LEVEL
import bootdyno.stats.Paired
import bootdyno.stats.RatioRule
import bootdyno.stats.Spread
import bootdyno.stats.Zone
import bootdyno.stats.furtherSamples
import bootdyno.stats.median
import bootdyno.stats.ratioOf

/** A steady state that differs by less is the same. */
private val SAME = Zone(0.05)
private val SLOW = WayToWarm.entries - WayToWarm.FAVOURED

/** The results of the warm-up benchmark as text. [budget]: time limit in seconds; a warm-up that reached it counts as a lower bound. */
internal fun warmUpTable(found: List<TurnFound>, budget: Int): List<String> {
    val warmed = found.filterIsInstance<TurnFound.Warmed>()
    val failed = found.size - warmed.size
    return listOf("Warm-up until certified, medians over the turns (lowest to highest):") +
        table(warmed.groupBy { it.turn.way }.toSortedMap().values, budget) +
        timeRatio(warmed, budget) + samenessLines(warmed, budget) +
        listOf("$failed of ${found.size} turns failed; no figure contains them.").filter { failed > 0 }
}

/** One line for a turn that has just ended. */
internal fun turnLine(found: TurnFound, rounds: Int, budget: Int): String {
    val turn = found.turn
    val name = "round ${turn.round} of $rounds: " + (turn.way.words + if (turn.again) " (again)" else "").padEnd(25)
    return when (found) {
        is TurnFound.Failed -> "$name failed: ${found.reason}"

        is TurnFound.Warmed -> {
            val how = if (found.certified) "certified after ${fixed(found.seconds, 1)} s" else "not certified within $budget s"
            "$name $how, then ${perSecond(found.perSecond)}"
        }
    }
}

private val WayToWarm.words: String get() = method.removePrefix("certified, ")

private fun table(turns: Collection<List<TurnFound.Warmed>>, budget: Int): List<String> {
    fun column(head: String, entry: (List<TurnFound.Warmed>) -> String): List<String> {
        val entries = listOf(head) + turns.map(entry)
        return entries.map { it.padEnd(entries.maxOf(String::length)) }
    }
    val columns = listOf(
        column("way") { its -> its.first().turn.way.words },
        column("certified") { its -> "${its.count { it.certified }} of ${its.size}" },
        column("seconds") { its -> spread(its.map { it.time(budget) }, "≥ ") { fixed(it, 1) } },
        column("compiler done, s") { its -> spread(its.mapNotNull { it.steadyAfter }) { fixed(it, 1) } },
        column("C2 CPU s till then") { its -> spread(its.mapNotNull { it.c2Seconds }) { fixed(it, 1) } },
        column("requests/s in the window") { its -> spread(its.map { it.perSecond }) { fixed(it, 0) } },
        column("compiler's share of its CPU") { its ->
            spread(its.mapNotNull { it.compilerShare }) { fixed(it * 100, 1) + " %" }
        },
    )
    return columns.first().indices.map { row -> "  " + columns.joinToString("  ") { it[row] }.trimEnd() }
}

/** No ratio without a certified warm-up of the fast way. If only the slow one is missing, the ratio is an upper bound. */
private fun timeRatio(warmed: List<TurnFound.Warmed>, budget: Int): List<String> {
    val rounds = inOneRound(warmed, WayToWarm.FAVOURED, WayToWarm.SATURATE).ifEmpty { return emptyList() }
    val ratios = rounds.filter { it.first.certified }
        .map { Figure(it.first.seconds / it.second.time(budget).value, it.second.time(budget).isBound) }
    val without = rounds.size - ratios.size
    val done = rounds.mapNotNull { round ->
        val slow = round.second.steadyAfter
        round.first.steadyAfter?.let { fast -> slow?.let { fast / it } }
    }
    val ways = "${WayToWarm.FAVOURED.words} / ${WayToWarm.SATURATE.words}, within rounds: "
    return listOf(
        "Seconds, $ways" + spread(ratios, "≤ ") { fixed(it, 3) } + ", n = ${ratios.size}" +
            if (without > 0) "; in $without more the fast way was not certified" else "",
        "Seconds until the compiler was done, $ways" + spread(done) { fixed(it, 3) } + ", n = ${done.size}",
    )
}

/** A value, or a bound of it. */
private class Figure(val value: Double, val isBound: Boolean)

private fun TurnFound.Warmed.time(budget: Int) = Figure(if (certified) seconds else budget.toDouble(), isBound = !certified)

private fun spread(values: List<Double>, text: (Double) -> String) = spread(values.map { Figure(it, isBound = false) }, "", text)

/** `median (lowest to highest)`, with [sign] before bounds. A median of two values is a bound if either is one. */
private fun spread(figures: List<Figure>, sign: String, text: (Double) -> String): String {
    fun shown(figure: Figure) = (if (figure.isBound) sign else "") + text(figure.value)
    if (figures.size < 2) return figures.firstOrNull()?.let(::shown) ?: "–"
    val sorted = figures.sortedBy { it.value }
    val middle = listOf(sorted[(sorted.size - 1) / 2], sorted[sorted.size / 2])
    val median = Figure(median(figures.map { it.value }), middle.any { it.isBound })
    return "${shown(median)} (${shown(sorted.first())} to ${shown(sorted.last())})"
}

/**
 * Whether the fast way reaches the throughput of the others: ratios of rounds in which both were certified, judged as in docs/method.md,
 * "Statistics". The fast way measured twice per round is a check for bias.
 */
private fun samenessLines(warmed: List<TurnFound.Warmed>, budget: Int): List<String> {
    if (warmed.none { it.turn.way == WayToWarm.FAVOURED }) {
        return listOf("No turn favoured the compiler: there is no fast way to compare.")
    }
    val itself = throughputRatio(warmed, WayToWarm.FAVOURED)
    return listOf(
        "Throughput of the window, ${WayToWarm.FAVOURED.words} / another way, within rounds in which both were certified:",
        "  / itself, the machine's resolution: ${text(itself)}",
    ) + SLOW.flatMap { other ->
        val ratio = throughputRatio(warmed, other)
        listOf("  / ${other.words}: ${text(ratio)}", "      ${verdict(ratio, other, budget)}")
    }
}

private class InOneRound(val first: TurnFound.Warmed, val second: TurnFound.Warmed)

/** The turns of [one] and [other] in each round that has both. A way compared with itself uses its two turns. */
private fun inOneRound(warmed: List<TurnFound.Warmed>, one: WayToWarm, other: WayToWarm): List<InOneRound> =
    warmed.filter { it.turn.way == one && it.turn.again == (one == other) }.mapNotNull { first ->
        warmed.find { it.turn == WarmUpTurn(first.turn.round, other) }?.let { InOneRound(first, it) }
    }

private fun throughputRatio(warmed: List<TurnFound.Warmed>, other: WayToWarm): Spread? = ratioOf(
    inOneRound(warmed, WayToWarm.FAVOURED, other).filter { it.first.certified && it.second.certified }
        .map { Paired(it.first.perSecond, it.second.perSecond) },
)

private fun verdict(ratio: Spread?, other: WayToWarm, budget: Int): String {
    if (ratio == null) return "undecided: in no round were both certified within $budget s"
    val interval = ratio.estimate().interval ?: return "undecided: one round has no interval"
    val within = "±${fixed(SAME.tolerance * 100, 1)} %"
    val rule = RatioRule(SAME, 1 - DEFAULT_LEVEL)
    val further = furtherSamples(ratio, rule)?.let { "; expect about $it more rounds" }.orEmpty()
    return when {
        interval.low > SAME.high -> "not the same state: the fast way serves more than ${other.words}, beyond $within"
        interval.high < SAME.low -> "not the same state: the fast way serves less than ${other.words}, beyond $within"
        rule.most(ratio)?.let { it <= SAME.tolerance } != true -> "undecided within $within$further"
        else -> "the same steady state, within $within"
    }
}

private fun text(ratio: Spread?): String = ratio?.estimate()?.run {
    val between = interval?.let { " [${fixed(it.low, 3)}, ${fixed(it.high, 3)}]" } ?: ", no interval"
    "${fixed(value, 3)}$between, n = $n"
} ?: "–"
