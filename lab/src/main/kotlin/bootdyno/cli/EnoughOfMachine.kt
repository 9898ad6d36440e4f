package bootdyno.cli

import bootdyno.explain.shortages
import bootdyno.model.Bytes
import bootdyno.model.Environment
import bootdyno.model.Plan

/** Logs, histograms and series of a trial stay below this. */
private const val BYTES_A_TRIAL = Bytes.MIB

/** What the run folder of [plan] may take. */
internal fun spaceFor(plan: Plan) = Bytes(plan.cells.size * plan.experiment.repetition.rounds * BYTES_A_TRIAL)

/** @throws InputProblem when this machine cannot hold the connections [plan] asks for: nothing is started that can only fail. */
internal fun refuseWhatCannotFit(plan: Plan, environment: Environment) {
    val shortages = shortages(plan, environment)
    if (shortages.isNotEmpty()) throw InputProblem(shortages.joinToString("\n") + "\nnothing was started")
}
