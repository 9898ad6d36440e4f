package bootdyno.cli

import bootdyno.launch.prepare.isNamedAsJar
import bootdyno.measure.InputProblem
import bootdyno.model.Plan
import java.nio.file.Path
import kotlin.io.path.Path

/** Writes the experiment file of an application, after starting it once to find what it serves. */
internal class InitCommand(home: Home) :
    ExperimentCommand(
        home,
        "init",
        "Write a commented experiment file for your application; it is started once to find its paths",
    ) {
    override fun run() {
        if (named?.let(::isNamedAsJar) == false) throw InputProblem("$named is no jar.\nGive the jar of your application.")
        val discover: PathFinder = { plan ->
            refuseExisting(fileOf(plan))
            discovery.paths(plan)
        }
        try {
            written(plan(discover))
        } catch (failure: NotStarted) {
            written(plan(find = null))
            throw failure
        }
    }

    private fun written(plan: Plan) = writeExperiment(plan, fileOf(plan), ::say)

    private fun fileOf(plan: Plan): Path = options.writeExperiment ?: Path("${plan.experiment.name}.yaml")
}
