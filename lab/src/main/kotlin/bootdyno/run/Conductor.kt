package bootdyno.run

import bootdyno.model.Plan
import bootdyno.model.Trial
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
