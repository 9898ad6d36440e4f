package bootdyno.analyse

import bootdyno.model.ByWord
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.ResourceUse
import bootdyno.model.TimeUntilAnswered
import bootdyno.model.Worded
import bootdyno.stats.Between
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.RatioRule
import bootdyno.stats.Side
import bootdyno.stats.TwoGroups
import bootdyno.stats.Zone
import bootdyno.stats.sideOfOne
import kotlinx.serialization.Serializable
import kotlin.math.ln

@Serializable(with = VerdictByWord::class)
enum class Verdict : Worded {
    /** Real: the interval excludes 1 on the better side. Whether it matters is said by [Comparison.matters]. */
    FASTER,
    SLOWER,

    /** Differences above ±δ are excluded ([Comparison.most]), whether the interval excludes 1 or not. */
    EQUIVALENT,
    UNDECIDED,
}

internal object VerdictByWord : ByWord<Verdict>(Verdict.entries)

internal val Verdict?.isDifferent: Boolean get() = this == Verdict.FASTER || this == Verdict.SLOWER

/**
 * How exact an estimate is if some percentiles are censored. Only [EXACT] has an interval and a verdict, because two bounds cannot be
 * compared.
 */
@Serializable(with = BoundByWord::class)
enum class Bound(val sign: String) : Worded {
    EXACT(""),
    AT_LEAST("≥"),
    AT_MOST("≤"),

    /** A ratio of two bounds: no information. */
    UNKNOWN("?"),
}

internal object BoundByWord : ByWord<Bound>(Bound.entries)

/** [candidate] divided by [baseline], from within-round ratios. */
data class Comparison(
    val baseline: CellId,
    val candidate: CellId,
    val measure: Measure,
    /** With an interval corrected for the number of comparisons: all intervals of a family hold together with 95 %. */
    val ratio: Estimate,
    /** Null without an interval (a single round, or censored percentiles). */
    val verdict: Verdict?,
    /** For undecided: median number of further rounds until the first verdict, at the current mean and variance; null beyond 200. */
    val furtherRounds: Int?,
    /** δ: ratios from 1/(1 + δ) to 1 + δ do not matter. Declared in the experiment. */
    val delta: Double,
    val bound: Bound = Bound.EXACT,
    /** p-value of "the ratio is 1", corrected for the comparisons and rounds that share its error; null without a verdict. */
    val p: Double? = null,
    /** Whether the interval lies wholly beyond ±δ (true) or within (false); null where it does neither. */
    val matters: Boolean? = null,
    /** The largest difference that is not excluded, in either direction: 0.04 for "no difference above 4 %". Null without an exact interval. */
    val most: Double? = null,
    /** The side that would be faster, or equivalent, fails more requests: the verdict is undecided for this reason alone. */
    val moreErrors: Boolean = false,
    /** Rounds of two kinds, of which only one differs from 1: the verdict is undecided though the interval excludes 1. Null if it is not so. */
    val groups: TwoGroups? = null,
    /** The cell whose share of failed requests is larger by more than 0.1 %; null if none is. */
    val failsMore: CellId? = null,
    /** The verdict would be another without any one of these rounds. */
    val dependsOn: List<Int> = emptyList(),
    /** Of a ratio that is only bounded, the interval of the bounds of its rounds. */
    val ofBounds: Interval? = null,
    /** Under open load at this rate after the windows; null: in the windows. */
    val at: ComparedRate? = null,
    /** How much the ratio differs between machines, on the logarithm; null unless one of several machines measured several rounds. */
    val betweenMachines: Between? = null,
    /** The trimmed mean, which single rounds far off do not move: without the quarter of the rounds at each end, at 95 %. It decides no verdict. */
    val trimmed: Estimate? = null,
) {
    /** Whether the verdict is undecided whatever the interval says. */
    val isUndone: Boolean get() = moreErrors || groups != null

    internal val figure get() = Figure(ratio, bound, ofBounds)

    /** Whether [trimmed] shows a difference and the verdict does not, because single rounds make its interval at least twice as wide. */
    val isHiddenByOutliers: Boolean
        get() {
            val inner = trimmed?.interval?.takeIf { verdict == Verdict.UNDECIDED && !isUndone } ?: return false
            val wide = ratio.interval ?: return false
            return 1.0 !in inner && ln(wide.high / wide.low) >= 2 * ln(inner.high / inner.low)
        }
}

/** A burst that never answered a share took longer than one that did: the bound decides. */
internal fun Measure.isDecidedBy(bound: Bound): Boolean =
    bound == Bound.EXACT || (source is TimeUntilAnswered && bound != Bound.UNKNOWN)

/** What values with this interval may be of which only a [bound] is known. */
internal fun Interval.beyond(bound: Bound): Interval = when (bound) {
    Bound.AT_LEAST -> copy(high = Double.POSITIVE_INFINITY)
    Bound.AT_MOST -> copy(low = 0.0)
    Bound.EXACT, Bound.UNKNOWN -> this
}

/**
 * Whether a verdict does not stand because the [candidate] or the [other] side fails more requests. Requests that fail early make room for others,
 * which makes no side faster or equivalent.
 */
internal fun Verdict?.isUndoneBy(candidate: Boolean, other: Boolean, measure: Measure): Boolean = when (this) {
    Verdict.FASTER -> candidate
    Verdict.SLOWER -> other
    Verdict.EQUIVALENT -> (candidate || other) && measure.source !is ResourceUse
    Verdict.UNDECIDED, null -> false
}

/** Whether the difference matters: no where it is too small, yes where the whole [interval] is beyond the [zone]; else null. */
internal fun Verdict?.matters(interval: Interval?, zone: Zone): Boolean? = when {
    this == Verdict.EQUIVALENT -> false
    interval != null && zone.excludes(interval) -> true
    else -> null
}

/**
 * A small difference is none, however sure it is: [most], the largest difference that is possible ([RatioRule.most]), is looked at first. The
 * interval of a bound, which [isExact] not, shows a difference or nothing: then null.
 */
internal fun verdictBy(interval: Interval, most: Double?, measure: Measure, zone: Zone, isExact: Boolean): Verdict? = when {
    most != null && most <= zone.tolerance -> Verdict.EQUIVALENT
    interval.sideOfOne() == Side.WITHIN -> Verdict.UNDECIDED
    (interval.sideOfOne() == Side.ABOVE) == measure.moreIsBetter -> Verdict.FASTER
    else -> Verdict.SLOWER
}.takeIf { isExact || it.isDifferent }
