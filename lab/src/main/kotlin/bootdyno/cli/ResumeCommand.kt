package bootdyno.cli

import bootdyno.probe.environment
import bootdyno.store.hiddenIn
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.types.path

/** Goes on with a run that was interrupted. */
internal class ResumeCommand : CliktCommand(name = "resume") {
    private val output by OutputOptions()
    private val hosts by HostOptions()
    private val run by argument("RUN", help = "The folder of the run").path(mustExist = true, canBeFile = false)

    override fun help(context: Context) = "Go on with an interrupted run: what is finished is kept, what is missing is measured"

    override fun run() {
        val folder = openRun(run)
        val facts = folder.read().facts
        val hidden = hiddenIn(facts.plan)
        if (hidden.isNotEmpty()) {
            throw InputProblem(
                "the run folder does not keep secrets, so this run cannot be resumed: ${hidden.joinToString()}\nstart it again with ./dyno run",
            )
        }
        refuseWhatCannotFit(facts.plan, environment())
        refuseWithoutDocker(facts.plan)
        refuseOtherHosts(facts.plan, hosts.mayLoad)
        MeasureAndReport(this, output).go(facts.plan, folder, facts.trials.map { it.record.trial.number }.toSet())
    }
}
