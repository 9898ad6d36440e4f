package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.Comparison
import bootdyno.analyse.Rank
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.SPREAD_OF_ONE_ROUND
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Preset
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.significant
import bootdyno.stats.Estimate
import bootdyno.stats.TwoGroups

/** The answer in a sentence or two: the best cell, its lead, and the certainty. */
internal fun headlineSection(report: Report): Section = Section(
    "answer",
    "Answer",
    null,
    headline(report).map { Paragraph(it, Tone.STRONG) },
    setOf(Medium.TERMINAL, Medium.MARKDOWN),
)

internal fun headline(report: Report): List<String> {
    val group = report.analysis.groups.firstOrNull { it.ranks.isNotEmpty() }
        ?: return capacitySentences(report).ifEmpty { listOf(nothingMeasured(report)) }
    val leads = arithmetic(report, group).ifEmpty {
        listOfNotNull(leadSentence(report, group), againstBaseline(report, group)) + courses(report, group)
    }
    val sentences = if (group.isSwept(report)) paySentences(report).ifEmpty { leads } else leads + paySentences(report)
    return listOfNotNull(startUpSentence(report)) + capacitySentences(report) + sentences + otherWorkloads(report, group) +
        listOf(indicative(report, group)).filter { report.indicative }
}

/** In the other workloads under the same load: the best other variant against that of the baseline. */
private fun otherWorkloads(report: Report, group: RankedGroup): List<String> = report.analysis.groups
    .filter { it.work.workload != null && it.work.profile == group.work.profile && it != group }
    .mapNotNull { other -> other.ranks.find { it.cell != other.baseline }?.let { other.comparison(it.cell) } }
    .filter { it.bound == Bound.EXACT }
    .map { sentence(report, it) }.take(MOST_OTHERS)

private const val MOST_OTHERS = 4

/** What only more rounds decide, with the command. */
private fun indicative(report: Report, group: RankedGroup): String {
    val tied = if (group.isBurst) 0 else equalToBest(report, group).size
    val open = if (tied > 1) "One round cannot decide which of the $tied is fastest." else "One round gives no interval."
    val name = report.experiment.name
    return open + " " + when {
        report.isPart -> "This is ${report.rounds}. Merge all rounds: `${report.command} merge RUN RUN --out DIR`."
        report.experiment.repetition.preset == Preset.QUICK -> "To decide: `${report.command} run $name --preset standard`."
        else -> "To decide: `${report.command} run $name --rounds 6`."
    }
}

internal fun nothingMeasured(report: Report): String {
    val trials = with(report.analysis) {
        listOf(
            failures.size to "failed",
            run.damaged.size to "damaged",
            cells.sumOf { cell -> cell.trials.count { !it.valid } } to "invalid",
        )
    }.filter { (count) -> count > 0 }
    val words = trials.joinToString { (count, how) -> "${plural(count, "trial")} $how" }
    return "Nothing was measured" + if (words.isEmpty()) "." else ": $words."
}

private fun leadSentence(report: Report, group: RankedGroup): String {
    if (group.isBurst) return burstLead(report, group)
    val leaders = group.leaders
    val best = leaders.first().cell
    if (group.cells.size == 1) return "${report.called(best)} serves ${served(report, best)}."
    if (report.indicative) return indicativeLead(report, group)
    if (leaders.size == 1) return "${named(report, best)} serves the most requests: ${served(report, best)}."
    val names = named(report, leaders.map { it.cell })
    val rates = leaders.mapNotNull { report.rate(it.cell) }
    val tie = tieWords(report, group)
    return if (leaders.size == group.ranks.size) {
        "$names serve ${spread(rates)} requests/s$tie."
    } else {
        "$names may be the best$tie: ${spread(rates)} requests/s."
    }
}

/** Empty if the next sentence judges the tie: that the baseline, which is among the leaders, and another one are equal, or undecided. */
private fun tieWords(report: Report, group: RankedGroup): String {
    val isJudged = group.leaders.any { it.cell == group.baseline } && againstBaseline(report, group) != null
    return if (isJudged) "" else ", with no measurable difference"
}

/** Who answers 99 % of a burst first. */
private fun burstLead(report: Report, group: RankedGroup): String {
    val reached = group.leaders.mapNotNull { rank -> report.cell(rank.cell).rankedBy?.let { rank.cell to it } }
    val best = reached.minOfOrNull { (_, time) -> time.value } ?: return "No ${report.noun} answered 99 % of the requests."
    val first = if (report.indicative) reached.filter { (_, time) -> time.value <= best * (1 + SPREAD_OF_ONE_ROUND) } else reached
    val names = named(report, first.map { (cell, _) -> cell })
    val times = "after ${spread(first.map { (_, time) -> time.value })} s"
    return when {
        first.size > 1 && report.indicative ->
            "$names tie: they answered 99 % of the requests $times. $ONE_ROUND_SEPARATES"

        first.size > 1 -> "$names answer 99 % of the requests first${tieWords(report, group)}: $times."

        group.cells.size == 1 -> "$names answers 99 % of the requests $times${interval(first.single().second)}."

        report.indicative -> "$names answered 99 % of the requests first, $times."

        else -> "$names answers 99 % of the requests first, $times${interval(first.single().second)}."
    }
}

/** When the best cell of a burst and the baseline answered which share; empty for other loads. */
private fun courses(report: Report, group: RankedGroup): List<String> {
    val cells = listOfNotNull(group.leaders.first().cell, group.baseline).distinct().filter { group.isBurst }
    return cells.map { "${report.called(it)} answered ${courseOf(report.cell(it))}." }
}

