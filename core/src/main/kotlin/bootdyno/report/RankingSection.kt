package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Rank
import bootdyno.analyse.RankedGroup
import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.fixed
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.report.Column.WhenTight
import bootdyno.stats.Estimate
import kotlin.math.max

/** Who is where, with the limit beside the measurement: one table for each kind of work. */
internal fun rankingSection(report: Report): Section? {
    val groups = report.analysis.groups.filterNot { it.isSwept(report) }
    if (groups.all { it.ranks.isEmpty() }) return null
    val tables = groups.flatMap { group ->
        val heading = report.title(group)?.let { Paragraph(it, Tone.STRONG, heading = true) }
        listOfNotNull(heading, rankingTable(report, group))
    }
    return Section("ranking", "Ranking", lead(report, groups), tables)
}

/** Along an axis the curves come first; a table for each value is for those who look one up. */
internal fun sweptRankingSection(report: Report): Section? {
    val groups = report.analysis.groups.filter { it.isSwept(report) }
    if (groups.all { it.ranks.isEmpty() }) return null
    val tables = groups.map { Folded(report.title(it) ?: "all cells", listOf(rankingTable(report, it))) }
    return Section("ranking-by-value", "Ranking at each value", lead(report, groups), tables)
}

private fun lead(report: Report, groups: List<RankedGroup>): String {
    val certainty = if (report.indicative) "one round: indicative, no interval" else "mean over trials with its 95 % interval"
    val cells = groups.flatMap { it.cells }.mapNotNull { report.analysis.cell(it)?.cell }
    return "Requests answered well a second, $certainty; cells that cannot be told apart share a rank (=). " +
        "The limit is the tightest ceiling by Little's law. p50 and p99: ${latencyMeaning(cells)}."
}

private fun rankingTable(report: Report, group: RankedGroup): Table {
    val compared = group.baseline != null && group.cells.size > 1
    val columns = rankingColumns.filter { compared || it !== ratioColumn }
    val most = scale(report, group)
    val rows = group.ranks.map { row(report, group, it, most, columns) } + group.unranked.map { unmeasured(report, it, columns) }
    return Table("Ranking${report.title(group)?.let { ", $it" } ?: ""}", columns, rows)
}

private val printed = setOf(Medium.TERMINAL, Medium.MARKDOWN)
private val rankColumn = Column("#", importance = 0)
private val cellColumn = Column("cell", importance = 0)
private val barColumn = Column("requests a second ┊ limit", media = setOf(Medium.HTML))
private val throughputColumn = Column("requests/s", right = true, importance = 1)
private val ratioColumn = Column("vs baseline", right = true, importance = 2)
private val limitColumn = Column("limit", right = true, importance = 3)
private val p50Column = Column("p50", "ms", right = true, importance = 6)
private val p99Column = Column("p99", "ms", right = true, importance = 4)
private val errorsColumn = Column("errors", right = true, importance = 5)
private val limitedByColumn = Column("limited by", importance = 7, media = printed)
private val cpuColumn = Column("CPUs", right = true, importance = 8)
private val rssColumn = Column("RSS", "MiB", right = true, importance = 9)
private val threadsColumn = Column("threads", right = true, importance = 10)
private val startColumn = Column("start", "s", right = true, importance = 11)
private val styleColumn = Column("style", importance = 12, whenTight = WhenTight.DROP, media = printed)
private val rankingColumns = listOf(
    rankColumn, cellColumn, barColumn, throughputColumn, ratioColumn, limitColumn, p50Column, p99Column, errorsColumn,
    limitedByColumn, cpuColumn, rssColumn, threadsColumn, startColumn, styleColumn,
)

private fun row(report: Report, group: RankedGroup, rank: Rank, most: Double, columns: List<Column>): Row {
    val cell = report.analysis.cell(rank.cell) ?: error("a ranked cell that was not analysed: ${rank.cell}")
    val throughput = cell.throughput ?: error("a ranked cell without throughput: ${rank.cell}")
    val entries = mapOf(
        rankColumn to Words(if (rank.tied) "${rank.rank}=" else "${rank.rank}", Tone.DIM),
        cellColumn to nameOf(report, cell),
        barColumn to bar(report, cell, throughput, most),
        throughputColumn to
            Words(significant(throughput.value), Tone.STRONG, beside = plusMinus(throughput), hint = hint(throughput)),
        ratioColumn to ratioOf(report, group, rank),
        limitColumn to
            Words(
                report.tightest(rank.cell)?.allows?.let(::significant) ?: "–",
                Tone.DIM,
                hint = report.tightest(rank.cell)?.limit,
            ),
        p50Column to latencyOf(cell, Measure.P50),
        p99Column to latencyOf(cell, Measure.P99),
        errorsColumn to errorsOf(cell),
        limitedByColumn to Words(report.explanation(rank.cell)?.bottleneck?.limit ?: "–", Tone.DIM),
        cpuColumn to resourceOf(cell, Measure.CPU) { fixed(it, 2) },
        rssColumn to resourceOf(cell, Measure.RSS, ::mebibytes),
        threadsColumn to resourceOf(cell, Measure.THREADS) { fixed(it, 0) },
        startColumn to resourceOf(cell, Measure.STARTUP, ::significant),
        styleColumn to Words(styleOf(cell.cell) ?: "–", Tone.DIM),
    )
    return Row(columns.map(entries::getValue), emphasised = rank.cell == group.baseline)
}

