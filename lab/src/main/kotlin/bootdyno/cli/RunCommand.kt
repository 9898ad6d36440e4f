package bootdyno.cli

import bootdyno.explain.preflight
import bootdyno.model.Environment
import bootdyno.model.Plan
import bootdyno.model.plural
import bootdyno.plan.planText
import bootdyno.probe.environment
import bootdyno.store.RunFolder
import bootdyno.store.redact
import bootdyno.system.Inherited
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.io.path.Path

/** Where run folders go by default. */
internal val RUNS: Path = Path("runs")

/** Measures an experiment or an application's jar. */
internal class RunCommand(private val home: Home) :
    DynoCommand("run", "Measure; live progress; writes the run folder; prints the ranking, the verdicts and the why") {
    private val options by PlanOptions()
    private val hosts by HostOptions()
    private val output by OutputOptions()
    private val out by option(metavar = "DIR", help = "Where run folders go").path(canBeFile = false).default(RUNS)
    private val named by experimentOrJar()

    override fun run() {
        val plan = PlanSource(home, options, ::say).plan(named)
        val environment = environment().copy(
            inheritedVariables = Inherited.BASIC.of().keys.sorted(),
            warnings = listOfNotNull(COLD_ENGINE.takeIf { ENGINE_STAYS_COLD }),
        )
        refuseWhatCannotRun(plan, environment, hosts.mayLoad)
        say(announcement(plan))
        preflight(plan)?.let { say(note(it, terminal)) }
        MeasureAndReport(this, output).go(plan) {
            OpenedRun(asInput { folder(plan, environment) }, already = emptyList(), fresh = true)
        }
    }

    private fun folder(plan: Plan, environment: Environment): RunFolder {
        val folder = RunFolder.create(out, plan.experiment.name, LocalDateTime.now())
        return try {
            folder.also { prepare(it, plan, environment) }
        } catch (failure: Exception) {
            folder.discard()
            throw failure
        }
    }

    private fun prepare(folder: RunFolder, plan: Plan, environment: Environment) {
        folder.writePlan(plan, planText(redact(plan)))
        folder.writeEnvironment(environment)
        folder.writeInputs(inputsOf(plan, folder))
        folder.checkWritable(spaceFor(plan))
    }

    private fun announcement(plan: Plan): String {
        val protocol = plan.experiment.repetition
        val more = if (protocol.maxRounds > protocol.rounds) ", then more rounds if the intervals are too wide" else ""
        val trials = plan.numbersOf(protocol.rounds).last
        val what = "${plural(trials, "trial")} of ${plural(plan.cells.size, "cell")}"
        return "$what, about ${shortTime(expected(plan))}$more. Ctrl-C stops; finished trials are kept."
    }
}
