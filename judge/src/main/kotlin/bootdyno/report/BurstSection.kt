package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.TrialFigures
import bootdyno.model.Ending
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfSeconds
import bootdyno.stats.Estimate

/** Results of a burst: requests by result, connect times, and resources. */
internal fun burstSection(report: Report): Section? {
    val cells = report.measured.filter { it.isBurst }
    if (cells.isEmpty()) return null
    val lead = "All users start at the same moment. Each opens one connection, sends its requests one after the other and " +
        "leaves. A full accept queue on Linux refuses no connection: it drops the attempt, and the client repeats it after " +
        "1 s, 3 s, 7 s and so on. It appears in the connect time, not under “connection refused”."
    val tables = listOf(results(report, cells), times(report, cells), use(report, cells)).flatMap {
        listOf(heading(it.caption), it)
    }
    val connecting = cells.filter { it.connectCurve.isNotEmpty() }
    val chart = curvesChart(report, "connect", "Connect time by percentile", null, connecting, { it.connect }) { it.connectCurve }
    return Section("burst", "Burst", lead, tables + listOfNotNull(chart))
}

/** Counts of all counted trials: each request is in exactly one column. */
private fun results(report: Report, cells: List<CellAnalysis>): Table = table("Requests by result", cells) {
    fun all(cell: CellAnalysis) = cell.sent + cell.unsent
    fun number(head: String, of: (CellAnalysis) -> Long) =
        figure(head, importance = 3) { cell -> of(cell).let { Words(count(it), if (it == 0L) Tone.DIM else Tone.PLAIN) } }

    cell(report)
    figure("requests", importance = 2) { Words(count(all(it)), Tone.DIM) }
    figure("answered") { counted(it.answered, all(it), Tone.PLAIN) }
    figure("failed") { counted(it.failed, all(it), Tone.BAD) }
    ErrorCause.entries.filter { cause -> cause == ErrorCause.REFUSED || cells.any { (it.errors[cause] ?: 0) > 0 } }
        .forEach { cause -> number(cause.words) { it.errors[cause] ?: 0 } }
    if (cells.any { it.inFlight > 0 }) number("unanswered at the end") { it.inFlight }
    if (cells.any { it.unsent > 0 }) number("never sent") { it.unsent }
}

private fun counted(amount: Long, of: Long, tone: Tone): Words =
    if (amount == 0L) Words("0", Tone.DIM) else Words(count(amount), tone, beside = percent(amount.toDouble() / of))

private fun times(report: Report, cells: List<CellAnalysis>) = table("Times", cells) {
    cell(report)
    Measure.burstTimes.forEach { measure -> figure(measure.title, "s") { timeUntil(it, measure) } }
    figure("duration of the burst", "s", importance = 2) { cell ->
        mean(loads(report, cell).map { it.windowSeconds }, ::significant)
    }
    listOf(Measure.P50, Measure.P99, Measure.MAX).forEach { measure ->
        figure("connect time ${measure.word}", "ms", importance = 2) { estimated(it.connect[measure]?.estimate) }
    }
    listOf(Measure.MEAN, Measure.P50, Measure.P99, Measure.MAX).forEach { measure ->
        figure("response time ${measure.word}", "ms", importance = 3) { latencyOf(it.latency[measure]) }
    }
    figure("99 % of users started within", "ms", importance = 5) { cell ->
        mean(loads(report, cell).mapNotNull { it.generator.lagP99Ms }, ::significant).copy(tone = Tone.DIM)
    }
}

internal const val BURST_RANKING = "99 % answered after: seconds from the start of the burst until 99 % of all its requests " +
    "are answered, failed and unsent ones included; not reached if more than 1 % are never answered."

/** Where a trial never reached it, the number of those that did. */
internal fun timeUntil(cell: CellAnalysis, measure: Measure): Words {
    val time = cell.burst[measure] ?: return nothing
    val ranks = measure == Measure.TIME_TO_99
    if (!time.censored) return if (ranks) withInterval(time.estimate, Tone.STRONG) else estimated(time.estimate)
    val reached = cell.reached(measure).map { significant(it.value) }.ifEmpty { return Words("not reached", Tone.BAD) }
    return Words("reached in ${reached.size} of ${cell.counted.size}", Tone.BAD, hint = reached.joinToString())
}

/** Of the trials in which that share was answered. */
private fun CellAnalysis.reached(measure: Measure) = counted.mapNotNull { it.burst[measure] }.filterNot { it.censored }

internal val CellAnalysis.isBurst: Boolean get() = cell.profile.loadInWindow is LoadProfile.Burst

internal val RankedGroup.isBurst: Boolean get() = measure in Measure.burstTimes

/** What a ranking shows: the time until 99 % of a burst are answered, null if that was not reached; else the throughput. */
internal val CellAnalysis.rankedBy: Estimate?
    get() = if (isBurst) burst[Measure.TIME_TO_99]?.takeUnless { it.censored }?.estimate else throughput

/** [value] of what a cell is ranked by, with its unit: `800/s`, or `3.6 s` of a burst. */
internal fun CellAnalysis.spokenRank(value: Double): String = if (isBurst) timeOfSeconds(value) else perSecond(value)

internal val TrialFigures.rankedBy: Double?
    get() = if (burst.isEmpty()) throughput else burst[Measure.TIME_TO_99]?.takeUnless { it.censored }?.value

private fun use(report: Report, cells: List<CellAnalysis>) = table("Resources", cells) {
    cell(report)
    if (report.measuresStartUp) resource(Measure.STARTUP, importance = 2) { it }
    resource(Measure.CPU) { it }
    resource(Measure.HEAP, importance = 3) { it }
    resource(Measure.HEAP_COMMITTED, importance = 3) { it }
    resource(Measure.LIVE_THREADS) { it }
    resource(Measure.CONNECTIONS, importance = 2) { it }
    resource(Measure.LISTEN_OVERFLOWS) { it }
    figure("load generator, share of its CPU", importance = 4) { cell ->
        mean(loads(report, cell).mapNotNull { it.generatorShare }, ::percent)
    }
}

private fun mean(values: List<Double>, text: (Double) -> String): Words =
    if (values.isEmpty()) nothing else Words(text(values.average()))

/** The engine's counts in the counted trials of [cell]. */
private fun loads(report: Report, cell: CellAnalysis): List<LoadFound> {
    val counting = cell.counted.map { it.number }
    return report.analysis.run.trials.filter { it.record.ending is Ending.Measured && it.record.trial.number in counting }
        .mapNotNull { it.record.load }
}
