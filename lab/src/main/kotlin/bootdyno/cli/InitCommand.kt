package bootdyno.cli

import bootdyno.launch.prepare.isNamedAsJar
import bootdyno.measure.InputProblem
import bootdyno.model.Plan
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import java.nio.file.Path
import kotlin.io.path.Path

/** Writes the experiment file of an application, after starting it once to find what it serves. */
internal class InitCommand(private val home: Home) :
    DynoCommand("init", "Write a commented experiment file for your application; it is started once to find its paths") {
    private val options by PlanOptions()
    private val application by ApplicationOptions()
    private val hosts by HostOptions()
    private val named by experimentOrJar()

    override fun run() {
        if (named?.let(::isNamedAsJar) == false) throw InputProblem("$named is no jar.\nGive the jar of your application.")
        try {
            val found = planOf { plan ->
                refuseExisting(fileOf(plan))
                PathDiscovery(hosts.mayLoad, ::say).paths(plan)
            }
            written(found)
        } catch (failure: NotStarted) {
            written(planOf(find = null))
            throw failure
        }
    }

    private fun planOf(find: PathFinder?): Plan = PlanSource(home, options, application, ::say, find).plan(named)

    private fun written(plan: Plan) = writeExperiment(plan, fileOf(plan), ::say)

    private fun fileOf(plan: Plan): Path = options.writeExperiment ?: Path("${plan.experiment.name}.yaml")
}
