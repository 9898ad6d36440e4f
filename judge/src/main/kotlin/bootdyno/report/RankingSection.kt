package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Comparisons
import bootdyno.analyse.Measurements
import bootdyno.analyse.Rank
import bootdyno.analyse.RankedGroup
import bootdyno.model.CellId
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfSeconds
import bootdyno.report.Column.WhenTight
import bootdyno.stats.Estimate
import kotlin.math.max

/** Cells by throughput with their limits, those of a burst by time: one table per kind of work. */
internal fun rankingSection(report: Report): Section? {
    val groups = report.analysis.groups.filterNot { it.isSwept(report) }
    if (groups.all { it.ranks.isEmpty() }) return null
    val tables = groups.flatMap { group -> listOfNotNull(report.title(group)?.let { heading(it) }, rankingTable(report, group)) }
    return Section("ranking", "Ranking", lead(report, groups), tables)
}

/** Along an axis, the curves come first; these tables have the values. */
internal fun sweptRankingSection(report: Report): Section? {
    val groups = report.analysis.groups.filter { it.isSwept(report) }
    if (groups.all { it.ranks.isEmpty() }) return null
    val tables = groups.map { Folded(report.title(it) ?: "all cells", listOf(rankingTable(report, it))) }
    return Section("ranking-by-value", "Ranking at each value", lead(report, groups), tables)
}

/** Whether what the letters compare is what the answer is about: not under open load or with a capacity. */
internal fun Report.isRankedByAnswer(group: RankedGroup): Boolean =
    experiment.capacity == null && group.cells.none { cell(it).cell.profile.loadInWindow is LoadProfile.Open }

private fun lead(report: Report, groups: List<RankedGroup>): String {
    val letters = if (groups.all(report::isRankedByAnswer)) SHARED_LETTER else SHARED_LETTER_OF_RATES
    val certainty = when {
        report.indicative -> "One round, no interval: single rounds of one subject differ by up to 5 %."

        report.isOnUnlikeMachines ->
            "Mean of the trials, without an interval because the CPUs of the machines differ. Letters are by ratios. $letters"

        else -> "Mean of the trials with its 95 % interval. $letters"
    }
    val (bursts, others) = groups.partition { it.isBurst }
    val cells = others.flatMap { it.cells }.mapNotNull { report.analysis.cell(it)?.cell }
    return listOfNotNull(
        cellsExplained(report.analysis.cells.map { it.cell }),
        certainty,
        "Limit: that of the named cause, otherwise the lowest known. ${latencyMeaning(cells)}".takeIf { others.isNotEmpty() },
        BURST_RANKING.takeIf { bursts.isNotEmpty() },
        TOO_MANY_BASELINES.takeIf { groups.any { it.baseline != null && it.ranks.size > MOST_BASELINES } },
    ).joinToString(" ")
}

private const val SHARED_LETTER = "Rows that share a letter cannot be told apart."
private const val SHARED_LETTER_OF_RATES = "Rows that share a letter cannot be told apart by their requests/s."

/** The ratios of so many to each other, 18 bytes each, are 260 kB of a page. */
private const val MOST_BASELINES = 120
private const val TOO_MANY_BASELINES =
    "Up to $MOST_BASELINES rows, the page offers each as the baseline: the ratios of more to each other would make it too large."

/** A cell and its rank; null if none of its trials counts. */
internal class Ranked(val cell: CellAnalysis, val rank: Rank?)

private val printed = setOf(Medium.TERMINAL, Medium.MARKDOWN)

private fun rankingTable(report: Report, group: RankedGroup): Table {
    val choices = if (hasChoice(group)) group.ranks else emptyList()
    return rankingColumns(report, group).copy(baselines = choices.map { report.titled(it.cell) })
}

/** Whether another baseline can be chosen: between two cells there is nothing to choose. */
private fun hasChoice(group: RankedGroup): Boolean =
    group.baseline in group.ranks.map { it.cell } && group.ranks.size in 3..MOST_BASELINES

