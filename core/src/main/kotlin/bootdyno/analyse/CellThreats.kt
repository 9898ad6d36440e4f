package bootdyno.analyse

import bootdyno.model.Ending
import bootdyno.model.TrialFacts
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.stats.Point
import bootdyno.stats.Scale
import bootdyno.stats.lineThrough
import bootdyno.stats.median
import bootdyno.stats.medianAbsoluteDeviation
import bootdyno.stats.spreadOf
import kotlin.math.abs
import kotlin.math.expm1
import kotlin.math.ln

/** The trials of one cell, as the checks of a cell see them. */
internal class CellTrials(val measured: List<MeasuredTrial>, val failed: List<TrialFacts>, val roundsDone: Int) {
    val counted = measured.filter { it.valid && !it.again }
    val attempts = measured.count { !it.again } + failed.size

    /** Logarithms of throughput over rounds; empty when one trial served nothing. */
    val logs: List<Point> =
        if (counted.all { it.throughput > 0 }) counted.map { Point(it.round.toDouble(), ln(it.throughput)) } else emptyList()
}

/** What the trials of a cell say together, then what they say one by one. The next check is one function and one line. */
internal fun cellThreats(cell: CellTrials): List<Threat> =
    cellChecks.mapNotNull { it(cell) } + threatsOfTrials(cell.measured.filter { !it.again })

private val cellChecks: List<(CellTrials) -> Threat?> =
    listOf(::failedTrials, ::singleTrial, ::fewTrials, ::bistable, ::noisy, ::drift)

private const val FEW = 5
private const val MOST_SPREAD = 0.10
private const val MOST_DRIFT = 0.03
private const val SURE = 0.01
private val FACTOR_OF_TWO = ln(2.0)

private fun failedTrials(cell: CellTrials): Threat? {
    val first = cell.failed.firstOrNull() ?: return null
    val ending = first.record.ending as? Ending.Failed
    return Threat(
        Threat.Kind.FAILED_TRIALS,
        "${cell.failed.size} of ${plural(cell.attempts, "trial")} failed" +
            (ending?.let { ", the first (trial ${first.record.trial.number}) at ${it.stage.word}: ${it.reason}" } ?: "") + ".",
        "See the last log lines in the run folder. The remaining trials may be biased.",
    )
}

/** Where every cell has but one trial the run says so once. */
private fun singleTrial(cell: CellTrials): Threat? {
    if (cell.counted.size != 1 || cell.roundsDone <= 1) return null
    return Threat(
        Threat.Kind.NO_INTERVAL,
        "Only 1 of ${cell.roundsDone} rounds counts, so there is no interval.",
        "Resume or repeat the run.",
    )
}

private fun fewTrials(cell: CellTrials): Threat? {
    val n = cell.counted.size
    if (n !in 2 until FEW || cell.roundsDone < FEW) return null
    return Threat(
        Threat.Kind.FEW_TRIALS,
        "Only $n of ${cell.roundsDone} rounds count: the interval is wide.",
        "See why the other rounds do not count, and add rounds.",
    )
}

private class Split(val gap: Double, val within: Double, val lower: Int)

/** Two groups at least a factor of two apart, the gap three times as wide as either group. */
private fun splitOf(cell: CellTrials): Split? {
    val sorted = cell.logs.map { it.y }.sorted()
    if (sorted.size < 3) return null
    val lower = (1 until sorted.size).maxBy { sorted[it] - sorted[it - 1] }
    val gap = sorted[lower] - sorted[lower - 1]
    val within = maxOf(sorted[lower - 1] - sorted.first(), sorted.last() - sorted[lower])
    return Split(gap, within, lower).takeIf { it.gap >= FACTOR_OF_TWO && it.gap >= 3 * it.within }
}

private fun bistable(cell: CellTrials): Threat? {
    val split = splitOf(cell) ?: return null
    val sorted = cell.counted.map { it.throughput }.sorted()
    return Threat(
        Threat.Kind.BISTABLE,
        "Two groups of trials: ${plural(split.lower, "trial")} at ${rounded(sorted[split.lower - 1])}/s or less, " +
            "${plural(
                sorted.size - split.lower,
                "trial",
            )} at ${rounded(sorted[split.lower])}/s or more. The mean describes neither group.",
        "Add rounds, and compare the series of both groups.",
    )
}

private fun noisy(cell: CellTrials): Threat? {
    val logs = cell.logs.map { it.y }
    if (logs.size < 3 || splitOf(cell) != null) return null
    val deviation = expm1(spreadOf(cell.counted.map { it.throughput }, Scale.LOGARITHM)?.deviation ?: return null)
    if (deviation <= MOST_SPREAD) return null
    val middle = median(logs)
    val farthest = cell.counted.maxBy { abs(ln(it.throughput) - middle) }
    val distance = abs(ln(farthest.throughput) - middle) / medianAbsoluteDeviation(logs)
    return Threat(
        Threat.Kind.NOISY,
        "Trials differ by ${percent(deviation)} (standard deviation). Trial ${farthest.number} is farthest from the median: " +
            perSecond(farthest.throughput) + (if (distance.isFinite()) ", ${rounded(distance)} median deviations." else "."),
        "Add rounds, or look for other activity on the machine.",
    )
}

private fun drift(cell: CellTrials): Threat? {
    if (cell.logs.size < FEW) return null
    val line = lineThrough(cell.logs)?.takeIf { it.p < SURE } ?: return null
    val change = expm1(line.at(cell.logs.maxOf { it.x }) - line.at(cell.logs.minOf { it.x }))
    if (abs(change) <= MOST_DRIFT) return null
    return Threat(
        Threat.Kind.DRIFT,
        "Throughput changed by ${percent(change)} from the first round to the last.",
        "Prefer ratios: they compare trials of the same round.",
    )
}

/** Each kind once, with the sentence of its first trial and how many trials share it. */
internal fun threatsOfTrials(trials: List<MeasuredTrial>): List<Threat> = Threat.Kind.entries.mapNotNull { kind ->
    val hit = trials.mapNotNull { trial -> trial.threats.find { it.kind == kind }?.let { trial.number to it } }.toMap()
    hit.entries.firstOrNull()?.let { (number, threat) ->
        threat.copy(sentence = summed(number, threat, hit.size, trials.size))
    }
}

private fun summed(number: Int, threat: Threat, hit: Int, of: Int): String {
    val uncounted = if (threat.kind == Threat.Kind.LOAD_GENERATOR) " Not counted: ${plural(hit, "trial")}." else ""
    return (if (of == 1) threat.sentence else "In $hit of $of trials, first in trial $number: ${threat.sentence}") + uncounted
}
