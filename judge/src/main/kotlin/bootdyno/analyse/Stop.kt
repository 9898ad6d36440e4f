package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.RunFacts
import bootdyno.model.plural
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import kotlin.math.sqrt
import kotlin.time.Duration

/** A ratio with an interval of ± 2 % is exact enough (docs/method.md). */
private const val TIGHT = 0.02

/** The rounds end early for a difference only if it is this sure: judging after each round would else find too many (Haybittle 1971). */
private const val SURE = 0.01

/**
 * Why no further rounds are needed, as a sentence for the user; null to continue. Called after every complete round. The planned rounds are
 * always measured. Further rounds follow until every comparison is settled, the maximum is reached, or the budget has no time for another.
 *
 * A comparison is settled if its half-width is at most 2 %, or its verdict is decided, unchanged since the previous round and, for a
 * difference, has p ≤ 0.01. A comparison without a verdict (censored, no common round) counts as settled, because more rounds would not
 * change it. Closed load and bursts are judged by what they are ranked by, or by the capacity that was searched. Open load is judged by p99,
 * because its throughput is the offered rate.
 *
 * A confirmed prediction needs no further round; a refuted one is settled as other ratios are.
 *
 * A rule (gate) about a ratio of two cells is settled if it passes or fails, and did so before the last round; a failure also needs p ≤ 0.01. It
 * then settles the comparison that it is about, too.
 */
fun reasonToStop(run: RunFacts, elapsed: Duration): String? {
    val protocol = run.plan.experiment.repetition
    val done = roundsDone(run)
    if (done < protocol.rounds) return null
    val open = unsettled(run)
    return when {
        done >= protocol.maxRounds -> "All ${plural(done, "round")} are done."

        isConfirmed(run) -> "After ${plural(done, "round")} the prediction is confirmed."

        open.isEmpty() -> "After $done rounds every ratio is known to ± 2 % or its verdict has stood for two rounds."

        elapsed + elapsed / done > protocol.budget ->
            "After ${plural(done, "round")}, the time budget of ${protocol.budget} leaves no time for another; " +
                "intervals wider than ± 2 %: ${open.joinToString()}."

        else -> null
    }
}

private fun isConfirmed(run: RunFacts): Boolean {
    val measured = Measurements(run)
    return confirmationOf(measured, Comparisons(measured))?.outcome == ConfirmationOutcome.CONFIRMED
}

private fun unsettled(run: RunFacts): List<String> {
    val now = Measurements(run)
    val judged = Comparisons(now)
    val comparisons = decisiveComparisons(now, judged)
    if (comparisons.isEmpty()) return wideCells(now)
    val earlier = Measurements(withoutLastRound(run))
    val judgedBefore = Comparisons(earlier)
    val before = decisiveComparisons(earlier, judgedBefore)
    val outcomes = gatesBetweenCells(now, judged)
    val outcomesBefore = gatesBetweenCells(earlier, judgedBefore)
    val (standing, open) = outcomes.keys.partition { gate ->
        val outcome = outcomes[gate]
        outcome != GateOutcome.UNDECIDED && outcome == outcomesBefore[gate] &&
            (outcome == GateOutcome.PASS || isSure(gate, judged))
    }
    return open.map { it.text } + comparisons.filterNot { comparison ->
        standing.any { it.left.cell == comparison.candidate && it.left.measure == comparison.measure }
    }.filter { comparison ->
        val interval = comparison.ratio.interval
        val same = before.find { it.candidate == comparison.candidate }?.verdict == comparison.verdict
        val sure = comparison.verdict == Verdict.EQUIVALENT || (comparison.p ?: 1.0) <= SURE
        val stands = comparison.verdict != Verdict.UNDECIDED && same && sure
        comparison.verdict != null && interval != null && halfWidth(interval) > TIGHT && !stands
    }.map { it.candidate.text }
}

/** The rules about a ratio of two cells, with their outcomes. Further rounds decide them; a rule about a figure often stays on its edge. */
private fun gatesBetweenCells(measured: Measurements, comparisons: Comparisons): Map<Gate, GateOutcome> =
    measured.run.plan.experiment.gates.zip(gatesJudged(measured, comparisons).map { it.outcome })
        .filter { (gate, _) -> gate.right != null }.toMap()

/** Whether the difference that fails [gate] is sure; a failure without a ratio stays one, however many rounds follow. */
private fun isSure(gate: Gate, comparisons: Comparisons): Boolean {
    val right = gate.right ?: return true
    val ratio = comparisons.between(gate.left.cell, right.cell, right.measure, right.operation)
    return (ratio?.p ?: 0.0) <= SURE
}

/** Comparisons of the measure that depends on the subject. */
private fun decisiveComparisons(measured: Measurements, comparisons: Comparisons): List<Comparison> =
    comparisons.withBaseline.filter { it.at == null }
        .filter { it.measure == measured.judgedBy(measured.run.plan.cell(it.candidate)) }

/** A cell that searches for its capacity is judged by that. */
private fun Measurements.judgedBy(cell: Cell): Measure = when (cell.profile.loadInWindow) {
    is LoadProfile.Open -> Measure.P99

    is LoadProfile.Closed, is LoadProfile.Burst, null ->
        if (figure(cell.id, Measure.CAPACITY) == null) cell.rankedBy else Measure.CAPACITY
}

/** Without comparisons, the intervals of the cells' own figures count. */
private fun wideCells(measured: Measurements): List<String> = measured.run.plan.cells
    .filter { cell -> measured.figure(cell.id, measured.judgedBy(cell))?.estimate?.isWide == true }
    .map { it.id.text }

private val Estimate.isWide get() = interval?.let { halfWidth(it) > TIGHT } ?: false

/** Half the width of an interval that is symmetric on a logarithmic scale, as a share of its middle. */
private fun halfWidth(interval: Interval) = if (interval.low > 0) sqrt(interval.high / interval.low) - 1 else Double.MAX_VALUE

private fun withoutLastRound(run: RunFacts): RunFacts {
    val last = run.trials.maxOfOrNull { it.record.trial.round }
    return run.copy(trials = run.trials.filter { it.record.trial.round != last })
}
