package bootdyno.report

import bootdyno.analyse.Threat
import bootdyno.model.CellId
import bootdyno.model.LoadFound
import bootdyno.model.fixed
import bootdyno.model.listed
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.timeOfMillis
import bootdyno.model.timeOfSeconds
import kotlin.math.abs

/** Reasons to doubt the figures, one line per kind with its cells; and passed checks. */
internal fun trustSection(report: Report): Section {
    val doubts = doubts(report).map { Item(it.line, Tone.WARN, listOf(it.advice)) }
    val checks = checks(report).map { Item(it, Tone.GOOD) }
    return Section("trust", "Doubts and checks", null, listOfNotNull(Bullets(doubts + checks), orderChart(report)))
}

/** A kind of threat in a [line] with its cells, and the advice. */
internal class Doubt(val kind: Threat.Kind, val line: String, val advice: String)

/** Threats of the whole run name no cells. */
internal fun doubts(report: Report): List<Doubt> = Threat.Kind.entries.flatMap { kind ->
    val whole = report.analysis.threats.filter { it.kind == kind }.map { Doubt(kind, it.sentence, report.typed(it.advice)) }
    // That of the run names the cells with failed trials.
    whole + if (whole.isNotEmpty() && kind == Threat.Kind.FAILED_TRIALS) emptyList() else doubtsOfCells(report, kind)
}

/** One for several cells that differ in their numbers only, and one for the first of those that differ in words. */
private fun doubtsOfCells(report: Report, kind: Threat.Kind): List<Doubt> {
    val cases = report.analysis.cells.mapNotNull { cell ->
        cell.threats.ifEmpty { cell.trials.flatMap { it.threats } }.find { it.kind == kind }?.let { cell.cell.id to it }
    }
    // Cells that were cold on purpose are no doubt beside those that were not.
    val single = cases.filter { kind == Threat.Kind.STILL_WARMING && report.cell(it.first).unsteady != null }.ifEmpty { cases }
    fun named(cells: List<CellId>) = report.cells(cells, report.analysis.cells.size, most = 3)
    val (shown, others) = single.groupBy { (_, threat) -> NUMBER.replace(threat.sentence, "#") }.values
        .let { it.take(MOST_OF_A_KIND) to it.drop(MOST_OF_A_KIND).flatten().map { (cell, _) -> cell } }
    return shown.map { alike ->
        // Of several cells, one trial says nothing.
        val each = alike.map { (_, threat) -> if (alike.size > 1) FIRST.replace(threat.sentence, "") else threat.sentence }
        val sentence = ofAll(each).removeSuffix(".")
        val also = if (others.isEmpty() || alike != shown.last()) "" else " The same, with other figures: ${named(others)}."
        Doubt(kind, "$sentence (${named(alike.map { (cell, _) -> cell })}).$also", report.typed(alike.first().second.advice))
    }
}

private const val MOST_OF_A_KIND = 2
private val FIRST = Regex(""", first in trial \d+|; trial \d+ is far from the others: \S+/s""")

private val NUMBER = Regex("""(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)""")

/** One sentence for several that differ in their numbers only: `7.9 to 25 % of the CPU time …`. */
private fun ofAll(sentences: List<String>): String {
    val numbers = sentences.map { sentence -> NUMBER.findAll(sentence).map { it.value }.toList() }
    var nth = 0
    return NUMBER.replace(sentences.first()) {
        val each = numbers.map { it[nth] }.distinct().sortedBy { it.replace(",", "").toDouble() }
        nth++
        listOf(each.first(), each.last()).distinct().joinToString(" to ")
    }
}

/** Doubts about the answer, without those that hold for every run on this machine or for the CPU time per request only. */
internal fun answerDoubts(report: Report): List<Item> =
    doubts(report).filterNot { it.kind in OF_EVERY_RUN }.map { Item(it.line, Tone.WARN) }

