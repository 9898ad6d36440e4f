package bootdyno.analyse

import bootdyno.model.ByWord
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.Measure
import bootdyno.model.RequestCounts
import bootdyno.model.RunFacts
import bootdyno.model.Stage
import bootdyno.model.Tendency
import bootdyno.model.Worded
import bootdyno.stats.Estimate
import bootdyno.stats.median
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlin.math.abs

/** Everything judged about a run; computed again from the run folder whenever it is asked for. */
data class Analysis(
    val run: RunFacts,
    val roundsDone: Int,
    /** In the experiment's order. */
    val cells: List<CellAnalysis>,
    /** Best first, profile after profile (each starts at rank 1); cells that cannot be told apart share a rank. */
    val ranking: List<Rank>,
    val comparisons: List<Comparison>,
    /** The baseline against itself; null where it was not measured twice. */
    val resolution: Comparison?,
    val published: List<FigureJudged>,
    val claims: List<ClaimJudged>,
    val gates: List<GateJudged>,
    /** Reasons to distrust the run as a whole. */
    val threats: List<Threat>,
    val failures: List<TrialFailure>,
    /** Cells along each swept axis. */
    val sweeps: List<Sweep> = emptyList(),
    /** Cells measured both cold and warm. */
    val protocolPairs: List<ProtocolPair> = emptyList(),
    /** Cells asked by several load engines. */
    val engineComparisons: List<EngineComparison> = emptyList(),
    /** What starting and holding each variant costs, where jars are run as something else. */
    val footprints: List<Footprint> = emptyList(),
) {
    /** Cells that did the same work, ranked. */
    val groups: List<RankedGroup> by lazy { rankedGroups(this) }

    fun cell(id: CellId): CellAnalysis? = cells.find { it.cell.id == id }
}

/** What was measured of one cell, over its trials. An estimate is absent where nothing was measured. */
data class CellAnalysis(
    val cell: Cell,
    /** Answered well a second: of a trial total over total, of the cell the geometric mean over trials. */
    val throughput: Estimate?,
    /** Response time from the intended start, ms. */
    val latency: Map<Measure, LatencyEstimate>,
    override val answered: Long,
    override val inFlight: Long,
    override val errors: Map<ErrorCause, Long>,
    val resources: Map<Measure, Estimate>,
    /** The whole response-time distribution, merged over trials. */
    val curve: List<CurvePoint>,
    val threats: List<Threat>,
    val trials: List<TrialFigures>,
    /** Latency below the capacity, ascending by load. */
    val openPoints: List<OpenPoint> = emptyList(),
    /** Requests of a burst that its users never came to ask. */
    val unsent: Long = 0,
    /** From the start of connecting to an open connection, ms; empty where the engine cannot tell, or nothing was opened. */
    val connect: Map<Measure, LatencyEstimate> = emptyMap(),
    val connectCurve: List<CurvePoint> = emptyList(),
    /** Each kind of request, where there are several: the steps of a chain, in their order. Together they are the figures above. */
    val operations: List<OperationAnalysis> = emptyList(),
) : RequestCounts {
    /** The trials that estimates are made of. */
    val counted: List<TrialFigures> get() = trials.filter { it.valid && !it.again }

    /** The one nearest to the cell's mean: of those that count, where any does. */
    val typicalTrial: TrialFigures?
        get() = throughput?.let { mean ->
            counted.ifEmpty { trials.filter { !it.again } }.minByOrNull { abs(it.throughput - mean.value) }
        }

    /** By the number of each trial, how far its throughput is from their median: 0.1 is 10 % above. */
    val fromMedian: Map<Int, Double>
        get() {
            val median = trials.map { it.throughput }.ifEmpty { null }?.let(::median)?.takeIf { it > 0 } ?: return emptyMap()
            return trials.associate { it.number to it.throughput / median - 1 }
        }
}

/** What was measured of one kind of request, over the trials of a cell. */
data class OperationAnalysis(
    val name: String,
    /** Answered well a second. */
    val throughput: Estimate?,
    /** Response time, ms. */
    val latency: Map<Measure, LatencyEstimate>,
    override val answered: Long,
    override val inFlight: Long,
    override val errors: Map<ErrorCause, Long>,
) : RequestCounts

