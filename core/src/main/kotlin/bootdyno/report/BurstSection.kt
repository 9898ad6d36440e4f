package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.model.Ending
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfMillis

/** The results of a burst: each request in one class, the time to connect apart, and the resources it took. */
internal fun burstSection(report: Report): Section? {
    val cells = report.measured.filter { it.cell.profile.loadInWindow is LoadProfile.Burst }
    if (cells.isEmpty()) return null
    val lead = "All users start at the same moment. Each opens one connection, sends its requests one after the other and " +
        "leaves. A full accept queue on Linux refuses no connection: it drops the attempt, and the client repeats it after " +
        "1 s, 3 s, 7 s and so on. It appears in the connect time, not under “connection refused”."
    val tables = listOf(results(report, cells), times(report, cells), use(report, cells))
        .flatMap { listOf(Paragraph(it.caption, Tone.STRONG, heading = true), it) }
    return Section("burst", "Burst", lead, tables + listOfNotNull(connectChart(report, cells)))
}

/** Counts over all counted trials: every request stands in one column only. */
private fun results(report: Report, cells: List<CellAnalysis>): Table {
    fun all(cell: CellAnalysis) = cell.answered + cell.errors.values.sum() + cell.inFlight + cell.unsent
    val causes = ErrorCause.entries.filter { cause -> cause == ErrorCause.REFUSED || cells.any { (it.errors[cause] ?: 0) > 0 } }
        .map { cause -> number(cause.words) { it.errors[cause] ?: 0 } }
    val rest = listOfNotNull(
        number("unanswered at the end") { it.inFlight }.takeIf { cells.any { it.inFlight > 0 } },
        number("never sent") { it.unsent }.takeIf { cells.any { it.unsent > 0 } },
    )
    return table(
        "Requests by result",
        cells,
        listOf<Shown<CellAnalysis>>(
            cellColumn(report),
            shown("requests", importance = 2) { Words(count(all(it)), Tone.DIM) },
            shown("answered") { counted(it.answered, all(it), Tone.PLAIN) },
            shown<CellAnalysis>("failed") { counted(it.errors.values.sum(), all(it), Tone.BAD) },
        ) + causes + rest,
    )
}

private fun number(head: String, of: (CellAnalysis) -> Long): Shown<CellAnalysis> =
    shown(head, importance = 3) { cell -> of(cell).let { Words(count(it), if (it == 0L) Tone.DIM else Tone.PLAIN) } }

private fun counted(amount: Long, of: Long, tone: Tone): Words =
    if (amount == 0L) Words("0", Tone.DIM) else Words(count(amount), tone, beside = percent(amount.toDouble() / of))

private val CONNECTING = listOf(Measure.P50, Measure.P99, Measure.MAX)
private val ANSWERING = listOf(Measure.MEAN, Measure.P50, Measure.P99, Measure.MAX)

private fun times(report: Report, cells: List<CellAnalysis>) = table(
    "Times",
    cells,
    listOf<Shown<CellAnalysis>>(
        cellColumn(report),
        shown("requests/s") { withInterval(it.throughput) },
        shown<CellAnalysis>("duration of the burst", "s") { cell ->
            mean(loads(report, cell).map { it.windowSeconds }, ::significant)
        },
    ) + CONNECTING.map { measure ->
        shown<CellAnalysis>("connect time ${measure.word}", "ms", importance = 2) { estimated(it.connect[measure]?.estimate) }
    } + ANSWERING.map { measure ->
        shown<CellAnalysis>("response time ${measure.word}", "ms", importance = 3) { latencyOf(it, measure) }
    } + shown<CellAnalysis>("99 % of users started within", "ms", importance = 5) { cell ->
        mean(loads(report, cell).mapNotNull { it.generator.lagP99Ms }, ::significant).copy(tone = Tone.DIM)
    },
)

private fun connectChart(report: Report, cells: List<CellAnalysis>): CurvesChart? = curvesChart(
    id = "connect",
    title = "Connect time by percentile",
    spoken = "Connect time by percentile. " + cells.mapNotNull { cell ->
        cell.connect[Measure.P99]?.let { "${cell.cell.id}: p99 ${timeOfMillis(it.estimate.value)}." }
    }.joinToString(" "),
    table = null,
    curves = cells.filter { it.connectCurve.isNotEmpty() }.map {
        Curve(it.cell.id.text, report.mark(it.cell.id), known(it.connectCurve), beyond(it.connectCurve))
    },
)

private fun use(report: Report, cells: List<CellAnalysis>) = table(
    "Resources",
    cells,
    listOf<Shown<CellAnalysis>>(
        cellColumn(report),
        resource(Measure.STARTUP, importance = 2) { it },
        resource(Measure.CPU) { it },
        resource(Measure.HEAP, importance = 3) { it },
        resource(Measure.HEAP_COMMITTED, importance = 3) { it },
        resource(Measure.LIVE_THREADS) { it },
        resource(Measure.CONNECTIONS, importance = 2) { it },
        resource(Measure.LISTEN_OVERFLOWS) { it },
        shown("load generator, share of its CPU", importance = 4) { cell ->
            mean(loads(report, cell).mapNotNull { it.generatorShare }, ::percent)
        },
    ),
)

private fun mean(values: List<Double>, text: (Double) -> String): Words =
    if (values.isEmpty()) nothing else Words(text(values.average()))

/** What the engine counted in the trials of [cell] that count. */
private fun loads(report: Report, cell: CellAnalysis): List<LoadFound> {
    val counting = cell.counted.map { it.number }
    return report.analysis.run.trials.filter { it.record.ending is Ending.Measured && it.record.trial.number in counting }
        .mapNotNull { it.record.load }
}
