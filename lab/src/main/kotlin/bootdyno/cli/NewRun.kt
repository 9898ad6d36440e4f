package bootdyno.cli

import bootdyno.measure.COLD_ENGINE
import bootdyno.measure.ENGINE_STAYS_COLD
import bootdyno.measure.InputProblem
import bootdyno.measure.OpenedRun
import bootdyno.measure.asInput
import bootdyno.model.Environment
import bootdyno.model.Plan
import bootdyno.model.nounOf
import bootdyno.model.plural
import bootdyno.plan.planText
import bootdyno.probe.environment
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.store.redact
import bootdyno.system.Inherited
import bootdyno.system.onFailure
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.io.path.Path

/** Where run folders go by default. */
internal val RUNS: Path = Path("runs")

/** The machine, as a new run records it. [rounds]: those that it measures; empty: all. [inPod]: its CPUs in a pod of Boot Dyno. */
internal fun environmentOfRun(rounds: List<Int> = emptyList(), inPod: PodCpus? = null): Environment = environment().copy(
    rounds = rounds,
    inheritedVariables = Inherited.BASIC.of().keys.sorted(),
    warnings = listOfNotNull(COLD_ENGINE.takeIf { ENGINE_STAYS_COLD }, inPod?.warning),
)

/** A new folder in [out], with everything but trials. Its name ends in the round if it measures only one. */
internal fun newRun(out: Path, plan: Plan, environment: Environment): OpenedRun = asInput {
    val part = environment.rounds.joinToString("") { "-round$it" }
    val folder = try {
        RunFolder.create(out, plan.experiment.name + part, LocalDateTime.now())
    } catch (refused: RunFolderException) {
        throw InputProblem("${refused.message}\nMake it writable, or choose another folder with --out.")
    }
    onFailure(folder::discard) {
        folder.writePlan(plan, planText(redact(plan)))
        folder.writeEnvironment(environment)
        folder.writeInputs(inputsOf(plan, folder))
        folder.checkWritable(spaceFor(plan))
    }
    OpenedRun(folder, already = emptyList(), fresh = true)
}

/** `6 trials of 2 cells, at most about 3 min`. */
internal fun extent(plan: Plan, rounds: List<Int> = plannedRounds(plan)): String {
    val trials = rounds.sumOf { plan.numbersOf(it).count() }
    val cells = plural(plan.cells.size, nounOf(plan.cells))
    return "${plural(trials, "trial")} of $cells, at most about ${shortTime(expected(plan, rounds))}"
}
