package bootdyno.cli

import bootdyno.flags.objectiveKey
import bootdyno.launch.prepare.isNamedAsJar
import bootdyno.measure.InputProblem
import bootdyno.measure.orRefused
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path

private const val WITHOUT_LATENCY_AT = "latency-at=[]"

/** Searches for the highest request rate that meets an objective: `run` with `capacity` in the experiment. */
internal class CapacityCommand(home: Home) :
    ExperimentCommand(home, "capacity", "Find the highest request rate that meets an objective, and what limits it") {
    private val output by OutputOptions()
    private val slo by option(
        metavar = "OBJECTIVE",
        help = "What must hold: 'p99 < 200 ms, errors < 0.1 %' (default: that of the experiment file)",
    )
    private val out by option(metavar = "DIR", help = "Where run folders go").path(canBeFile = false).default(RUNS)

    /** Without a file; its own latency measurements would be other rates of what the search measures. */
    private val isApplication: Boolean
        get() = named?.let(::isNamedAsJar) != false && options.set.none { it.startsWith("latency-at") }

    override fun run() {
        val keys = listOfNotNull(slo?.let { objectiveKey(it).orRefused().value }, WITHOUT_LATENCY_AT.takeIf { isApplication })
        val plan = plan(discovery::paths, options.overrides(keys))
        options.writeExperiment?.let { writeExperiment(plan, it, ::say) }
        if (plan.experiment.capacity == null) {
            throw InputProblem(
                "${named ?: "The application"} has no objective.\nAdd --slo 'p99 < 200 ms, errors < 0.1 %', or `capacity` to the file.",
            )
        }
        val environment = environmentOfRun()
        refuseTooFineRules(plan, environment)
        refuseWhatCannotRun(plan, environment, hosts.mayLoad)
        say("${extent(plan)}. Ctrl-C stops; finished trials are kept.")
        MeasureAndReport(this, output).go(plan) { newRun(out, plan, environment) }
    }
}
