package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.model.Ending
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.fixed
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfMillis

/** What became of a burst: each request in one class, the time to connect apart, and what it took of the machine. */
internal fun burstSection(report: Report): Section? {
    val cells = report.measured.filter { it.cell.profile.loadInWindow is LoadProfile.Burst }
    if (cells.isEmpty()) return null
    val lead = "All users begin at the same moment; each opens a connection, asks one request after the other and leaves. A " +
        "failure costs its user that one request. A full accept queue refuses nobody on Linux: it drops the attempt, which " +
        "the client's kernel repeats after 1 s, 3 s, 7 s and so on, so look for it in the time to connect, not among the " +
        "refused. A connection is open when the kernel has it; how long the application then takes to accept it is in the first response."
    val tables = listOf(fates(report, cells), times(report, cells), use(report, cells)).flatMap { titled(it) }
    return Section("burst", "The burst", lead, tables + listOfNotNull(connectChart(report, cells)))
}

private fun titled(table: Table): List<Block> = listOf(Paragraph(table.caption, Tone.STRONG, heading = true), table)

/** Counts over all counted trials: every request stands in one column only. */
private fun fates(report: Report, cells: List<CellAnalysis>): Table {
    val causes = ErrorCause.entries.filter { cause -> cause == ErrorCause.REFUSED || cells.any { (it.errors[cause] ?: 0) > 0 } }
    val rest = listOfNotNull(
        Left("in flight at the end") { it.inFlight }.takeIf { left -> cells.any { left.of(it) > 0 } },
        Left("never sent") { it.unsent }.takeIf { left -> cells.any { left.of(it) > 0 } },
    )
    return Table(
        caption = "What became of each request",
        columns = listOf(
            Column("cell", importance = 0),
            Column("requests", right = true, importance = 2),
            Column("answered", right = true, importance = 1),
            Column("failed", right = true, importance = 1),
        ) + (causes.map { it.words } + rest.map { it.head }).map { Column(it, right = true, importance = 3) },
        rows = cells.map { cell ->
            val failed = cell.errors.values.sum()
            val all = cell.answered + failed + cell.inFlight + cell.unsent
            val whole =
                listOf(Words(count(all), Tone.DIM), counted(cell.answered, all, Tone.PLAIN), counted(failed, all, Tone.BAD))
            Row(
                listOf(nameOf(report, cell)) + whole + causes.map { number(cell.errors[it] ?: 0) } +
                    rest.map { number(it.of(cell)) },
            )
        },
    )
}

private class Left(val head: String, val of: (CellAnalysis) -> Long)

private fun counted(amount: Long, of: Long, tone: Tone): Words =
    if (amount == 0L) Words("0", Tone.DIM) else Words(count(amount), tone, beside = percent(amount.toDouble() / of))

private fun number(amount: Long): Words = Words(count(amount), if (amount == 0L) Tone.DIM else Tone.PLAIN)

private val CONNECTING = listOf(Measure.P50, Measure.P99, Measure.MAX)
private val ANSWERING = listOf(Measure.MEAN, Measure.P50, Measure.P99, Measure.MAX)

private fun times(report: Report, cells: List<CellAnalysis>) = Table(
    caption = "How long it took",
    columns = listOf(
        Column("cell", importance = 0),
        Column("requests/s", right = true, importance = 1),
        Column("all done after", "s", right = true, importance = 1),
    ) + CONNECTING.map { Column("connect ${it.word}", "ms", right = true, importance = 2) } +
        ANSWERING.map { Column("response ${it.word}", "ms", right = true, importance = 3) } +
        Column("99 % of users had begun after", "ms", right = true, importance = 5),
    rows = cells.map { cell ->
        val loads = loads(report, cell)
        Row(
            listOf(
                nameOf(report, cell),
                Words(cell.throughput?.let { significant(it.value) } ?: "–", beside = cell.throughput?.let(::plusMinus)),
                mean(loads.map { it.windowSeconds }, ::significant),
            ) + CONNECTING.map { connectOf(cell, it) } + ANSWERING.map { latencyOf(cell, it) } +
                mean(loads.mapNotNull { it.generator.lagP99Ms }, ::significant).copy(tone = Tone.DIM),
        )
    },
)

private fun connectOf(cell: CellAnalysis, point: Measure): Words =
    cell.connect[point]?.let { Words(significant(it.estimate.value)) } ?: Words("–", Tone.DIM)

private fun connectChart(report: Report, cells: List<CellAnalysis>): CurvesChart? = curvesChart(
    id = "connect",
    title = "Time to connect by percentile",
    spoken = "Time to connect by percentile. " + cells.mapNotNull { cell ->
        cell.connect[Measure.P99]?.let { "${cell.cell.id}: p99 ${timeOfMillis(it.estimate.value)}." }
    }.joinToString(" "),
    table = null,
    curves = cells.filter { it.connectCurve.isNotEmpty() }.map {
        Curve(it.cell.id.text, report.mark(it.cell.id), known(it.connectCurve), beyond(it.connectCurve))
    },
)

private fun use(report: Report, cells: List<CellAnalysis>) = Table(
    caption = "What it took",
    columns = listOf(
        Column("cell", importance = 0),
        Column("start", "s", right = true, importance = 2),
        Column("CPUs", right = true, importance = 1),
        Column("heap used", "MiB", right = true, importance = 3),
        Column("heap committed", "MiB", right = true, importance = 3),
        Column("JVM threads, most", right = true, importance = 1),
        Column("connections, most", right = true, importance = 2),
        Column("accept-queue overflows", right = true, importance = 1),
        Column("generator's share of its CPU", right = true, importance = 4),
    ),
    rows = cells.map { cell ->
        Row(
            listOf(
                nameOf(report, cell),
                of(cell, Measure.STARTUP, ::significant),
                of(cell, Measure.CPU) { fixed(it, 2) },
                of(cell, Measure.HEAP, ::mebibytes),
                of(cell, Measure.HEAP_COMMITTED, ::mebibytes),
                of(cell, Measure.LIVE_THREADS) { fixed(it, 0) },
                of(cell, Measure.CONNECTIONS) { count(it.toLong()) },
                of(cell, Measure.LISTEN_OVERFLOWS) { count(it.toLong()) },
                mean(loads(report, cell).mapNotNull { it.generatorShare }, ::percent),
            ),
        )
    },
)

private fun nameOf(report: Report, cell: CellAnalysis) = Words(cell.cell.id.text, mark = report.mark(cell.cell.id))

private fun of(cell: CellAnalysis, resource: Measure, text: (Double) -> String): Words =
    cell.resources[resource]?.let { Words(text(it.value), hint = range(it, text)) } ?: Words("–", Tone.DIM)

private fun mean(values: List<Double>, text: (Double) -> String): Words =
    if (values.isEmpty()) Words("–", Tone.DIM) else Words(text(values.average()))

/** What the engine counted in the trials of [cell] that count. */
private fun loads(report: Report, cell: CellAnalysis): List<LoadFound> {
    val counting = cell.counted.map { it.number }
    return report.analysis.run.trials.filter { it.record.ending is Ending.Measured && it.record.trial.number in counting }
        .mapNotNull { it.record.load }
}
