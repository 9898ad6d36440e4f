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
 * Goes through the rounds of a plan, one trial at a time, and writes each down as soon as it ends. [reasonToStop] is asked after each round
 * beyond the required ones; null goes on.
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

    /** Runs every trial not in [already]; ends early only by [InterruptedException], with every finished trial kept. */
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
        // Ctrl-C reaches the subject as well as us: its death is then no failure of the trial.
        if (Thread.interrupted()) throw InterruptedException()
        draft.finish(outcome.record, outcome.latencies, outcome.series, outcome.openLatencies)
        val p99Ms = outcome.latencies?.response?.takeIf { it.totalCount > 0 }?.let { it.getValueAtPercentile(99.0) / 1e6 }
        listener(RunEvent.TrialEnded(trial, cell, outcome.record, p99Ms, clock.seconds() - began))
    }

    private fun roundOf(round: Int): List<Trial> = trialsOfRound(plan, round, plan.numbersOf(round).first)
}

/** What a run tells its listeners while it goes on. The record of what was measured never comes from here. */
sealed interface RunEvent {
    /** [trials] are those of the rounds that will certainly run; [already] of them an earlier run finished. */
    data class RunStarted(val folder: Path, val trials: Int, val already: Int) : RunEvent

    data class TrialStarted(val trial: Trial, val cell: Cell) : RunEvent

    data class StageEntered(val trial: Trial, val stage: Stage) : RunEvent

    /** [who], the subject or a service of the trial, has not started yet; about once a second. */
    data class Waiting(val trial: Trial, val who: String, val awaited: Awaited) : RunEvent

    /** One second of load: requests answered in it, and their p99 in ms if there were any. */
    data class Second(val trial: Trial, val stage: Stage, val perSecond: Double, val p99Ms: Double?) : RunEvent

    data class TrialEnded(val trial: Trial, val cell: Cell, val record: TrialRecord, val p99Ms: Double?, val seconds: Double) :
        RunEvent

    /** Adaptive stopping wants another round of [trials] trials. */
    data class RoundAdded(val round: Int, val trials: Int) : RunEvent

    data class RunEnded(val why: String) : RunEvent
}