/** One round: what served the most, with all that single rounds cannot tell from it. */
private fun indicativeLead(report: Report, group: RankedGroup): String {
    val first = equalToBest(report, group).map { it to (report.rate(it) ?: 0.0) }
    val names = named(report, first.map { (cell, _) -> cell })
    val rates = "${spread(first.map { (_, rate) -> rate })} requests/s"
    return if (first.size > 1) "$names tie at $rates. $ONE_ROUND_SEPARATES" else "$names served the most: $rates."
}

private val ONE_ROUND_SEPARATES = "One round cannot separate less than ${percent(SPREAD_OF_ONE_ROUND)}."

/** `781 to 797`. */
internal fun spread(values: List<Double>): String =
    listOf(values.min(), values.max()).map { if (it < 10) significant(it) else rounded(it) }.distinct().joinToString(" to ")

internal fun named(report: Report, cells: List<CellId>): String {
    if (cells.size <= 4) return listed(cells.map { named(report, it) })
    val unsteady = cells.count { report.cell(it).unsteady != null }
    return plural(cells.size, report.noun) + if (unsteady > 0) " ($unsteady of them not warmed up or not steady)" else ""
}

private fun named(report: Report, cell: CellId): String {
    val baseline = "the baseline".takeIf { cell == report.experiment.baseline }
    val notes = listOfNotNull(baseline, unsteadyWords(report.cell(cell)))
    return cell.text + if (notes.isEmpty()) "" else " (${notes.joinToString("; ")})"
}

private fun served(report: Report, cell: CellId): String {
    val throughput = report.cell(cell).throughput ?: error("a ranked cell without throughput: $cell")
    return "${rounded(throughput.value)} requests/s" + interval(throughput)
}

private fun againstBaseline(report: Report, group: RankedGroup): String? {
    val baseline = group.baseline ?: return null
    val best = group.leaders.firstOrNull { it.cell != baseline }
    if (best == null || (report.indicative && group.leaders.first().cell == baseline)) return runnerUp(report, group)
    return group.comparison(best.cell)?.takeIf { it.bound == Bound.EXACT }?.let { sentence(report, it) }
}

/** For a baseline that is the only leader: the distance to the next cell. */
private fun runnerUp(report: Report, group: RankedGroup): String? {
    val next: Rank = group.ranks.getOrNull(1) ?: return null
    val ratio = group.comparison(next.cell)?.takeIf { it.bound == Bound.EXACT }?.ratio ?: return null
    val what = if (group.isBurst) "time" else "throughput"
    val baseline = group.baseline?.let { unsteadyWords(report.cell(it)) }?.let { " ($it)" }.orEmpty()
    return "${report.called(next.cell)} is second with ${times(ratio)} the $what of the baseline$baseline${interval(ratio)}."
}

private fun sentence(report: Report, comparison: Comparison): String {
    val candidate = report.called(comparison.candidate)
    val baseline = "the baseline ${report.called(comparison.baseline)}"
    val ratio = comparison.ratio
    val isTime = comparison.measure in Measure.burstTimes
    val times = "${times(ratio)} the ${if (isTime) "time" else "requests"} of $baseline"
    return when (comparison.verdict) {
        null -> "$candidate ${if (isTime) "needed" else "served"} $times."

        Verdict.FASTER, Verdict.SLOWER ->
            "$candidate ${if (isTime) "needs" else "serves"} $times${interval(ratio)}." + whetherItMatters(comparison)

        Verdict.EQUIVALENT -> if (ratio.interval?.contains(1.0) == false) {
            "The difference between $candidate and $baseline is real and too small to matter: ${times(ratio)}${interval(ratio)}."
        } else {
            "$candidate and $baseline are equally fast: ${times(ratio)}${interval(ratio)}."
        }

        Verdict.UNDECIDED if comparison.moreErrors ->
            "$candidate serves ${times(ratio)} the requests of $baseline${interval(ratio)}, " +
                "but neither is called faster: ${comparison.failsMore ?: "the one that serves more"} fails more requests."

        Verdict.UNDECIDED if comparison.groups != null ->
            "Not decided: $candidate has ${inGroups(comparison, comparison.groups, baseline)}."

        Verdict.UNDECIDED ->
            "Not decided: $candidate is ${between(comparison)} than $baseline: ${times(ratio)}${interval(ratio)}." +
                comparison.furtherRounds?.let { " About ${plural(it, "more round")} would decide." }.orEmpty()
    }
}

private fun whetherItMatters(comparison: Comparison): String = if (comparison.matters == true) {
    ""
} else {
    " It may be too small to matter: the interval contains differences below ${percent(comparison.delta)}."
}

/** `0.8× the throughput of tomcat in 3 rounds and 1× in 5`: no ratio holds for all rounds. */
internal fun inGroups(comparison: Comparison, groups: TwoGroups, other: String): String = groups.run {
    "${rounded(low)}× the ${comparison.measure.title} of $other in ${plural(lower, "round")} and ${rounded(high)}× in $upper"
}

internal fun times(ratio: Estimate): String = "${point(ratio)}×"

/**
 * ` (95 % interval 1.97 to 2.01, 6 rounds)`; empty without an interval.
 */
internal fun interval(estimate: Estimate): String = estimate.interval?.let {
    val text = inStep(estimate)
    " (${rounded(it.level * 100)} % interval ${text(it.low)} to ${text(it.high)}, ${plural(estimate.n, "round")})"
}.orEmpty()