/** [censored]: the truth lies at or beyond the value, because requests were still unanswered; there is no interval then. */
@Serializable(with = InMilliseconds::class)
data class LatencyEstimate(val estimate: Estimate, val censored: Boolean)

/** Response time at [percentile] (0 to 100), ms. */
data class CurvePoint(val percentile: Double, val milliseconds: Double, val censored: Boolean)

/** The figures of one trial, for the dots behind a bar. */
@Serializable
data class TrialFigures(
    val number: Int,
    val round: Int,
    val again: Boolean,
    /** False: kept and shown, but not counted (the generator was the limit, say). */
    val valid: Boolean,
    val throughput: Rounded,
    val latency: Map<
        Measure,
        @Serializable(with = OfTrial::class)
        LatencyEstimate,
        >,
    val resources: Map<Measure, Rounded>,
    val threats: List<Threat>,
    @Transient val operations: List<OperationFigures> = emptyList(),
)

/** Of one kind of request. */
data class OperationFigures(val name: String, val throughput: Double, val latency: Map<Measure, LatencyEstimate>)

@Serializable
data class TrialFailure(
    @SerialName("trial") val number: Int,
    val round: Int,
    val cell: CellId,
    val stage: Stage,
    val reason: String,
    val lastLines: List<String>,
)

@Serializable(with = VerdictByWord::class)
enum class Verdict : Worded { FASTER, SLOWER, EQUIVALENT, UNDECIDED }

internal object VerdictByWord : ByWord<Verdict>(Verdict.entries)

/**
 * What an estimate made of censored percentiles still says. Anything but [EXACT] has no interval and gets no verdict:
 * one cannot be sure of a difference between two bounds.
 */
@Serializable(with = BoundByWord::class)
enum class Bound(val sign: String) : Worded {
    EXACT(""),
    AT_LEAST("≥"),
    AT_MOST("≤"),

    /** A ratio of two bounds, which bounds nothing. */
    UNKNOWN("?"),
}

internal object BoundByWord : ByWord<Bound>(Bound.entries)

/** [candidate] divided by [baseline], from within-round ratios. */
data class Comparison(
    val baseline: CellId,
    val candidate: CellId,
    val measure: Measure,
    val ratio: Estimate,
    /** Null when there is no interval to decide by (a single round, or censored percentiles). Holm-corrected, the interval is not. */
    val verdict: Verdict?,
    /**
     * For undecided: further rounds it would take at today's variance; null where no thousand rounds, or no rounds at all, would
     * do.
     */
    val furtherRounds: Int?,
    /** δ: ratios from 1/(1 + δ) to 1 + δ are no difference. At least 3 %, never below the machine's resolution. */
    val delta: Double = DEFAULT_DELTA,
    val bound: Bound = Bound.EXACT,
    /** The verdict's p after Holm's correction over all comparisons of this measure; null where there is no verdict. */
    val p: Double? = null,
)

/** Differences below 3 % are no reason to choose, whatever their interval. */
const val DEFAULT_DELTA = 0.03

@Serializable
data class Rank(val rank: Int, val tied: Boolean, val cell: CellId)

@Serializable(with = ClaimOutcomeByWord::class)
enum class ClaimOutcome : Worded { REPRODUCED, SAME_DIRECTION, NOT_REPRODUCED, NOT_RUN }

internal object ClaimOutcomeByWord : ByWord<ClaimOutcome>(ClaimOutcome.entries)

/**
 * [measured] is the ratio or the figure the claim speaks of, [cells] those it is of. [published] is null where the source gave no figure
 * but a [tendency].
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
)

/** A published figure beside ours; ratios are to the baseline, published and measured. */
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
enum class GateOutcome : Worded { PASS, FAIL, UNDECIDED }

internal object GateOutcomeByWord : ByWord<GateOutcome>(GateOutcome.entries)

/** [observed] is the ratio of the two sides, or the left side where the right one is a number. */
data class GateJudged(val rule: String, val observed: Estimate?, val outcome: GateOutcome, val bound: Bound = Bound.EXACT)