private fun rankingColumns(report: Report, group: RankedGroup): Table = table(
    "Ranking${report.title(group)?.let { ", $it" }.orEmpty()}",
    group.ranks.map { Ranked(report.cell(it.cell), it) } + group.unranked.map { Ranked(it, null) },
    emphasised = { it.cell.cell.id == group.baseline },
) {
    val most = scale(report, group)
    if (!report.indicative) {
        text("Group", short = "=") { row ->
            row.rank?.let { Words(it.letters, if (it.mayBeBest) Tone.STRONG else Tone.DIM) } ?: nothing
        }
    }
    val noun = report.noun.replaceFirstChar { it.uppercase() }
    column(Column(noun, importance = 0, media = setOf(Medium.HTML))) { titledName(report, it.cell) }
    column(Column(noun, importance = 0, media = printed)) { nameOf(report, it.cell) }
    val figures = if (group.isBurst) "99 % answered after (bar)" else "Requests/s (bar) and limit (dashed)"
    column(Column(figures, media = setOf(Medium.HTML))) { row ->
        row.cell.rankedBy?.takeIf { row.rank != null }?.let { bar(report, row.cell, it, most) } ?: Words("")
    }
    val interval = if (report.indicative || report.isOnUnlikeMachines) null else "(95 % interval)"
    if (group.isBurst) {
        figure("99 % answered after", "s", short = "99 % s") { row ->
            if (row.rank == null) unmeasured(report, row.cell) else timeUntil(row.cell, Measure.TIME_TO_99)
        }
    } else {
        figure("Requests/s", interval, short = "requests/s") { row ->
            val tone = if (row.cell.unsteady == null) Tone.STRONG else Tone.WARN
            if (row.rank == null) unmeasured(report, row.cell) else withInterval(row.cell.throughput, tone)
        }
    }
    if (group.baseline != null && group.cells.size > 1) {
        val comparisons by lazy { Comparisons(Measurements(report.analysis.run), forecasts = false) }
        figure("Ratio to baseline", importance = 2, short = "vs baseline") { row ->
            val others = if (hasChoice(group)) group.ranks.map { it.cell } else emptyList()
            ratio(group, row).copy(against = others.map { against(comparisons, group, row, it) })
        }
    }
    if (group.isBurst) {
        figure("50 %", "s", importance = 4, short = "50 % s") { timeUntil(it.cell, Measure.TIME_TO_50) }
        figure("90 %", "s", importance = 4, short = "90 % s") { timeUntil(it.cell, Measure.TIME_TO_90) }
        figure("100 %", "s", importance = 4, short = "100 % s") { timeUntil(it.cell, Measure.TIME_TO_100) }
    } else {
        figure("Limit", "requests/s", importance = 3, short = "limit") { row ->
            val limit = report.shownLimit(row.cell.cell.id).takeIf { row.rank != null }
            Words(limit?.allows?.let(::significant) ?: "–", Tone.DIM, hint = limit?.limit?.text)
        }
        figure("Response time p50", "ms", importance = 6, short = "p50 ms") { latencyOf(it.cell.latency[Measure.P50]) }
        figure("Response time p99", "ms", importance = 4, short = "p99 ms") { latencyOf(it.cell.latency[Measure.P99]) }
    }
    val besideFirst = if (group.isBurst) 2 else 5
    figure("Errors", importance = besideFirst, short = "errors") { if (it.rank == null) nothing else errorsOf(it.cell) }
    column(Column("limited by", importance = 7, media = printed)) {
        Words(report.explanation(it.cell.cell.id)?.bottleneck?.limit?.text ?: "–", Tone.DIM)
    }
    resource(Measure.CPU, "CPUs used", importance = 8, short = "CPUs") { it.cell }
    resource(Measure.RSS, "Memory (RSS)", importance = 9, short = "RSS MiB") { it.cell }
    resource(Measure.THREADS, "Threads", importance = 10, short = "threads") { it.cell }
    if (report.measuresStartUp) resource(Measure.STARTUP, "Start-up", importance = 11, short = "start s") { it.cell }
    column(Column("style", importance = 12, whenTight = WhenTight.DROP, media = printed)) {
        Words(styleOf(it.cell.cell) ?: "–", Tone.DIM)
    }
}

/** Cells without counted trials are listed below the ranked ones. Their threats explain why. */
internal fun unmeasured(report: Report, cell: CellAnalysis): Words = when {
    report.analysis.failures.any { it.cell == cell.cell.id } -> Words("failed", Tone.BAD)
    report.analysis.run.damaged.any { it.cell == cell.cell.id } -> Words("damaged", Tone.BAD)
    cell.trials.isNotEmpty() -> Words("invalid", Tone.WARN)
    else -> Words("not run", Tone.DIM)
}

private fun ratio(group: RankedGroup, row: Ranked): Words = when {
    row.rank == null -> nothing
    row.cell.cell.id == group.baseline -> Words("baseline", Tone.DIM)
    else -> ratioOf(group.comparison(row.cell.cell.id))
}

/** As it would be if [other] were the baseline: the ranking has judged this pair too. */
private fun against(comparisons: Comparisons, group: RankedGroup, row: Ranked, other: CellId): Words = when {
    other == group.baseline -> ratio(group, row)
    row.rank == null -> nothing
    row.cell.cell.id == other -> Words("baseline", Tone.DIM)
    else -> ratioOf(comparisons.between(row.cell.cell.id, other, group.measure))
}

private fun errorsOf(cell: CellAnalysis): Words {
    if (cell.failed == 0L) return Words("0", Tone.DIM)
    val byCause = cell.errors.filterValues { it > 0 }.entries.joinToString { "${it.key.words} ${count(it.value)}" }
    return Words(percent(cell.failed.toDouble() / cell.sent), Tone.BAD, hint = byCause, badge = true)
}

private fun bar(report: Report, cell: CellAnalysis, figure: Estimate, most: Double): Bar = Bar(
    estimate = figure,
    dots = cell.counted.mapNotNull { it.rankedBy },
    limit = report.shownLimit(cell.cell.id)?.allows?.takeIf { it <= most && !cell.isBurst },
    most = most,
    spoken = "${cell.cell.id}: " + when {
        cell.isBurst -> "99 % answered after ${timeOfSeconds(figure.value)}"
        else -> "${significant(figure.value)} requests per second"
    },
    mark = report.mark(cell.cell.id),
)

/** Includes every interval and trial, and the limits unless they are far larger. */
private fun scale(report: Report, group: RankedGroup): Double {
    val seen = group.ranks.map { report.cell(it.cell) }.flatMap { cell ->
        cell.trials.mapNotNull { it.rankedBy } + listOfNotNull(cell.rankedBy?.interval?.high, cell.rankedBy?.value)
    }
    val measured = seen.maxOrNull()?.takeIf { it > 0 } ?: 1.0
    val limits = group.ranks.mapNotNull { report.shownLimit(it.cell)?.allows }.filter { it <= measured * 1.5 && !group.isBurst }
    return max(measured, limits.maxOrNull() ?: 0.0) * 1.03
}
