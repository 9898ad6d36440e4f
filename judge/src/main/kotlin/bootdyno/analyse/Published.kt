package bootdyno.analyse

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Measure
import bootdyno.model.PublishedFigure
import bootdyno.model.ResourceUse
import bootdyno.model.Tendency
import bootdyno.stats.Interval
import bootdyno.stats.Side
import bootdyno.stats.Zone
import bootdyno.stats.sideOfOne
import kotlin.math.max

/** How far from a printed figure ours may lie and still be called reproduced, where the experiment does not declare it. */
private const val DEFAULT_TOLERANCE = 0.10

/**
 * Each published figure beside ours. Hardware differs, so ratios to the published baseline are compared. The baseline's own row, a row
 * without a printed baseline, and a figure of 0 are compared as they stand.
 */
internal fun figuresJudged(measured: Measurements, comparisons: Comparisons): List<FigureJudged> =
    measured.run.plan.experiment.published.map { judged(it, measured.referenceOf(it), measured, comparisons) }

/** What [published] is divided by: the published figure of its baseline; null where it is compared as it stands. */
internal fun Measurements.referenceOf(published: PublishedFigure): PublishedFigure? {
    val baseline = run.plan.cells.find { it.id == published.cell }?.let { baselineOf(it) }?.id
    return run.plan.experiment.published.find {
        it.cell == baseline && it.cell != published.cell && it.measure == published.measure &&
            it.operation == published.operation && it.source == published.source && it.value > 0 && published.value > 0
    }
}

private fun judged(
    published: PublishedFigure,
    reference: PublishedFigure?,
    measured: Measurements,
    comparisons: Comparisons,
): FigureJudged {
    val figure = measured.figure(published.cell, published.measure, published.operation)
    val ratio = reference?.let { comparisons.between(published.cell, it.cell, published.measure, published.operation) }
    val publishedRatio = reference?.let { published.value / it.value }
    return FigureJudged(
        cell = published.cell,
        measure = published.measure,
        source = published.source,
        published = published.value,
        measured = figure?.estimate,
        publishedRatio = publishedRatio,
        measuredRatio = ratio?.ratio,
        outcome = if (publishedRatio == null) {
            absoluteOutcome(published.value, figure, DEFAULT_TOLERANCE, measured.isFixed(published.cell, published.measure))
        } else {
            ratioOutcome(publishedRatio, ratio, DEFAULT_TOLERANCE)
        },
        bound = figure?.bound ?: Bound.EXACT,
        ratioBound = ratio?.bound ?: Bound.EXACT,
        operation = published.operation,
    )
}

internal fun claimsJudged(measured: Measurements, comparisons: Comparisons): List<ClaimJudged> =
    measured.run.plan.experiment.claims.map { claim ->
        when (val assertion = claim.assertion) {
            is Assertion.Ratio -> {
                val ratio = comparisons.between(assertion.candidate, assertion.baseline, assertion.measure, assertion.operation)
                claim.judged(assertion.published, ratio, ratioOutcome(assertion.published, ratio, claim.tolerance))
            }

            is Assertion.Figure -> {
                val figure = measured.figure(assertion.cell, assertion.measure, assertion.operation)
                val isFixed = measured.isFixed(assertion.cell, assertion.measure)
                claim.judged(assertion.published, figure, absoluteOutcome(assertion.published, figure, claim.tolerance, isFixed))
                    .copy(isRatio = false)
            }

            is Assertion.Difference -> {
                val ratio = comparisons.between(assertion.candidate, assertion.baseline, assertion.measure, assertion.operation)
                claim.judged(null, ratio, differenceOutcome(assertion.tendency, ratio))
                    .copy(tendency = assertion.tendency)
            }
        }
    }

private fun Claim.judged(published: Double?, ratio: Comparison?, outcome: ClaimOutcome): ClaimJudged {
    val isOpen = outcome == ClaimOutcome.UNDECIDED
    val differs = ratio?.figure?.reach?.contains(1.0) == false
    return judged(published, ratio?.figure, outcome)
        .copy(moreErrors = isOpen && differs && ratio.failsMore != null, twoGroups = isOpen && ratio?.groups != null)
}

private fun Claim.judged(published: Double?, figure: Figure?, outcome: ClaimOutcome) =
    ClaimJudged(text, source, published, figure?.estimate, outcome, figure?.bound ?: Bound.EXACT, cells)

/** A request that waits a stated time has a throughput and a response time that arithmetic gives, on any hardware. */
private fun Measurements.isFixed(cell: CellId, measure: Measure): Boolean =
    measure.source !is ResourceUse && run.plan.cells.find { it.id == cell }?.workload?.holds != null

/**
 * Reproduced: the interval excludes 1 on the published side, contains a value within [tolerance] of [published], and is narrower than the
 * published effect. Same direction: it excludes 1 on that side, and all such values. Not reproduced: it excludes those values, or 1 on the
 * other side. Of one round, indicative. A published ratio within ±δ is reproduced by an interval within tolerance of it. A censored ratio
 * reproduces nothing: its bound may agree in direction or contradict. A verdict that does not stand ([Comparison.isUndone]) leaves it undecided.
 */
