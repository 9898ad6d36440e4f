package bootdyno.cli

import bootdyno.analyse.reasonToRepeat
import bootdyno.measure.RunToMeasure
import bootdyno.measure.asInput
import bootdyno.measure.interruptible
import bootdyno.measure.measure
import bootdyno.model.Plan
import bootdyno.model.TrialFacts
import bootdyno.run.WhenToMeasure
import bootdyno.store.RunFolder
import java.nio.file.Path
import kotlin.time.Duration

/**
 * Measures rounds of [plan] for [time], whatever they show: at least its rounds, at most its greatest number of rounds. The run folder is in [out].
 * @throws bootdyno.measure.InputProblem if it cannot be measured
 */
fun measuredFor(time: Duration, plan: Plan, out: Path, say: (String) -> Unit): RunFolder = asInput {
    val run = RunToMeasure { newRun(out, plan, environmentOfRun()) }
    interruptible({ say("Interrupted.") }) { measure(plan, run, LineProgress(say), say) { UntilTime(plan, time) } }
}

/** Ends a run where [time] leaves none for another round. Owned by the measuring thread. */
internal class UntilTime(private val plan: Plan, private val time: Duration) : WhenToMeasure {
    private var rounds = plan.experiment.repetition.rounds - 1

    override fun reasonToStop(elapsed: Duration, aRound: Duration): String? {
        rounds++
        return "$rounds rounds in ${shortTime(elapsed)}: no time for another".takeIf { elapsed + aRound > time }
    }

    override fun reasonToRepeat(trial: TrialFacts) = reasonToRepeat(plan, trial)
}
