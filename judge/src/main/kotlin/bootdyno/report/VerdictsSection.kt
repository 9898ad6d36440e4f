package bootdyno.report

import bootdyno.analyse.ComparedRate
import bootdyno.analyse.Comparison
import bootdyno.analyse.Verdict
import bootdyno.analyse.isUseless
import bootdyno.analyse.primaryMeasure
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.stats.POWER

/** Verdicts against the baseline, with several cells per line. */
internal fun verdictsSection(report: Report): Section? {
    val groups = report.analysis.groups
    val comparable = report.analysis.comparisons.filter { comparison ->
        groups.any { comparison.baseline in it.cells && comparison.candidate in it.cells }
    }
    val decided = comparable.filter { it.verdict != null }
    if (decided.isEmpty()) return null
    val quantities = decided.groupBy { ComparedMeasure(it.measure, it.at) }.entries
        .sortedWith(compareBy({ it.key.at?.perSecond ?: 0.0 }, { it.key.measure }))
    val items = quantities.flatMap { (of, comparisons) ->
        Verdict.entries.mapNotNull { verdict -> item(report, of, verdict, comparisons.filter { it.verdict == verdict }) }
    }
    val baselines = decided.map { it.baseline.text }.distinct()
    val lead =
        "Ratios to ${listed(baselines)}. The intervals of what the run is made for (${primary(report)}) hold together with " +
            "95 %, those of all other measures together with another 95 %. Faster or slower, lower or higher: the interval " +
            "excludes 1. A difference matters if the interval is beyond ${tolerances(decided)}; equivalent: larger ones are " +
            "excluded." +
            resolution(report)
    // Along an axis there are hundreds; terminals show the tables by value instead.
    val media = if (report.drawnSweeps.isEmpty()) Medium.entries.toSet() else setOf(Medium.HTML, Medium.MARKDOWN)
    return Section("verdicts", "Comparison with the baseline", lead, listOf(Bullets(items)), media)
}

private data class ComparedMeasure(val measure: Measure, val at: ComparedRate?)

/** `±3 %`; one per measure if they differ. */
private fun tolerances(comparisons: List<Comparison>): String {
    val measures = comparisons.groupBy({ percent(it.delta) }, { it.measure.title })
    if (measures.size == 1) return "±${measures.keys.first()}"
    return listed(measures.map { (tolerance, names) -> "±$tolerance (${listed(names.distinct())})" })
}

private fun item(report: Report, of: ComparedMeasure, verdict: Verdict, comparisons: List<Comparison>): Item? {
    if (comparisons.isEmpty()) return null
    fun limits(cell: CellId) = report.cell(cell).cell.limits
    // A note about the baseline holds for every comparison: it is printed once.
    val notes = mutableSetOf<String>()
    val each = comparisons.sortedByDescending { it.ratio.value }.joinToString { comparison ->
        val rounds = comparison.furtherRounds?.takeIf { verdict == Verdict.UNDECIDED }
        "${comparison.candidate} ${comparison.bound.sign}${times(comparison.ratio)} ${range(comparison.ratio) ?: "(a bound)"}" +
            listOfNotNull(
                rounds?.let { "about ${plural(it, "more round")}" },
                "real, but too small to matter".takeIf { comparison.isRealButSmall },
                comparison.most?.takeIf { 1.0 in comparison && comparison.ratio.interval?.isUseless == false }
                    ?.let { "no difference above ${percent(it)}" },
                comparison.failsMore?.takeIf { comparison.moreErrors }?.let { "$it fails more requests" },
                comparison.groups?.let { inGroups(comparison, it, "the baseline") },
                "other limits".takeIf { limits(comparison.candidate) != limits(comparison.baseline) },
                unsteady(report, comparison)?.takeIf(notes::add),
                comparison.betweenMachines?.takeIf { it.p < NOTABLE }?.let(::betweenMachines),
                comparison.dependsOn.singleOrNull()?.let { "depends on round $it" },
                "depends on any of ${comparison.dependsOn.size} rounds".takeIf { comparison.dependsOn.size > 1 },
            ).joinToString("") { ", $it" }
    }
    return Item("${word(of, verdict)}: $each", tone(verdict))
}

/** What the figures lack; start-up and memory do not depend on the warm-up. */
private fun unsteady(report: Report, comparison: Comparison): String? {
    val cells = listOf(comparison.candidate, comparison.baseline)
    return when (comparison.measure) {
        Measure.STARTUP, Measure.RSS -> null
        Measure.CPU_PER_REQUEST -> report.unsteadyAmong(cells) ?: report.compilingAmong(cells)
        else -> report.unsteadyAmong(cells)
    }
}

/** `faster`, `p99 lower`, `RSS higher`. */
private fun word(of: ComparedMeasure, verdict: Verdict): String {
    if (of.measure == Measure.THROUGHPUT) return verdict.word
    return "${of.measure.title}${of.at?.let { " at ${perSecond(it.perSecond)}" }.orEmpty()} ${directionOf(of.measure, verdict)}"
}

/** `lower`, `higher`; a throughput is `faster` or `slower`. */
internal fun directionOf(measure: Measure, verdict: Verdict): String = when (verdict) {
    Verdict.EQUIVALENT, Verdict.UNDECIDED -> verdict.word

    Verdict.FASTER, Verdict.SLOWER -> when {
        measure == Measure.THROUGHPUT -> verdict.word
        (verdict == Verdict.FASTER) == measure.moreIsBetter -> "higher"
        else -> "lower"
    }
}

private operator fun Comparison.contains(value: Double) = ratio.interval?.contains(value) == true

/** Within ±δ, and not 1. */
private val Comparison.isRealButSmall get() = verdict == Verdict.EQUIVALENT && ratio.interval?.contains(1.0) == false

/** What the load of each cell is judged by, and what claims and gates compare. */
private fun primary(report: Report): String {
    val ofLoads = report.analysis.cells.map { primaryMeasure(it.cell, it.capacitySteps.isNotEmpty()).title }.distinct()
    val isNamed = report.experiment.claims.isNotEmpty() || report.experiment.gates.isNotEmpty()
    return listed(ofLoads + listOfNotNull("what claims and gates compare".takeIf { isNamed }))
}

/** The machine's resolution, from the A/A comparison. */
private fun resolution(report: Report): String {
    val again = report.analysis.resolution ?: return ""
    val range = range(again.ratio) ?: return ""
    val resolved = report.analysis.resolved.entries.joinToString { (rounds, share) ->
        "${plural(rounds, "round")} resolve ${percent(share)}"
    }
    val found = "; $resolved here (found in ${percent(POWER)} of runs)".takeIf { resolved.isNotEmpty() }.orEmpty()
    return " The baseline measured twice: ${times(again.ratio)} $range$found."
}