/** A cell of which nothing counts stands below the ranked ones; its threats say why what was measured is invalid. */
private fun unmeasured(report: Report, cell: CellAnalysis, columns: List<Column>): Row {
    val word = when {
        report.analysis.failures.any { it.cell == cell.cell.id } -> Words("failed", Tone.BAD)
        report.analysis.run.damaged.any { it.cell == cell.cell.id } -> Words("damaged", Tone.BAD)
        cell.trials.isNotEmpty() -> Words("invalid", Tone.WARN)
        else -> Words("not run", Tone.DIM)
    }
    return Row(
        columns.map {
            when (it) {
                cellColumn -> nameOf(report, cell)
                throughputColumn -> word
                barColumn -> Words("")
                styleColumn -> Words(styleOf(cell.cell) ?: "–", Tone.DIM)
                else -> Words("–", Tone.DIM)
            }
        },
    )
}

private fun nameOf(report: Report, cell: CellAnalysis) =
    Words(cell.cell.id.text, hint = styleOf(cell.cell), mark = report.mark(cell.cell.id))

private fun hint(estimate: Estimate): String? = range(estimate)?.let { "$it, ${plural(estimate.n, "trial")}" }

private fun ratioOf(report: Report, group: RankedGroup, rank: Rank): Words {
    if (rank.cell == group.baseline) return Words("baseline", Tone.DIM)
    val comparison = group.comparison(rank.cell) ?: return Words("–", Tone.DIM)
    return Words("${point(comparison.ratio)}×", beside = range(comparison.ratio), hint = comparison.verdict?.word)
}

internal fun latencyOf(cell: CellAnalysis, point: Measure): Words {
    val latency = cell.latency[point] ?: return Words("–", Tone.DIM)
    val text = significant(latency.estimate.value)
    return if (latency.censored) {
        Words(
            "≥$text",
            hint = "requests were still unanswered: the truth lies at or beyond",
        )
    } else {
        Words(text)
    }
}

private fun errorsOf(cell: CellAnalysis): Words {
    val errors = cell.errors.values.sum()
    if (errors == 0L) return Words("0", Tone.DIM)
    val byCause = cell.errors.filterValues {
        it > 0
    }.entries.joinToString(", ") { "${it.key.word} ${count(it.value)}" }
    return Words(percent(errors.toDouble() / (errors + cell.answered)), Tone.BAD, hint = byCause, badge = true)
}

private fun resourceOf(cell: CellAnalysis, resource: Measure, text: (Double) -> String): Words =
    cell.resources[resource]?.let { Words(text(it.value), hint = range(it, text)) } ?: Words("–", Tone.DIM)

private fun bar(report: Report, cell: CellAnalysis, throughput: Estimate, most: Double): Bar = Bar(
    value = throughput.value,
    low = throughput.interval?.low,
    high = throughput.interval?.high,
    dots = cell.counted.map { it.throughput },
    limit = report.tightest(cell.cell.id)?.allows?.takeIf { it <= most },
    most = most,
    spoken = "${cell.cell.id}: ${significant(throughput.value)} requests a second",
    mark = report.mark(cell.cell.id),
)

/** Room for every interval and dot; for the limits too, unless one is far beyond anything measured. */
private fun scale(report: Report, group: RankedGroup): Double {
    val cells = group.ranks.mapNotNull { report.analysis.cell(it.cell) }
    val seen = cells.flatMap { cell ->
        cell.trials.map { it.throughput } +
            listOfNotNull(cell.throughput?.interval?.high, cell.throughput?.value)
    }
    val measured = seen.maxOrNull() ?: 1.0
    val limits = group.ranks.mapNotNull { report.tightest(it.cell)?.allows }.filter { it <= measured * 1.5 }
    return max(measured, limits.maxOrNull() ?: 0.0) * 1.03
}
