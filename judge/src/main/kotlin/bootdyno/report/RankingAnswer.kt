package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.Comparison
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.SPREAD_OF_ONE_ROUND
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.roundedRange
import kotlin.math.abs

/** Which cell serves the most, or is the first to answer a burst. */
internal fun rankingAnswer(report: Report, group: RankedGroup): FirstAnswer {
    val leaders = if (report.indicative) equalToBest(report, group) else group.leaders.map { it.cell }
    val baseline = group.baseline?.takeIf { base -> group.ranks.any { it.cell == base } }
    // A noisy cell may have the best figure without being shown to be better than the baseline.
    val best = leaders.find { baseline !in leaders && group.comparison(it)?.verdict == Verdict.FASTER } ?: leaders.first()
    val other = when {
        baseline == null || group.ranks.size < 2 -> null
        best != baseline -> best
        else -> leaders.find { it != baseline } ?: group.ranks.map { it.cell }.first { it != baseline }
    }
    val comparison = other?.let(group::comparison)?.takeIf { it.bound == Bound.EXACT }
    val verdict = when {
        leaders.all { report.cell(it).rankedBy == null } -> {
            val reached = leaders.any { cell -> report.cell(cell).counted.any { it.rankedBy != null } }
            "No ${report.noun} answered 99 % of the requests${if (reached) " in every round" else ""}."
        }

        group.ranks.size == 1 -> alone(report, group, best)

        baseline == null || comparison == null -> {
            val (reached, unanswered) = leaders.partition { report.cell(it).rankedBy != null }
            val first = "${names(report, reached)} ${verbOf(report, reached, group)} ${amount(report, group, reached)}"
            "$first${maybe(report, unanswered)}."
        }

        (baseline !in leaders || other !in leaders) && comparison.isDoubtedByErrors -> undecided(report, comparison)

        baseline in leaders && other !in leaders -> {
            val most = "${report.titled(baseline)} ${mostWords(report, baseline, group)}"
            "$most: ${report.titled(other)} ${more(report, comparison)}."
        }

        baseline in leaders -> tied(report, group, leaders, comparison)

        else -> lead(report, group, leaders, comparison)
    }
    val certainty = when {
        report.indicative -> Certainty.ONE_ROUND

        comparison?.verdict == Verdict.UNDECIDED -> Certainty.NOT_DECIDED

        comparison?.verdict != null -> Certainty.SURE

        // A sole leader is known without a ratio to the baseline.
        group.ranks.size > 1 -> if (comparison == null && leaders.size == 1) Certainty.SURE else Certainty.NOT_DECIDED

        report.cell(best).rankedBy?.interval == null -> Certainty.NOT_DECIDED

        else -> Certainty.SURE
    }
    val compared = (listOfNotNull(best, baseline, other) + leaders.take(MOST_NAMES)).distinct()
    val why = baseline?.takeIf { it !in leaders && report.explanation(it)?.bottleneck != null } ?: best
    return FirstAnswer(
        verdict = verdict,
        cause = limitSentence(report, leaders.take(MOST_NAMES)),
        certainty = certainty,
        tiles = listOf(
            if (comparison == null) amountTile(report, group, best) else howMuchTile(report, comparison, baseline ?: best),
            if (group.isBurst) burstTile(report, best, baseline) else responseTile(report, best, baseline),
            whyTile(report, why),
            if (comparison?.moreErrors == true) {
                failuresTile(report)
            } else {
                nextTile(report, (listOfNotNull(baseline) + group.ranks.map { it.cell }).distinct(), certainty)
            },
        ),
        cells = compared,
    )
}

private const val MOST_NAMES = 3

/** The best cell, and those that single rounds cannot separate from it; the best first. */
internal fun equalToBest(report: Report, group: RankedGroup): List<CellId> {
    fun rate(cell: CellId) = if (group.isBurst) report.cell(cell).rankedBy?.let { 1 / it.value } else report.rate(cell)
    val rates = group.ranks.mapNotNull { rank -> rate(rank.cell)?.let { rank.cell to it } }
        .ifEmpty { return group.leaders.map { it.cell } }
    val most = rates.maxOf { (_, rate) -> rate }
    return rates.filter { (_, rate) -> rate * (1 + SPREAD_OF_ONE_ROUND) >= most }.map { (cell, _) -> cell }
}

private fun names(report: Report, cells: List<CellId>): String {
    val shown = if (cells.size <= MOST_NAMES) cells else cells.take(MOST_NAMES - 1)
    val more = cells.size - shown.size
    return listed(shown.map(report::titled) + listOfNotNull("$more others".takeIf { more > 0 }))
}

private fun alone(report: Report, group: RankedGroup, cell: CellId): String {
    val only = listOf(cell)
    val does = if (group.isBurst) "${verb(report, only, "answer")} 99 % of the requests" else verb(report, only, "serve")
    return "${report.titled(cell)} $does ${amount(report, group, only)}."
}

/** The verb after [cells]. The author of the experiment may have given a single one a title in the plural: `Virtual threads`. */
private fun verb(report: Report, cells: List<CellId>, plural: String, singular: String = plural + "s"): String {
    fun isPlural(title: String) = title.split(AFTER_NOUN).first().endsWith("s")
    return if (cells.size > 1 || cells.any { report.experiment.titles[it.text]?.let(::isPlural) == true }) plural else singular
}

private val AFTER_NOUN = Regex(",? (?:of|in|on|with) |, ")

private fun verbOf(report: Report, cells: List<CellId>, group: RankedGroup): String = when {
    group.isBurst -> "${verb(report, cells, "answer")} 99 % of the requests first,"
    cells.size == 1 -> "${verb(report, cells, "serve")} the most:"
    else -> "may be the best:"
}