private val OF_EVERY_RUN = setOf(
    Threat.Kind.NO_INTERVAL,
    // A doubt about the CPU time per request only.
    Threat.Kind.COMPILING,
    Threat.Kind.LOOPBACK,
    Threat.Kind.VIRTUAL_MACHINE,
    Threat.Kind.GOVERNOR,
    Threat.Kind.ADAPTIVE,
)

/** Passed checks, from recorded data. */
private fun checks(report: Report): List<String> {
    val loads = report.analysis.run.trials.mapNotNull { it.record.load }
    val used = loads.mapNotNull { it.generatorShare }.maxOrNull()
    val again = report.analysis.resolution?.ratio
    val probes = report.analysis.run.trials.mapNotNull { it.record.subject?.probe }
    return listOfNotNull(
        used?.takeIf { it <= 0.9 }?.let { "The load generator used at most ${percent(it)} of its CPU." },
        network(loads),
        "The warm-up had ended before the measurement began."
            .takeIf { loads.isNotEmpty() && loads.all { load -> load.leftBefore == 0L } },
        again?.takeIf { it.interval?.contains(1.0) == true }
            ?.let { "The interval of the baseline measured twice contains 1: ${times(it)} ${range(it)}." },
        probes.maxOfOrNull { it.cpuSeconds }?.let { cpu ->
            "Reading a JVM cost it at most ${timeOfSeconds(cpu)} of CPU time, which no figure contains, and " +
                "${mebibytes(probes.maxOf { it.rss.count }.toDouble())} MiB of memory, which its memory contains."
        },
        report.analysis.roundsDone.takeIf { it > 1 }
            ?.let { "Each of $it rounds ran its trials in random order (seed ${report.experiment.repetition.seed})." },
    )
}

/** From where the load came, and what its network did meanwhile; null if it did not leave this machine. */
private fun network(loads: List<LoadFound>): String? {
    val networks = loads.mapNotNull { it.network }.filter { it.probes > 0 }
    val hosts = loads.flatMap { it.agents }.map { it.host }.distinct()
    val median = networks.mapNotNull { it.rttP50Ms }.maxOrNull() ?: return null
    val segments = networks.sumOf { it.segments ?: 0 }
    val again = if (segments > 0) networks.sumOf { it.sentAgain ?: 0 } / segments.toDouble() else null
    val from = if (hosts.isEmpty()) "" else " from ${listed(hosts)}"
    return "The load came$from over a network: a round trip took ${timeOfMillis(median)} (median), at most " +
        timeOfMillis(networks.mapNotNull { it.rttMaxMs }.max()) +
        again?.let { ", and ${percent(it)} of the TCP segments were sent again" }.orEmpty() + "."
}

/** Null for several machines, which differ in speed. */
private fun orderChart(report: Report): Chart? {
    if (report.analysis.roundsDone < 2 || report.analysis.machines.isNotEmpty()) return null
    val trials = report.measured.flatMap { cell -> cell.trials.map { cell to it } }
    val dots = trials.sortedBy { (_, trial) -> trial.number }.mapNotNull { (cell, trial) ->
        cell.fromMedian[trial.number]?.let {
            Dot(cell.cell.id.text, report.mark(cell.cell.id), ChartPoint(trial.number.toDouble(), it * 100))
        }
    }
    if (dots.isEmpty()) return null
    val rounds = trials.groupBy { (_, trial) -> trial.round }
        .map { (round, own) -> RoundStart(round, own.minOf { (_, trial) -> trial.number }) }
    val farthest = dots.maxOf { abs(it.at.y) }
    val plot = OrderPlot(dots, rounds.sortedBy { it.firstTrial }, most = roundUp(farthest.coerceAtLeast(1.0)))
    return Chart(
        id = "order",
        title = "Throughput of each trial in order of execution, difference from the median of its cell in %",
        spoken = "The largest difference from the median of a cell is ${fixed(farthest, 1)} %.",
        plot = plot,
    )
}
