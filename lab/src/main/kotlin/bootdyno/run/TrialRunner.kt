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
import bootdyno.schedule.ProcessToShare
import bootdyno.schedule.processOf
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
 * [processOf]: the process that a trial shares with others.
 */
class TrialRules(
    val warmUpOf: (Cell) -> WarmUp,
    val seed: Long,
    val diagnoses: (Trial) -> Boolean = { false },
    val measuresStartUp: (Cell) -> Boolean = { true },
    val timeToMove: (Trial) -> Duration? = { null },
    val processOf: (Trial) -> ProcessToShare? = { null },
) {
    constructor(plan: Plan) : this(
        plan::warmUp,
        plan.experiment.repetition.seed,
        plan::diagnoses,
        plan::measuresStartUp,
        plan::timeToMove,
        plan::processOf,
    )
}

/**
 * Runs trials, one at a time. A failure of the subject or the engine becomes a record, not an exception. [openRates]: of the open load after
 * the windows; null for none. [searches]: null without capacity searches. [processLog]: of the output of a process that several trials share. Closing
 * stops the process that the last trial left running for others.
 */
class TrialRunner(
    internal val parts: TrialParts,
    internal val clock: RunClock,
    internal val rules: TrialRules,
    internal val openRates: OpenRates? = null,
    internal val searches: CapacitySearches? = null,
    private val processLog: (Trial) -> Path = { Path.of("subject.log") },
    internal val listener: (RunEvent) -> Unit,
) : AutoCloseable {
    internal val preparing = Preparing(parts, rules.seed)

    private var shared: SharedProcess? = null

    /** Why trials have processes of their own although the plan shares them; null as long as they can be shared. */
    private var notShared: String? = null

    /** [warmAtLeast]: minimum duration of the warm-up. */
    fun run(
        trial: Trial,
        cell: Cell,
        log: Path,
        way: WayToWarm = WayToWarm.FAVOURED,
        warmAtLeast: Duration = Duration.ZERO,
    ): TrialOutcome {
        val planned = rules.processOf(trial)
        if (planned == null || notShared != null) return alone(trial, cell, log, way, warmAtLeast)
        val process = running(planned, trial)
        val outcome = OneTrial(this, trial, cell, log, way, warmAtLeast, process).run()
        notShared = process.refusal
        return if (notShared == null) outcome else alone(trial, cell, log, way, warmAtLeast)
    }

    private fun alone(trial: Trial, cell: Cell, log: Path, way: WayToWarm, warmAtLeast: Duration): TrialOutcome {
        close()
        return OneTrial(this, trial, cell, log, way, warmAtLeast, whyNotShared = notShared).run()
    }

    /** The process of the last trial if it is that of [planned], too, and serves further ones; otherwise a new one. */
    private fun running(planned: ProcessToShare, trial: Trial): SharedProcess {
        val last = shared?.takeIf { it.planned == planned }?.also { it.checkAlive() }?.takeIf { it.subject != null }
        if (last != null) return last
        close()
        return SharedProcess(planned, trial.number, processLog(trial), TrialServices(parts::startService)).also { shared = it }
    }

    override fun close() {
        shared?.close()
        shared = null
    }
}
