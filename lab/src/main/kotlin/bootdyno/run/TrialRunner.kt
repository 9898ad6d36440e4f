package bootdyno.run

import bootdyno.model.Cell
import bootdyno.model.Diagnosis
import bootdyno.model.LatencyHistograms
import bootdyno.model.Plan
import bootdyno.model.Series
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUp
import bootdyno.model.facts
import bootdyno.schedule.timeToMove
import java.nio.file.Path
import kotlin.time.Duration

/** The record of one trial, and its measurements if it has some. */
data class TrialOutcome(
    val record: TrialRecord,
    val latencies: LatencyHistograms? = null,
    val series: Series = Series(emptyList()),
    val openLatencies: List<LatencyHistograms> = emptyList(),
    val diagnosis: Diagnosis? = null,
) {
    /** As it will be read from the run folder. */
    fun facts(): TrialFacts = TrialFacts(record, latencies?.facts(), series, openLatencies.map { it.facts() }, diagnosis)
}

/**
 * The rules of a plan for its trials. [diagnoses]: whether a diagnosis follows the window. [measuresStartUp]: whether the CPU limit already holds
 * during the start of a cell; otherwise it holds from readiness on. [timeToMove]: the time for changing limits of the subject, see [bootdyno.schedule.timeToMove].
 */
class TrialRules(
    val warmUpOf: (Cell) -> WarmUp,
    val seed: Long,
    val diagnoses: (Trial) -> Boolean = { false },
    val measuresStartUp: (Cell) -> Boolean = { true },
    val timeToMove: (Trial) -> Duration? = { null },
) {
    constructor(plan: Plan) :
        this(plan::warmUp, plan.experiment.repetition.seed, plan::diagnoses, plan::measuresStartUp, plan::timeToMove)
}

/**
 * Runs trials, one at a time. A failure of the subject or the engine becomes a record, not an exception. [openRates]: of the open load after
 * the windows; null for none. [searches]: null without capacity searches.
 */
class TrialRunner(
    internal val parts: TrialParts,
    internal val clock: RunClock,
    internal val rules: TrialRules,
    internal val openRates: OpenRates? = null,
    internal val searches: CapacitySearches? = null,
    internal val listener: (RunEvent) -> Unit,
) {
    internal val preparing = Preparing(parts, rules.seed)

    /** [warmAtLeast]: minimum duration of the warm-up. */
    fun run(
        trial: Trial,
        cell: Cell,
        log: Path,
        way: WayToWarm = WayToWarm.FAVOURED,
        warmAtLeast: Duration = Duration.ZERO,
    ): TrialOutcome = OneTrial(this, trial, cell, log, way, warmAtLeast).run()
}
