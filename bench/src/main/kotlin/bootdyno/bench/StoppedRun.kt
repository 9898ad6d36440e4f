package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.analyse.analyse
import bootdyno.analyse.reasonToStop
import bootdyno.analyse.settledCells
import bootdyno.model.Ending
import bootdyno.model.TrialFacts
import java.util.Random

/** What a simulated run gave when its rules ended it. [trials] of all that the same number of whole rounds would have taken. */
internal class StoppedRun(val analysis: Analysis, val rounds: Int, val trials: Int)

/**
 * Runs of [all] rounds, ended as a preset ends them: cells leave the rounds when they are settled, and the run ends when nothing is open, or after
 * [inBudget] rounds, whatever they show.
 */
internal fun stopped(all: SimulatedRuns, random: Random, inBudget: Int): StoppedRun {
    val whole = all.run(random)
    val byRound = whole.trials.groupBy { it.record.trial.round }.toSortedMap()
    val planned = whole.plan.experiment.repetition.rounds
    val trials = mutableListOf<TrialFacts>()
    var now = whole.copy(trials = emptyList())
    for ((round, ofRound) in byRound) {
        val settled = if (round > planned) settledCells(now) else emptySet()
        trials += ofRound.map { if (it.record.trial.cell in settled) it.notRun() else it }
        now = whole.copy(trials = trials.toList(), outOfTime = round >= inBudget)
        if (round >= planned && reasonToStop(now) != null) break
    }
    val rounds = trials.maxOf { it.record.trial.round }
    return StoppedRun(analyse(now, forecasts = false), rounds, trials.count { it.record.ending == Ending.Measured })
}

private fun TrialFacts.notRun() = copy(record = record.copy(ending = Ending.NotRun("Settled.")), latencies = null)
