package bootdyno.run

import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.Plan
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.WarmUp
import bootdyno.schedule.ProcessToShare
import bootdyno.schedule.processOf
import bootdyno.schedule.timeToMove
import bootdyno.store.TrialOutcome
import java.nio.file.Path
import java.util.Locale
import kotlin.time.Duration

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
 * A [trial] of [cell], whose subject writes to [log]. [warmAtLeast]: minimum duration of its warm-up. [willBeRepeated]: whether a trial that was
 * measured so will be measured again; then only the repetition is diagnosed.
 */
class TrialToRun(
    val trial: Trial,
    val cell: Cell,
    val log: Path,
    val way: WayToWarm = WayToWarm.FAVOURED,
    val warmAtLeast: Duration = Duration.ZERO,
    val willBeRepeated: (TrialFacts) -> Boolean = { false },
)

/**
 * Runs trials, one at a time. A failure of the subject or the engine becomes a record, not an exception. [openRates]: of the open load after
 * the windows; null for none. [searches]: null without capacity searches. [processes]: folder with the logs of processes that several trials
 * share. Closing stops the process that the last trial left running for others.
 */
class TrialRunner(
    internal val parts: TrialParts,
    internal val clock: RunClock,
    internal val rules: TrialRules,
    internal val openRates: OpenRates? = null,
    internal val searches: CapacitySearches? = null,
    private val processes: Path = Path.of("processes"),
    internal val listener: (RunEvent) -> Unit,
) : AutoCloseable {
    internal val preparing = Preparing(parts, rules.seed)

    private var shared: SharedProcess? = null

    /** Why trials have processes of their own although the plan shares them; null as long as they can be shared. */
    private var notShared: String? = null

    fun run(toRun: TrialToRun): TrialOutcome {
        val planned = rules.processOf(toRun.trial).takeIf { notShared == null }
        if (planned == null) close()
        val process = planned?.let { running(it, toRun.trial) }
        val outcome = OneTrial(this, toRun, process, notShared).use { it.run() }
        // A shared process goes on if the trial was measured.
        if (outcome.record.ending != Ending.Measured) process?.close()
        notShared = process?.refusal ?: return outcome
        return run(toRun)
    }

    /** The process of the last trial if it is that of [planned], too, and serves further ones; otherwise a new one. */
    private fun running(planned: ProcessToShare, trial: Trial): SharedProcess {
        val last = shared?.takeIf { it.planned == planned }?.also { it.checkAlive() }?.takeIf { it.subject != null }
        if (last != null) return last
        close()
        val log = processes.resolve("%04d".format(Locale.ROOT, trial.number)).resolve("subject.log")
        return SharedProcess(planned, trial.number, log, TrialServices(parts)).also { shared = it }
    }

    override fun close() {
        shared?.close()
        shared = null
    }
}
