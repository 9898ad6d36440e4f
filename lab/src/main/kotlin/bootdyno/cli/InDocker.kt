package bootdyno.cli

import bootdyno.launch.docker.whyNoDocker
import bootdyno.model.Database
import bootdyno.model.Plan
import bootdyno.model.RunPlace

/** Before anything is made or started. */
internal fun refuseWithoutDocker(plan: Plan) {
    val way = when {
        plan.experiment.place is RunPlace.Docker -> "Or leave out --in docker."
        plan.experiment.database is Database.Container -> "Or set database: embedded."
        else -> return
    }
    whyNoDocker()?.let { throw InputProblem("$it\n    $way") }
}
