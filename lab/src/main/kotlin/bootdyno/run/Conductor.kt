package bootdyno.run

import bootdyno.launch.Awaited
import bootdyno.model.Cell
import bootdyno.model.Plan
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.plan.trialsOfRound
import bootdyno.store.RunFolder
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Runs the trials of a plan round by round, and stores each one when it ends. After the required rounds, [reasonToStop] is called after each
 * round; null continues.
 */
class Conductor(
    private val plan: Plan,
    private val folder: RunFolder,
    private val runTrial: (Trial, Path) -> TrialOutcome,
    private val clock: RunClock,
    private val reasonToStop: (elapsed: Duration) -> String?,
    private val listener: (RunEvent) -> Unit,
) {
    private val protocol = plan.experiment.repetition

    /** Runs every trial that is not in [already]. Only [InterruptedException] ends it early; finished trials are kept. */
    fun run(already: Set<Int>) {
        val began = clock.seconds()
        listener(RunEvent.RunStarted(folder.path, roundOf(1).size * protocol.rounds, already.size))
        for (round in 1..protocol.maxRounds) {
            val trials = roundOf(round)
            if (round > protocol.rounds) listener(RunEvent.RoundAdded(round, trials.size))
            trials.filter { it.number !in already }.forEach(::runOne)
            if (round >= protocol.rounds) {
                val isLast = round == protocol.maxRounds
                val why = if (isLast) "all rounds are done" else reasonToStop((clock.seconds() - began).seconds)
                if (why != null) return listener(RunEvent.RunEnded(why))
            }
        }
    }

    private fun runOne(trial: Trial) {
        if (Thread.interrupted()) throw InterruptedException()
        val cell = plan.cell(trial.cell)
        val began = clock.seconds()
        listener(RunEvent.TrialStarted(trial, cell))
        val draft = folder.begin(trial)
        val outcome = runTrial(trial, draft.subjectLog)
        // Ctrl-C also ends the subject. This is not a failure of the trial.
        if (Thread.interrupted()) throw InterruptedException()
        draft.finish(outcome.record, outcome.latencies, outcome.series, outcome.openLatencies)
        val p99Ms = outcome.latencies?.response?.takeIf { it.totalCount > 0 }?.let { it.getValueAtPercentile(99.0) / 1e6 }
        listener(RunEvent.TrialEnded(trial, cell, outcome.record, p99Ms, clock.seconds() - began))
    }

    private fun roundOf(round: Int): List<Trial> = trialsOfRound(plan, round, plan.numbersOf(round).first)
}

/** Progress of a run, for listeners. Results are not taken from here. */
sealed interface RunEvent {
    /** [trials]: those of the required rounds; [already] of them are finished. */
    data class RunStarted(val folder: Path, val trials: Int, val already: Int) : RunEvent

    data class TrialStarted(val trial: Trial, val cell: Cell) : RunEvent

    data class StageEntered(val trial: Trial, val stage: Stage) : RunEvent

    /** [who], the subject or a service, is not ready yet; about once per second. */
    data class Waiting(val trial: Trial, val who: String, val awaited: Awaited) : RunEvent

    /** One second of load: successful responses, and their p99 in ms if there were any. */
    data class Second(val trial: Trial, val stage: Stage, val perSecond: Double, val p99Ms: Double?) : RunEvent

    data class TrialEnded(val trial: Trial, val cell: Cell, val record: TrialRecord, val p99Ms: Double?, val seconds: Double) :
        RunEvent

    /** Adaptive stopping adds a round of [trials] trials. */
    data class RoundAdded(val round: Int, val trials: Int) : RunEvent

    data class RunEnded(val why: String) : RunEvent
}
