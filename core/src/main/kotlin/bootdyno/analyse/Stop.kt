package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.RunFacts
import bootdyno.model.plural
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import kotlin.math.sqrt
import kotlin.time.Duration

/** A ratio known to ± 2 % is known well enough (METHOD §1). */
private const val TIGHT = 0.02

/**
 * Why the rounds done are enough, as a sentence for the user; null to go on. Asked after every complete round, with everything measured so far and the time since the run began. The planned rounds are
 * always done. Beyond them rounds are added until every comparison is settled, the most rounds are done, or the next round would
 * not fit the budget.
 *
 * A comparison is settled when its half-width is at most 2 %, or its verdict is not "undecided" and the same as one round ago;
 * one without a verdict (censored, never measured together) is settled too, for more of the same rounds would not help. Closed
 * load and bursts are judged by throughput, open load by p99: its throughput is the rate we offered.
 */
fun reasonToStop(run: RunFacts, elapsed: Duration): String? {
    val protocol = run.plan.experiment.repetition
    val done = roundsDone(run)
    if (done < protocol.rounds) return null
    val open = unsettled(run)
    return when {
        done >= protocol.maxRounds -> "All ${plural(done, "round")} are done."

        open.isEmpty() -> "After $done rounds every ratio is known to ± 2 % or its verdict has stood for two rounds."

        elapsed + elapsed / done > protocol.budget ->
            "The time budget of ${protocol.budget} is spent after $done rounds; not settled: ${open.joinToString()}."

        else -> null
    }
}

private fun unsettled(run: RunFacts): List<String> {
    val now = Measurements(run)
    val comparisons = telling(now)
    if (comparisons.isEmpty()) return wideCells(now)
    val before = telling(Measurements(withoutLastRound(run)))
    return comparisons.filter { comparison ->
        val interval = comparison.ratio.interval
        val same = before.find { it.candidate == comparison.candidate }?.verdict == comparison.verdict
        val stands = comparison.verdict != Verdict.UNDECIDED && same
        comparison.verdict != null && interval != null && halfWidth(interval) > TIGHT && !stands
    }.map { it.candidate.text }
}

/** The comparisons by the measure that tells something under the candidate's load. */
private fun telling(measured: Measurements): List<Comparison> =
    comparisonsOf(measured).filter { measured.run.plan.cell(it.candidate).judgedBy == it.measure }

private val Cell.judgedBy: Measure
    get() = when (profile.loadInWindow) {
        is LoadProfile.Open -> Measure.P99
        is LoadProfile.Closed, is LoadProfile.Burst, null -> Measure.THROUGHPUT
    }

/** Without a comparison the cells' own figures must be tight. */
private fun wideCells(measured: Measurements): List<String> = measured.run.plan.cells
    .filter { cell -> measured.figure(cell.id, cell.judgedBy)?.estimate?.isWide == true }
    .map { it.id.text }

private val Estimate.isWide get() = interval?.let { halfWidth(it) > TIGHT } ?: false

/** Half the width of an interval that is symmetric on the logarithm, as a share of its middle. */
private fun halfWidth(interval: Interval) = if (interval.low > 0) sqrt(interval.high / interval.low) - 1 else Double.MAX_VALUE

private fun withoutLastRound(run: RunFacts): RunFacts {
    val last = run.trials.maxOfOrNull { it.record.trial.round }
    return run.copy(trials = run.trials.filter { it.record.trial.round != last })
}
