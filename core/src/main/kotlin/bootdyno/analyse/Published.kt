package bootdyno.analyse

import bootdyno.model.Assertion
import bootdyno.model.Claim
import bootdyno.model.PublishedFigure
import bootdyno.model.Tendency
import bootdyno.stats.Side
import bootdyno.stats.Zone

/** Default tolerance of published figures. */
private const val DEFAULT_TOLERANCE = 0.10

/**
 * Compares published figures with measured ones. Because hardware differs, ratios to the baseline are compared. Exceptions: the
 * baseline's own figures, figures without a published baseline, and figures of 0.
 */
internal fun figuresJudged(measured: Measurements): List<FigureJudged> {
    val all = measured.run.plan.experiment.published
    return all.map { published ->
        val baseline = measured.run.plan.cells.find { it.id == published.cell }?.let { measured.baselineOf(it) }?.id
        val reference = all.find {
            it.cell == baseline && it.cell != published.cell && it.measure == published.measure &&
                it.operation == published.operation && it.source == published.source && it.value > 0 && published.value > 0
        }
        judged(published, reference, measured)
    }
}

private fun judged(published: PublishedFigure, reference: PublishedFigure?, measured: Measurements): FigureJudged {
    val operation = published.operation
    val figure = measured.figure(published.cell, published.measure, operation)
    val ratio = reference?.let { measured.ratio(published.cell, it.cell, published.measure, operation)?.figure }
    val publishedRatio = reference?.let { published.value / it.value }
    return FigureJudged(
        cell = published.cell,
        measure = published.measure,
        source = published.source,
        published = published.value,
        measured = figure?.estimate,
        publishedRatio = publishedRatio,
        measuredRatio = ratio?.estimate,
        outcome = if (publishedRatio == null) {
            absoluteOutcome(published.value, figure, DEFAULT_TOLERANCE)
        } else {
            ratioOutcome(publishedRatio, ratio, DEFAULT_TOLERANCE, zoneOf(measured, published.measure, published.cell, operation))
        },
        bound = figure?.bound ?: Bound.EXACT,
        ratioBound = ratio?.bound ?: Bound.EXACT,
        operation = operation,
    )
}

internal fun claimsJudged(measured: Measurements): List<ClaimJudged> = measured.run.plan.experiment.claims.map { claim ->
    when (val assertion = claim.assertion) {
        is Assertion.Ratio -> {
            val ratio = measured.ratio(assertion.candidate, assertion.baseline, assertion.measure, assertion.operation)?.figure
            val zone = zoneOf(measured, assertion.measure, assertion.candidate, assertion.operation)
            claim.judged(assertion.published, ratio, ratioOutcome(assertion.published, ratio, claim.tolerance, zone))
        }

        is Assertion.Figure -> {
            val figure = measured.figure(assertion.cell, assertion.measure, assertion.operation)
            claim.judged(assertion.published, figure, absoluteOutcome(assertion.published, figure, claim.tolerance))
        }

        is Assertion.Difference -> {
            val ratio = measured.ratio(assertion.candidate, assertion.baseline, assertion.measure, assertion.operation)?.figure
            val zone = zoneOf(measured, assertion.measure, assertion.candidate, assertion.operation)
            claim.judged(null, ratio, differenceOutcome(assertion.tendency, ratio, zone)).copy(tendency = assertion.tendency)
        }
    }
}

private fun Claim.judged(published: Double?, figure: Figure?, outcome: ClaimOutcome) =
    ClaimJudged(text, source, published, figure?.estimate, outcome, figure?.bound ?: Bound.EXACT, cells)

/**
 * Reproduced: [published] lies in our interval, widened by [tolerance] (without an interval: our point). Same direction: both ratios lie
 * beyond ±δ on the same side of 1, and our interval does not contain 1. A censored ratio can only agree or disagree in direction; a bound
 * that allows either counts as not run.
 */
internal fun ratioOutcome(published: Double, ratio: Figure?, tolerance: Double, zone: Zone): ClaimOutcome {
    if (ratio == null || ratio.bound == Bound.UNKNOWN) return ClaimOutcome.NOT_RUN
    val side = zone.sideOf(ratio.estimate.value)
    val sure = ratio.reach?.let { 1.0 !in it } ?: true
    val agrees = side != Side.WITHIN && side == zone.sideOf(published) && sure
    return when {
        ratio.bound == Bound.EXACT && published in widened(ratio, tolerance) -> ClaimOutcome.REPRODUCED
        agrees -> ClaimOutcome.SAME_DIRECTION
        ratio.bound == Bound.EXACT || published !in widened(ratio, tolerance) -> ClaimOutcome.NOT_REPRODUCED
        else -> ClaimOutcome.NOT_RUN
    }
}

/**
 * For claims without a figure. Reproduced: our ratio lies beyond ±δ on the claimed side, and its interval does not contain 1. A bound on the
 * wrong side of 1 decides nothing.
 */
internal fun differenceOutcome(tendency: Tendency, ratio: Figure?, zone: Zone): ClaimOutcome {
    if (ratio == null || ratio.bound == Bound.UNKNOWN) return ClaimOutcome.NOT_RUN
    val said = if (tendency == Tendency.MORE) Side.ABOVE else Side.BELOW
    val agrees = zone.sideOf(ratio.estimate.value) == said
    val sure = ratio.reach?.let { 1.0 !in it } ?: true
    val open = ratio.bound != Bound.EXACT && ratio.reach?.let { 1.0 in it } ?: false
    return when {
        agrees && sure -> ClaimOutcome.REPRODUCED
        open -> ClaimOutcome.NOT_RUN
        else -> ClaimOutcome.NOT_REPRODUCED
    }
}

/** An absolute figure has no direction: reproduced or not. A bound never reproduces it. */
internal fun absoluteOutcome(published: Double, figure: Figure?, tolerance: Double): ClaimOutcome = when {
    figure == null || figure.bound == Bound.UNKNOWN -> ClaimOutcome.NOT_RUN
    published !in widened(figure, tolerance) -> ClaimOutcome.NOT_REPRODUCED
    figure.bound == Bound.EXACT -> ClaimOutcome.REPRODUCED
    else -> ClaimOutcome.NOT_RUN
}

private fun widened(figure: Figure, tolerance: Double): ClosedRange<Double> {
    val reach = figure.reach ?: figure.estimate.value..figure.estimate.value
    return reach.start * (1 - tolerance)..reach.endInclusive * (1 + tolerance)
}
