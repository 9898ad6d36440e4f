package bootdyno.analyse

import bootdyno.analyse.Threat.Kind
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
import kotlin.math.min

internal const val FEW = 5
private const val MOST_SPREAD = 0.10
private const val MOST_DRIFT = 0.03
private const val SURE = 0.01

/** Deviations from the median beyond which a value is an outlier (Iglewicz and Hoaglin 1993). */
private const val OUTLIER = 3.5
private val FACTOR_OF_TWO = ln(2.0)
private val APART = ln(1.05)
private const val FEWEST_FOR_GROUPS = 6

/** Trials of one cell, for the checks below. */
internal class CellTrials(trials: List<MeasuredTrial>, val failed: List<TrialFailure>, val roundsDone: Int) {
    val measured = trials.filter { !it.again }
    val counted = measured.filter { it.valid }
    val throughputs = counted.map { it.throughput }.sorted()

    /** With those in which only the second measurement of the baseline counts. */
    val roundsCounted: Int = trials.filter { it.valid }.distinctBy { it.round }.size

    /** Logarithm of throughput by round; empty if a trial has no responses. Machines differ in speed: empty for several of them. */
    val logs: List<Point> = counted
        .takeIf { all -> all.all { it.throughput > 0 } && all.distinctBy { it.machine }.size < 2 }.orEmpty()
        .map { Point(it.round.toDouble(), ln(it.throughput)) }

    /**
     * Size of the lower group if the trials form two groups: a factor of two apart, and three times their width. Six trials or more also form them with
     * two or more in each, 5 % apart and twice their width. Normal noise looks so in 1.1 % of cells of 6 trials, in 0.3 % of 8 (20,000 simulated cells).
     * 5,000 simulated cells with noise of 2 % had 30 % of trials at 0.8 times: 57 % of those of 6 trials are found, 79 % of 10.
     */
    val lower: Int? = logs.map { it.y }.sorted().takeIf { it.size >= 3 }?.let { sorted ->
        val lower = (1 until sorted.size).maxBy { sorted[it] - sorted[it - 1] }
        val gap = sorted[lower] - sorted[lower - 1]
        val within = maxOf(sorted[lower - 1] - sorted.first(), sorted.last() - sorted[lower])
        val areGroups =
            sorted.size >= FEWEST_FOR_GROUPS && min(lower, sorted.size - lower) >= 2 && gap >= APART && gap >= 2 * within
        lower.takeIf { areGroups || (gap >= FACTOR_OF_TWO && gap >= 3 * within) }
    }

    /** Threats of all trials together, then of single trials. */
    val threats: List<Threat> get() = cellChecks.mapNotNull { it.of(this) } + threatsOfTrials(measured)
}

/** Add further checks here. */
private val cellChecks: List<Check<CellTrials>> = listOf(
    Check(Kind.FAILED_TRIALS, "See the last log lines in the run folder. The remaining trials may be biased.") {
        failed.firstOrNull()?.let {
            "${failed.size} of ${plural(measured.size + failed.size, "trial")} failed, " +
                "the first (trial ${it.number}) at ${it.stage.word}: ${it.reason}."
        }
    },
    // If every cell has only one trial, the run reports this once.
    Check(Kind.NO_INTERVAL, "Resume or repeat the run.") {
        "Only 1 of $roundsDone rounds counts, so there is no interval.".takeIf { roundsCounted == 1 && roundsDone > 1 }
    },
    Check(Kind.FEW_TRIALS, "See why the other rounds do not count, and add rounds.") {
        "Only $roundsCounted of $roundsDone rounds count: the interval is wide."
            .takeIf { roundsCounted in 2 until FEW && roundsDone >= FEW }
    },
    Check(Kind.BISTABLE, "Add rounds, and compare the series of both groups.") {
        lower?.let {
            "Two groups of trials: ${plural(it, "trial")} at ${rounded(throughputs[it - 1])}/s or less, " +
                "${plural(throughputs.size - it, "trial")} at ${rounded(throughputs[it])}/s or more. " +
                "The mean describes neither group."
        }
    },
    Check(Kind.NOISY, "Add rounds, or look for other activity on the machine.") {
        if (logs.size < 3 || lower != null) return@Check null
        val deviation = spreadOf(throughputs, Scale.LOGARITHM)?.let { expm1(it.deviation) } ?: 0.0
        if (deviation <= MOST_SPREAD) return@Check null
        val middle = median(logs.map { it.y })
        val farthest = counted.maxBy { abs(ln(it.throughput) - middle) }
        val isOutlier = abs(ln(farthest.throughput) - middle) > OUTLIER * medianAbsoluteDeviation(logs.map { it.y })
        "Trials differ by ${percent(deviation)} (standard deviation)" +
            if (isOutlier) "; trial ${farthest.number} is far from the others: ${perSecond(farthest.throughput)}." else "."
    },
    Check(Kind.DRIFT, "Prefer ratios: they compare trials of the same round.") {
        lineThrough(logs)?.takeIf { logs.size >= FEW && it.p < SURE }
            ?.let { line -> expm1(line.at(logs.maxOf { it.x }) - line.at(logs.minOf { it.x })) }?.takeIf { abs(it) > MOST_DRIFT }
            ?.let { "Throughput changed by ${percent(it)} from the first round to the last." }
    },
)

/** Each kind once, with the sentence of its first trial and the number of affected trials. */
internal fun threatsOfTrials(trials: List<MeasuredTrial>): List<Threat> = Kind.entries.mapNotNull { kind ->
    val hit = trials.mapNotNull { trial -> trial.threats.find { it.kind == kind }?.let { trial.number to it } }.toMap()
    hit.entries.firstOrNull()?.let { (number, threat) ->
        val which = if (trials.size == 1) "" else "In ${hit.size} of ${trials.size} trials, first in trial $number: "
        val uncounted = if (kind == Kind.LOAD_GENERATOR) " Not counted: ${plural(hit.size, "trial")}." else ""
        threat.copy(sentence = which + threat.sentence + uncounted)
    }
}
