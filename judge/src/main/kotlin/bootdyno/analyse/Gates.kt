package bootdyno.analyse

import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.stats.TwoGroups

/**
 * Pass, fail or undecided, by the interval (of a ratio, that of its comparison). Undecided: the interval contains the limit, or does not
 * exist (one round), or only one of two groups of rounds differs from the limit. Not measured: a side has no figure. A cell that
 * [MoreErrors] fails does not pass a rule about it and another one.
 */
internal fun gatesJudged(measured: Measurements, comparisons: Comparisons): List<GateJudged> =
    measured.run.plan.experiment.gates.map { judged(it, measured, comparisons) }

private fun judged(gate: Gate, measured: Measurements, comparisons: Comparisons): GateJudged {
    val left = gate.left
    val right = gate.right ?: return judged(gate, measured.figure(left))
    val alike = right.measure == left.measure && right.operation == left.operation
    val ratio = if (alike) comparisons.between(left.cell, right.cell, right.measure, right.operation) else null
    // A bound of two exact figures: the right side was 0 in some rounds, and the ratio lacks these.
    val isOfAll = ratio?.bound == Bound.EXACT || listOf(left, right).any { measured.figure(it)?.bound == Bound.AT_LEAST }
    val byRatio = ratio?.takeIf { isOfAll }?.let { judgedRatio(gate, it.figure) }?.unlessOf {
        measured.ratio(left.cell, right.cell, right.measure, right.operation)?.groupsAround(gate.factor)
    }
    val judged = byRatio ?: sideBySide(gate, measured.figure(left), measured.figure(right))
    return judged.with(gate, measured.figure(left.cell, Measure.ERRORS), measured.figure(right.cell, Measure.ERRORS))
}

/** Undecided after one round: it does not tell two cells apart, even if its ratio is a bound. */
internal fun judgedRatio(gate: Gate, ratio: Figure): GateJudged =
    judged(gate, ratio).let { if (ratio.estimate.n < 2) it.copy(outcome = GateOutcome.UNDECIDED) else it }

/** Undecided where only one of two [groups] of rounds is on that side of the limit. */
internal fun GateJudged.unlessOf(groups: () -> TwoGroups?): GateJudged {
    val isDecided = outcome == GateOutcome.PASS || outcome == GateOutcome.FAIL
    return if (isDecided && groups() != null) copy(outcome = GateOutcome.UNDECIDED, twoGroups = true) else this
}

/** Whether the rule demands that its left side is better. */
private val Gate.favoursLeft get() = atLeast == left.measure.moreIsBetter

/**
 * A cell that fails more requests than the other one does not pass [gate], for certain it fails; nor does one fail against such a cell. Errors decide
 * no rule about a figure that was not measured. [left] and [right]: the shares of failed requests of its sides.
 */
internal fun GateJudged.with(gate: Gate, left: Figure?, right: Figure?): GateJudged {
    if (outcome == GateOutcome.NOT_MEASURED || gate.left.measure.countsFailures) return this
    val (favoured, against) = if (gate.favoursLeft) left to right else right to left
    val errors = MoreErrors(favoured, against)
    val ofOther = MoreErrors(against, favoured)
    return when {
        errors.isSure -> copy(outcome = GateOutcome.FAIL, moreErrors = true)
        errors.isSeen && outcome == GateOutcome.PASS -> copy(outcome = GateOutcome.UNDECIDED, moreErrors = true)
        ofOther.isSeen && outcome == GateOutcome.FAIL -> copy(outcome = GateOutcome.UNDECIDED, moreErrors = true)
        else -> this
    }
}

/**
 * Compares the intervals of both sides where no ratio of all rounds exists: no common round, a right side of 0 in one, or different measures or operations.
 * Two sides without any rate that meets the objective have no capacity to compare.
 */
internal fun sideBySide(gate: Gate, left: Figure?, limit: Figure?): GateJudged {
    val reach = limit?.reach
    val isNone = gate.left.measure == Measure.CAPACITY && listOf(left, limit).all { it?.estimate?.value == 0.0 }
    return when {
        left == null || limit == null || isNone -> GateJudged(gate.text, left?.estimate, GateOutcome.NOT_MEASURED)
        reach == null -> GateJudged(gate.text, left.estimate, GateOutcome.UNDECIDED, left.bound)
        else -> judged(gate, left, reach.start * gate.factor..reach.endInclusive * gate.factor)
    }
}

internal fun Measurements.figure(side: Operand): Figure? = orZero(side.cell, side.measure, side.operation)

/** [observed]: the left side, or the ratio of both sides. */
internal fun judged(gate: Gate, observed: Figure?, limit: ClosedRange<Double> = gate.factor..gate.factor): GateJudged {
    if (observed == null) return GateJudged(gate.text, null, GateOutcome.NOT_MEASURED)
    return GateJudged(gate.text, observed.estimate, outcome(observed.reach, gate.atLeast, limit), observed.bound)
}

private fun outcome(reach: ClosedRange<Double>?, atLeast: Boolean, limit: ClosedRange<Double>): GateOutcome {
    val above = reach != null && reach.start >= limit.endInclusive
    val below = reach != null && reach.endInclusive <= limit.start
    return when {
        if (atLeast) above else below -> GateOutcome.PASS
        if (atLeast) below else above -> GateOutcome.FAIL
        else -> GateOutcome.UNDECIDED
    }
}