internal fun ratioOutcome(published: Double, ratio: Comparison?, tolerance: Double): ClaimOutcome {
    if (ratio == null) return ClaimOutcome.NOT_RUN
    if (ratio.ratio.n < 2) return ClaimOutcome.INDICATIVE
    val zone = Zone(ratio.delta)
    val near = Interval(published * (1 - tolerance), published * (1 + tolerance))
    val claimed = zone.sideOf(published)
    if (ratio.isUndone || (claimed == Side.WITHIN && ratio.failsMore != null)) return ClaimOutcome.UNDECIDED
    val isHelped = ratio.failsMore == ratio.betterBy(if (claimed == Side.ABOVE) Side.BELOW else Side.ABOVE)
    if (ratio.bound != Bound.EXACT) {
        val outcome = boundOutcome(claimed, near, ratio.figure)
        val failing = if (outcome == ClaimOutcome.SAME_DIRECTION) ratio.failsMore == ratio.betterBy(claimed) else isHelped
        return if (failing) ClaimOutcome.UNDECIDED else outcome
    }
    val interval = ratio.ratio.interval ?: return ClaimOutcome.UNDECIDED
    val side = interval.sideOfOne()
    val meets = interval.low <= near.high && interval.high >= near.low
    return when {
        claimed == Side.WITHIN && interval.low >= near.low && interval.high <= near.high -> ClaimOutcome.REPRODUCED

        !meets && side == claimed && !zone.contains(interval) -> ClaimOutcome.SAME_DIRECTION

        // Requests that fail early made room for the side that was published to be worse.
        !meets && isHelped -> ClaimOutcome.UNDECIDED

        !meets || (side != Side.WITHIN && side != claimed && claimed != Side.WITHIN) -> ClaimOutcome.NOT_REPRODUCED

        side == claimed && claimed != Side.WITHIN && interval.factor < max(published, 1 / published) -> ClaimOutcome.REPRODUCED

        else -> ClaimOutcome.UNDECIDED
    }
}

/** The cell that a ratio on this [side] of 1 shows to be better. If it fails more requests, it may be so for this reason. */
private fun Comparison.betterBy(side: Side): CellId = if ((side == Side.ABOVE) == measure.moreIsBetter) candidate else baseline

private val Interval.factor get() = if (low > 0) high / low else Double.POSITIVE_INFINITY

private fun boundOutcome(claimed: Side, near: Interval, ratio: Figure): ClaimOutcome {
    val reach = ratio.reach ?: return ClaimOutcome.UNDECIDED
    val meets = reach.start <= near.high && reach.endInclusive >= near.low
    val agrees = (claimed == Side.ABOVE && reach.start > 1) || (claimed == Side.BELOW && reach.endInclusive < 1)
    return when {
        agrees -> ClaimOutcome.SAME_DIRECTION
        meets -> ClaimOutcome.UNDECIDED
        else -> ClaimOutcome.NOT_REPRODUCED
    }
}

/** More or less is all that was said: reproduced when the interval excludes 1 on that side, unless it lies within ±δ. */
internal fun differenceOutcome(tendency: Tendency, ratio: Comparison?): ClaimOutcome {
    val claimed = if (tendency == Tendency.MORE) Side.ABOVE else Side.BELOW
    if (ratio == null) return ClaimOutcome.NOT_RUN
    if (ratio.ratio.n < 2) return ClaimOutcome.INDICATIVE
    val reach = ratio.figure.reach?.takeUnless { ratio.isUndone }?.let { Interval(it.start, it.endInclusive) }
    return when {
        reach == null -> ClaimOutcome.UNDECIDED
        Zone(ratio.delta).contains(reach) -> ClaimOutcome.NOT_REPRODUCED
        ratio.failsMore == ratio.betterBy(reach.sideOfOne()) -> ClaimOutcome.UNDECIDED
        reach.sideOfOne() == claimed -> ClaimOutcome.REPRODUCED
        reach.sideOfOne() == Side.WITHIN -> ClaimOutcome.UNDECIDED
        else -> ClaimOutcome.NOT_REPRODUCED
    }
}

/**
 * A figure of other hardware has no verdict, unless arithmetic fixes it ([isFixed]). Then it is reproduced by an interval within
 * [tolerance] of it, not reproduced by one that lies outside.
 */
internal fun absoluteOutcome(published: Double, figure: Figure?, tolerance: Double, isFixed: Boolean): ClaimOutcome {
    if (figure == null) return ClaimOutcome.NOT_RUN
    if (!isFixed) return ClaimOutcome.NO_VERDICT
    val reach = figure.reach ?: return if (figure.estimate.n == 1) ClaimOutcome.INDICATIVE else ClaimOutcome.UNDECIDED
    val near = published * (1 - tolerance)..published * (1 + tolerance)
    return when {
        reach.start > near.endInclusive || reach.endInclusive < near.start -> ClaimOutcome.NOT_REPRODUCED
        reach.start in near && reach.endInclusive in near -> ClaimOutcome.REPRODUCED
        else -> ClaimOutcome.UNDECIDED
    }
}