private fun mostWords(report: Report, cell: CellId, group: RankedGroup): String = if (group.isBurst) {
    "${verb(report, listOf(cell), "are", "is")} the first to answer 99 % of the requests"
} else {
    "${verb(report, listOf(cell), "serve")} the most"
}

private fun amount(report: Report, group: RankedGroup, cells: List<CellId>): String {
    val figures = cells.mapNotNull { report.cell(it).rankedBy?.value }.ifEmpty { return "nothing" }
    val text = roundedRange(figures.min(), figures.max())
    return if (group.isBurst) "after $text s" else "$text requests/s"
}

private fun tied(report: Report, group: RankedGroup, leaders: List<CellId>, comparison: Comparison): String =
    when (comparison.verdict) {
        null -> "Tie of ${names(report, leaders)}: one round${if (report.indicative) "" else " in common"} cannot separate them."

        Verdict.EQUIVALENT -> {
            val (same, others) = leaders.partition {
                it == comparison.baseline || group.comparison(it)?.verdict == Verdict.EQUIVALENT
            }
            "${names(report, same)} are equally fast${maybe(report, others)}."
        }

        Verdict.UNDECIDED -> undecided(report, comparison)

        Verdict.FASTER, Verdict.SLOWER ->
            "${report.titled(comparison.candidate)} ${more(report, comparison)} ${than(report, comparison)}."
    }

private fun lead(report: Report, group: RankedGroup, leaders: List<CellId>, comparison: Comparison): String =
    when (comparison.verdict) {
        Verdict.UNDECIDED -> undecided(report, comparison)

        Verdict.EQUIVALENT -> {
            val equal = "${report.titled(comparison.candidate)} and ${report.titled(comparison.baseline)} are equally fast"
            "$equal${maybe(report, leaders - comparison.candidate)}."
        }

        null, Verdict.FASTER, Verdict.SLOWER -> {
            val (same, others) = leaders.partition { isSaidOf(group.comparison(it), comparison) }
            val ratios = same.mapNotNull { group.comparison(it)?.ratio?.value }
            val lead = "${names(report, same)} ${more(report, comparison, same, ratios)} ${than(report, comparison)}"
            "$lead${maybe(report, others)}."
        }
    }

internal fun maybe(report: Report, others: List<CellId>, what: String = "be as fast"): String {
    val (unanswered, known) = others.partition { report.cell(it).run { isBurst && rankedBy == null } }
    fun said(of: List<CellId>, text: String) = if (of.isEmpty()) "" else "; ${names(report, of)} $text"
    return said(known, "may $what") + said(unanswered, "did not answer 99 % in every round")
}

/** One round has no verdict, but the side that served more failed more, too. */
private val Comparison.isDoubtedByErrors: Boolean
    get() = verdict == null && failsMore == if ((ratio.value > 1) == measure.moreIsBetter) candidate else baseline

/** Whether the sentence about [first] is true of [other], too: a noisy cell that may be the best need not be faster than the baseline. */
private fun isSaidOf(other: Comparison?, first: Comparison): Boolean =
    other != null && other.verdict == first.verdict && abs(other.ratio.value / first.ratio.value - 1) <= SPREAD_OF_ONE_ROUND

private fun undecided(report: Report, comparison: Comparison): String {
    val name = report.titled(comparison.candidate)
    if (comparison.moreErrors || comparison.isDoubtedByErrors) {
        return "Not decided: $name ${more(report, comparison)} ${than(report, comparison)}, but one of them fails more requests."
    }
    comparison.groups?.let { return "Not decided: $name has ${inGroups(comparison, it, report.titled(comparison.baseline))}." }
    val other = report.titled(comparison.baseline)
    return "Not decided: ${unknown(comparison, name, other) ?: "$name is ${between(comparison)} than $other"}."
}

private val TWICE = 1.95..2.05

/** Of several cells, the first of which is at [TWICE]. */
private val NEARLY_TWICE = 1.9..2.1

/** Of [cells], with their [ratios]: `serves twice as many requests`, `serve 14 to 16 % fewer requests`; of a burst `needs 75 % less time`. */
private fun more(
    report: Report,
    comparison: Comparison,
    cells: List<CellId> = listOf(comparison.candidate),
    ratios: List<Double> = listOf(comparison.ratio.value),
): String {
    val ratio = comparison.ratio.value
    fun share(of: (Double) -> Double) = listOf(ratios.min(), ratios.max()).map(of).sorted().map(::percent).distinct()
        .run { (dropLast(1).map { it.removeSuffix(" %") } + last()).joinToString(" to ") }
    val isTime = comparison.measure in Measure.burstTimes
    val noun = if (isTime) "time" else "requests"
    val verb = verb(report, cells, if (isTime) "need" else "serve")
    val less = if (isTime) "less" else "fewer"
    return when {
        ratio in TWICE && ratios.all { it in NEARLY_TWICE } -> "$verb twice as ${if (isTime) "much" else "many"} $noun"
        ratio > 1.5 -> "$verb ${roundedRange(ratios.min(), ratios.max())} times as ${if (isTime) "much" else "many"} $noun"
        ratio >= 1 -> "$verb ${share { it - 1 }} more $noun"
        ratio < 0.1 -> "$verb 1/${roundedRange(1 / ratios.max(), 1 / ratios.min())} of the $noun"
        else -> "$verb ${share { 1 - it }} $less $noun"
    }
}

private fun than(report: Report, comparison: Comparison): String = when {
    comparison.ratio.value > 1.5 -> "as"
    comparison.ratio.value < 0.1 -> "of"
    else -> "than"
} + " ${report.titled(comparison.baseline)}"
