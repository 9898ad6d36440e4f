package bootdyno.cli

import bootdyno.launch.docker.whyNoDocker
import bootdyno.model.Plan
import bootdyno.model.RunPlace

/** Before anything is made or started. */
internal fun refuseWithoutDocker(plan: Plan) {
    if (plan.experiment.place !is RunPlace.Docker) return
    whyNoDocker()?.let { throw InputProblem(it) }
}
