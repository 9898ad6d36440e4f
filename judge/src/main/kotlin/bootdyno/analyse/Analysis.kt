package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.Measure
import bootdyno.model.RequestCounts
import bootdyno.model.RunFacts
import bootdyno.model.Stage
import bootdyno.stats.CensoredValue
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.median
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.math.abs

/** The results of a run; always computed from the run folder. */
data class Analysis(
    val run: RunFacts,
    val roundsDone: Int,
    /** In the experiment's order. */
    val cells: List<CellAnalysis>,
    /** Best first, work after work (each starts at rank 1); cells that cannot be told apart share a rank. */
    val ranking: List<Rank>,
    val comparisons: List<Comparison>,
    /** A/A comparison of the baseline, a check for bias; null where it was not measured twice. */
    val resolution: Comparison?,
    /**
     * By number of rounds, the difference from the baseline that 80 % of runs on this machine find. The noise is that of the baseline against itself.
     * Of the rounds done, and of those that find 2 %.
     */
    val resolved: Map<Int, Double>,
    val published: List<FigureJudged>,
    val claims: List<ClaimJudged>,
    val gates: List<GateJudged>,
    /** Reasons to distrust the run as a whole. */
    val threats: List<Threat>,
    val failures: List<TrialFailure>,
    /** Cells along each swept axis. */
    val sweeps: List<Sweep> = emptyList(),
    /** Pairs of one cell with and without warm-up. */
    val protocolPairs: List<ProtocolPair> = emptyList(),
    /** Cells measured by several load engines: of each, the sides. */
    val engineComparisons: List<List<EngineSide>> = emptyList(),
    /** Costs of starting and running each variant; empty unless some variant needs a preparation. */
    val footprints: List<Footprint> = emptyList(),
    /** Measured trials that do not count, because a repetition does. */
    val repeated: List<RepeatedTrial> = emptyList(),
    /** What the predicted change did; null without a prediction. */
    val confirmation: Confirmation? = null,
    /** Figures of each machine of a run merged from rounds of several; empty for a run on one machine. */
    val machines: List<MachineAnalysis> = emptyList(),
) {
    /** Cells with the same work, ranked. */
    val groups: List<RankedGroup> by lazy { rankedGroups(this) }

    fun cell(id: CellId): CellAnalysis? = cells.find { it.cell.id == id }
}

/** The results of one cell over its trials. Estimates without data are absent. */
data class CellAnalysis(
    val cell: Cell,
    /** Successful responses per second. A trial: total count / total time; the cell: geometric mean over trials. */
    val throughput: Estimate?,
    /** Response time from the intended send time, ms. */
    val latency: Map<Measure, LatencyEstimate>,
    override val answered: Long,
    override val inFlight: Long,
    override val errors: Map<ErrorCause, Long>,
    val resources: Map<Measure, Estimate>,
    /** Response-time distribution of all trials together. */
    val curve: List<CurvePoint>,
    val threats: List<Threat>,
    val trials: List<TrialFigures>,
    /** Latency below the capacity, ascending by load. */
    val openPoints: List<OpenPoint> = emptyList(),
    /** Requests of a burst that were never sent. */
    val unsent: Long = 0,
    /** Time to open a connection, ms; empty where the engine does not measure it, or none was opened. */
    val connect: Map<Measure, LatencyEstimate> = emptyMap(),
    val connectCurve: List<CurvePoint> = emptyList(),
    /** One entry per step of a chain, or per kind of request; empty for a single kind. */
    val operations: List<OperationAnalysis> = emptyList(),
    /** Seconds until shares of a burst were answered; empty for other loads. */
    val burst: Map<Measure, LatencyEstimate> = emptyMap(),
    /** Null if all counted trials were in a steady state, or cold on purpose. */
    val unsteady: Unsteady? = null,
    /** Requests per second that meet the objective of the experiment; null without a search, and if no tried rate meets it. */
    val capacity: LatencyEstimate? = null,
    /** The rates that capacity searches tried, ascending. */
    val capacitySteps: List<CapacityStep> = emptyList(),
    /** Details of failed requests, see [bootdyno.model.LoadFound.failures]. */
    val failures: Map<String, Long> = emptyMap(),
    /** The commonest line of the application's log that reports an error; null without failed requests. */
    val errorLogged: String? = null,
) : RequestCounts {
    /** The trials that estimates are computed from. */
    val counted: List<TrialFigures> get() = trials.filter { it.valid }

    /** Whether it has trials, and none of them is valid: it has no figures then. A capacity was searched after windows, which may be invalid. */
    val isUncounted: Boolean get() = trials.isNotEmpty() && counted.isEmpty() && capacity == null

    /** Whether it was measured, and no request succeeded: no failure of a trial, but no success either. */
    val answeredNothing: Boolean get() = counted.isNotEmpty() && answered == 0L

    /** What it serves, if it answers the other requests with a status that refuses. */
    val refuses: String? get() = throughput?.let { refusing(answered, errors, failures, it.value) }

    /** The trial nearest to the cell's mean, among counted trials if there are any. */
    val typicalTrial: TrialFigures?
        get() = throughput?.let { mean ->
            counted.ifEmpty { trials.filter { !it.again } }.minByOrNull { abs(it.throughput - mean.value) }
        }

    /** Deviation of each trial's throughput from the median, by trial number: 0.1 is 10 % above. */
    val fromMedian: Map<Int, Double>
        get() {
            val median = trials.map { it.throughput }.ifEmpty { null }?.let(::median)?.takeIf { it > 0 } ?: return emptyMap()
            return trials.associate { it.number to it.throughput / median - 1 }
        }
}

/** The results of one kind of request over the trials of a cell. */
data class OperationAnalysis(
    val name: String,
    /** Successful responses per second. */
    val throughput: Estimate?,
    /** Response time, ms. */
    val latency: Map<Measure, LatencyEstimate>,
    override val answered: Long,
    override val inFlight: Long,
    override val errors: Map<ErrorCause, Long>,
) : RequestCounts

/** [censored]: a lower bound without an interval, because some requests had no response. In ms, and in seconds for bursts. [ofBounds]: see [Figure]. */
data class LatencyEstimate(val estimate: Estimate, val censored: Boolean, val ofBounds: Interval? = null)

/** Response time at [percentile] (0 to 100), ms. */
data class CurvePoint(val percentile: Double, val milliseconds: Double, val censored: Boolean)

/** The figures of one trial, for the dots behind a bar. */
data class TrialFigures(
    val number: Int,
    val round: Int,
    val again: Boolean,
    /** False: shown but not counted, for example because the generator was the bottleneck. */
    val valid: Boolean,
    val throughput: Double,
    val latency: Map<Measure, CensoredValue>,
    val resources: Map<Measure, Double>,
    val threats: List<Threat>,
    /** Seconds until shares of a burst were answered. */
    val burst: Map<Measure, CensoredValue> = emptyMap(),
    val operations: List<OperationFigures> = emptyList(),
)

/** Results of one kind of request. */
data class OperationFigures(val name: String, val throughput: Double, val latency: Map<Measure, CensoredValue>)

@Serializable
data class TrialFailure(
    @SerialName("trial") val number: Int,
    val round: Int,
    val cell: CellId,
    val stage: Stage,
    val reason: String,
    val lastLines: List<String>,
)

/** [letters]: two cells of the same work share one exactly if neither is shown to be faster. [mayBeBest]: no cell is shown to be faster than this one. */
@Serializable
data class Rank(val letters: String, val mayBeBest: Boolean, val cell: CellId)
