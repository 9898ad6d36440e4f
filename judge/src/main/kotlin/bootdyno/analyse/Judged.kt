package bootdyno.analyse

import bootdyno.model.ByWord
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Tendency
import bootdyno.model.Worded
import bootdyno.stats.Estimate
import kotlinx.serialization.Serializable

@Serializable(with = ClaimOutcomeByWord::class)
enum class ClaimOutcome : Worded {
    REPRODUCED,
    SAME_DIRECTION,
    NOT_REPRODUCED,

    /** The interval allows both. */
    UNDECIDED,

    /** One round has no interval. */
    INDICATIVE,

    /** A figure of other hardware: shown beside ours. */
    NO_VERDICT,
    NOT_RUN,
}

internal object ClaimOutcomeByWord : ByWord<ClaimOutcome>(ClaimOutcome.entries)

/**
 * [measured]: the ratio or figure of the claim. [cells]: its cells. [published]: null where the source gives only a [tendency]. [moreErrors]:
 * undecided only because a side fails more requests. [twoGroups]: undecided because rounds form two groups.
 */
data class ClaimJudged(
    val text: String,
    val source: String,
    val published: Double?,
    val measured: Estimate?,
    val outcome: ClaimOutcome,
    val bound: Bound = Bound.EXACT,
    val cells: List<CellId> = emptyList(),
    val tendency: Tendency? = null,
    val isRatio: Boolean = true,
    val moreErrors: Boolean = false,
    val twoGroups: Boolean = false,
) {
    /** The share of the published effect that was measured: 0.05 where + 122 % was published and + 6 % measured. */
    val effect: Double?
        get() {
            if (published == null || measured == null) return null
            return ((measured.value - 1) / (published - 1)).takeIf { isRatio && it.isFinite() }
        }
}

/** A published figure and the measured one; ratios are to the published and the measured baseline. */
data class FigureJudged(
    val cell: CellId,
    val measure: Measure,
    val source: String,
    val published: Double,
    val measured: Estimate?,
    val publishedRatio: Double?,
    val measuredRatio: Estimate?,
    val outcome: ClaimOutcome,
    /** Of [measured], and of [measuredRatio]. */
    val bound: Bound = Bound.EXACT,
    val ratioBound: Bound = Bound.EXACT,
    /** Null: of all requests. */
    val operation: String? = null,
)

@Serializable(with = GateOutcomeByWord::class)
enum class GateOutcome : Worded {
    PASS,
    FAIL,
    UNDECIDED,

    /** A side has no figure: no valid trial measured it. */
    NOT_MEASURED,
}

internal object GateOutcomeByWord : ByWord<GateOutcome>(GateOutcome.entries)

/**
 * [observed]: the ratio of the two sides, or the left side if the right side is a number. [moreErrors]: the cell that the rule favours fails more
 * requests than the other one, so that it cannot pass. [twoGroups]: only one of two groups of rounds is on that side of the limit, so that it is
 * undecided.
 */
data class GateJudged(
    val rule: String,
    val observed: Estimate?,
    val outcome: GateOutcome,
    val bound: Bound = Bound.EXACT,
    val moreErrors: Boolean = false,
    val twoGroups: Boolean = false,
)
