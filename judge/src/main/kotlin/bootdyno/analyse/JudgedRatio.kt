package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.RatioRule
import bootdyno.stats.Spread
import bootdyno.stats.TwoGroups
import kotlin.math.max
import kotlin.math.min

/**
 * What the ratio of a candidate to the other side shows of [measure], from its [spread]. [candidateFails], [otherFails]: this side fails more requests.
 * [closed]: the sides may not be called different. [groupsAround]: see [RatioOfCells.groupsAround].
 */
internal class JudgedRatio(
    private val measure: Measure,
    val spread: Spread,
    private val bound: Bound,
    val test: RatioRule,
    val candidateFails: Boolean,
    val otherFails: Boolean,
    private val closed: Boolean,
    groupsAround: (Double) -> TwoGroups?,
) {
    private val isExact = bound == Bound.EXACT && spread.n >= 2
    private val isDecidable = measure.isDecidedBy(bound) && spread.n >= 2
    private val interval = intervalOf(spread)
    val byInterval: Verdict? = if (isDecidable) verdictOf(spread) else null
    private val moreErrors = isUndone(byInterval)
    val groups: TwoGroups? = if (byInterval.isDifferent) groupsAround(1.0) else null
    val verdict: Verdict? = if (moreErrors || groups != null) Verdict.UNDECIDED else byInterval

    fun comparison(candidate: CellId, other: CellId) = Comparison(
        baseline = other,
        candidate = candidate,
        measure = measure,
        ratio = Estimate(spread.point, interval.takeIf { isExact }, spread.n),
        ofBounds = interval.takeUnless { bound == Bound.EXACT },
        verdict = verdict,
        furtherRounds = null,
        delta = test.zone.tolerance,
        bound = bound,
        p = if (isExact) min(1.0, test.p(spread) * ALPHA / test.alpha) else null,
        matters = byInterval?.matters(interval, test.zone),
        most = mostOf(spread),
        moreErrors = moreErrors,
        groups = groups,
        betweenMachines = spread.between,
    )

    /** Whether the verdict would be another with this spread of the [others], the rounds without one of them. */
    fun changesWith(others: Spread): Boolean = verdictOf(others).let { if (isUndone(it)) Verdict.UNDECIDED else it } != verdict

    private fun isUndone(verdict: Verdict?): Boolean = verdict.isUndoneBy(candidateFails, otherFails, measure)

    private fun mostOf(spread: Spread): Double? = if (isExact) test.most(spread)?.takeIf { it.isFinite() } else null

    private fun intervalOf(spread: Spread): Interval? = test.interval(spread)?.let {
        if (closed) it.copy(low = min(it.low, 1.0), high = max(it.high, 1.0)) else it.beyond(bound)
    }

    private fun verdictOf(spread: Spread): Verdict? =
        intervalOf(spread)?.let { verdictBy(it, mostOf(spread), measure, test.zone, isExact) }
}
