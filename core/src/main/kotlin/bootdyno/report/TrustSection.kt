package bootdyno.report

import bootdyno.analyse.Threat
import bootdyno.model.CellId
import bootdyno.model.fixed
import bootdyno.model.percent
import bootdyno.stats.Interval
import bootdyno.stats.median
import kotlin.math.abs

/** Every reason to doubt a number, one line a kind with the cells it concerns; and what was checked and found good. */
internal fun trustSection(report: Report): Section {
    val doubts = doubts(report).map { item(report, it) }
    val checks = checks(report).map { Item(it, Tone.GOOD) }
    return Section("trust", "Can I trust this?", null, listOfNotNull(Bullets(doubts + checks), orderChart(report)))
}

/** One kind of threat: whose it is, and each different sentence it was given. */
private data class Doubt(val kind: Threat.Kind, val wholeRun: Boolean, val cells: List<CellId>, val threats: List<Threat>)

private fun doubts(report: Report): List<Doubt> {
    val ofCells = report.analysis.cells.flatMap { cell ->
        val own = cell.threats.ifEmpty { cell.trials.flatMap { it.threats } }
        own.distinctBy { it.kind }.map { cell.cell.id to it }
    }
    return Threat.Kind.entries.mapNotNull { kind ->
        val whole = report.analysis.threats.filter { it.kind == kind }
        val single = ofCells.filter { (_, threat) -> threat.kind == kind }
        if (whole.isEmpty() && single.isEmpty()) return@mapNotNull null
        Doubt(kind, whole.isNotEmpty(), single.map { (cell, _) -> cell }, whole + single.map { (_, threat) -> threat })
    }
}

private fun item(report: Report, doubt: Doubt): Item {
    val whose = if (doubt.wholeRun) "the whole run" else cells(doubt.cells, report.analysis.cells.size)
    val sentences = doubt.threats.map { it.sentence }.distinct()
    val example = if (sentences.size > 1 && !doubt.wholeRun) "${doubt.cells.first()}: " else ""
    val advice = doubt.threats.map { it.advice }.first()
    return Item("${doubt.kind.word} ($whose): $example${sentences.first()}", Tone.WARN, listOfNotNull(advice.ifBlank { null }))
}

/** What can be said for the numbers, from what was really recorded. */
private fun checks(report: Report): List<String> {
    val loads = report.analysis.run.trials.mapNotNull { it.record.load }
    val used = loads.filter { it.windowSeconds > 0 && it.generator.cpus > 0 }
        .maxOfOrNull { it.generator.cpuSeconds / (it.windowSeconds * it.generator.cpus) }
    val again = report.analysis.resolution
    return listOfNotNull(
        used?.takeIf { it <= 0.9 }?.let { "The load generator used at most ${percent(it)} of its CPU." },
        loads.takeIf {
            it.isNotEmpty() && it.all { load -> load.leftBefore == 0L }
        }?.let { "No request of an earlier phase was left when a window opened." },
        again?.takeIf {
            inside(it.ratio.interval)
        }?.let { "The baseline measured twice does not differ from itself: ${point(it.ratio)}× ${range(it.ratio)}." },
        report.analysis.roundsDone.takeIf {
            it > 1
        }?.let { "$it rounds, each with every cell once, in an order shuffled by seed ${report.experiment.protocol.seed}." },
    )
}

private fun inside(interval: Interval?): Boolean = interval != null && 1.0 in interval

private fun orderChart(report: Report): OrderChart? {
    if (report.analysis.roundsDone < 2) return null
    val trials = report.measured.flatMap { cell -> cell.trials.map { cell to it } }
    val dots = trials.sortedBy { (_, trial) -> trial.number }.mapNotNull { (cell, trial) ->
        val median = median(cell.trials.map { it.throughput })
        if (median <= 0.0) return@mapNotNull null
        Dot(cell.cell.id.text, report.mark(cell.cell.id), Point(trial.number.toDouble(), (trial.throughput / median - 1) * 100))
    }
    if (dots.isEmpty()) return null
    val rounds = trials.groupBy { (_, trial) ->
        trial.round
    }.map { (round, own) -> RoundStart(round, own.minOf { (_, trial) -> trial.number }) }
    return OrderChart(
        id = "order",
        title = "Throughput of each trial in the order of execution, per cent from the median of its cell",
        spoken = "The trial farthest from the median of its cell is ${fixed(dots.maxOf { abs(it.at.y) }, 1)} per cent away.",
        table = null,
        dots = dots,
        rounds = rounds.sortedBy { it.firstTrial },
        most = roundUp(dots.maxOf { abs(it.at.y) }.coerceAtLeast(1.0)),
    )
}
