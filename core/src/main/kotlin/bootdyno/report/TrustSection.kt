package bootdyno.report

import bootdyno.analyse.Threat
import bootdyno.model.CellId
import bootdyno.model.fixed
import bootdyno.model.percent
import bootdyno.model.times
import bootdyno.stats.Interval
import kotlin.math.abs

/** Every reason to doubt a number, one line a kind with the cells it concerns; and what was checked and found good. */
internal fun trustSection(report: Report): Section {
    val doubts = doubts(report).map { Item(it.line, Tone.WARN, listOf(it.advice)) }
    val checks = checks(report).map { Item(it, Tone.GOOD) }
    return Section("trust", "Doubts and checks", null, listOfNotNull(Bullets(doubts + checks), orderChart(report)))
}

/** One kind of threat in a [line], with whose it is, and what to do about it. */
internal data class Doubt(val kind: Threat.Kind, val line: String, val advice: String)

internal fun doubts(report: Report): List<Doubt> {
    val ofCells = report.analysis.cells.flatMap { cell ->
        val own = cell.threats.ifEmpty { cell.trials.flatMap { it.threats } }
        own.distinctBy { it.kind }.map { cell.cell.id to it }
    }
    return Threat.Kind.entries.mapNotNull { kind ->
        val whole = report.analysis.threats.filter { it.kind == kind }
        val single = ofCells.filter { (_, threat) -> threat.kind == kind }
        val threats = whole + single.map { (_, threat) -> threat }
        threats.firstOrNull()?.let {
            Doubt(kind, it.sentence.removeSuffix(".") + whose(report, single.map { (cell, _) -> cell }, whole), it.advice)
        }
    }
}

/** ` (tomcat/a and tomcat/b).`; the whole run is not named. The figures of the sentence are of the first. */
private fun whose(report: Report, ids: List<CellId>, whole: List<Threat>): String =
    if (whole.isNotEmpty()) "." else " (${cells(ids, report.analysis.cells.size, most = 3)})."

/** What can be said for the numbers, from what was really recorded. */
private fun checks(report: Report): List<String> {
    val loads = report.analysis.run.trials.mapNotNull { it.record.load }
    val used = loads.mapNotNull { it.generatorShare }.maxOrNull()
    val again = report.analysis.resolution?.ratio
    return listOfNotNull(
        used?.takeIf { it <= 0.9 }?.let { "The load generator used at most ${percent(it)} of its CPU." },
        "No request of an earlier phase was in flight when a window opened."
            .takeIf { loads.isNotEmpty() && loads.all { load -> load.leftBefore == 0L } },
        again?.takeIf { inside(it.interval) }
            ?.let { "The baseline measured twice shows no difference: ${times(it)} ${range(it)}." },
        report.analysis.roundsDone.takeIf { it > 1 }
            ?.let { "$it rounds ran every cell once, in random order (seed ${report.experiment.repetition.seed})." },
    )
}

private fun inside(interval: Interval?): Boolean = interval != null && 1.0 in interval

private fun orderChart(report: Report): OrderChart? {
    if (report.analysis.roundsDone < 2) return null
    val trials = report.measured.flatMap { cell -> cell.trials.map { cell to it } }
    val dots = trials.sortedBy { (_, trial) -> trial.number }.mapNotNull { (cell, trial) ->
        cell.fromMedian[trial.number]?.let {
            Dot(cell.cell.id.text, report.mark(cell.cell.id), Point(trial.number.toDouble(), it * 100))
        }
    }
    if (dots.isEmpty()) return null
    val rounds = trials.groupBy { (_, trial) -> trial.round }
        .map { (round, own) -> RoundStart(round, own.minOf { (_, trial) -> trial.number }) }
    val farthest = dots.maxOf { abs(it.at.y) }
    return OrderChart(
        id = "order",
        title = "Throughput of each trial in order of execution, difference from the median of its cell in %",
        spoken = "The largest difference from the median of a cell is ${fixed(farthest, 1)} %.",
        table = null,
        dots = dots,
        rounds = rounds.sortedBy { it.firstTrial },
        most = roundUp(farthest.coerceAtLeast(1.0)),
    )
}
