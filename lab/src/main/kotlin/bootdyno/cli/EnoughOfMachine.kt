package bootdyno.cli

import bootdyno.explain.shortages
import bootdyno.model.Environment
import bootdyno.model.Plan

/** @throws InputProblem when this machine cannot hold the connections [plan] asks for: nothing is started that can only fail. */
internal fun refuseWhatCannotFit(plan: Plan, environment: Environment) {
    val shortages = shortages(plan, environment)
    if (shortages.isNotEmpty()) throw InputProblem(shortages.joinToString("\n") + "\nnothing was started")
}
