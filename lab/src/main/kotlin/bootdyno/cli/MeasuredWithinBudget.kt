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

/**
 * Measures rounds of [plan] until its time budget or its greatest number of rounds, whatever they show. The run folder is in [out].
 * @throws bootdyno.measure.InputProblem if it cannot be measured
 */
fun measuredWithinBudget(plan: Plan, out: Path, say: (String) -> Unit): RunFolder = asInput {
    val run = RunToMeasure { newRun(out, plan, environmentOfRun()) }
    interruptible({ say("Interrupted.") }) { measure(plan, run, LineProgress(say), say) { UntilOutOfTime(it) } }
}

private class UntilOutOfTime(private val folder: RunFolder) : WhenToMeasure {
    override fun reasonToStop() = "There is no time for another round.".takeIf { folder.read().outOfTime }

    override fun reasonToRepeat(trial: TrialFacts) = reasonToRepeat(folder.plan(), trial)
}
