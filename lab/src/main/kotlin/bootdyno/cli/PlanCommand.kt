package bootdyno.cli

import bootdyno.explain.Ceiling
import bootdyno.explain.ceilings
import bootdyno.explain.preflight
import bootdyno.explain.words
import bootdyno.model.Cell
import bootdyno.model.Plan
import bootdyno.model.WarmUp
import bootdyno.plan.expectedDuration
import bootdyno.plan.planText
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import kotlin.time.Duration

/** Says what would be measured, and what arithmetic knows of it beforehand; runs nothing. */
internal class PlanCommand(private val home: Home) : CliktCommand(name = "plan") {
    private val options by PlanOptions()
    private val full by option("--full", help = "Print the resolved experiment file as well").flag()
    private val named by argument(
        "EXPERIMENT|JAR",
        help = "A built-in experiment (see ./dyno list), a YAML file, or an executable jar",
    )

    override fun help(context: Context) =
        "The resolved plan and its ceilings, nothing run: cells, order, settings, expected duration"

    override fun run() {
        val plan = PlanSource(home, options) { echo(it, err = true) }.plan(named)
        if (full) echo(planText(plan))
        heading(plan)
        cells(plan)
        preflight(plan).forEach { echo("\nNote: $it") }
        echo("\nRun it: ./dyno run $named" + options.preset?.let { " --preset ${it.name.lowercase()}" }.orEmpty())
    }

    private fun heading(plan: Plan) {
        val experiment = plan.experiment
        val protocol = experiment.protocol
        val rounds = when {
            protocol.maxRounds > protocol.rounds -> "${protocol.rounds} to ${protocol.maxRounds} rounds"
            protocol.rounds == 1 -> "1 round"
            else -> "${protocol.rounds} rounds"
        }
        echo(listOfNotNull(experiment.title, experiment.question.ifBlank { null }, "").joinToString("\n"))
        echo("${plan.cells.size} cells, $rounds, about ${shortTime(expected(plan))} (seed ${protocol.seed})")
        echo(warmUpText(plan))
    }

    private fun warmUpText(plan: Plan): String {
        val law = plan.cells.count { it.workload.lawLike }
        val cost = plan.cells.size - law
        return when (val warmUp = plan.experiment.protocol.warmUp) {
            is WarmUp.Cold -> "cold: no warm-up at all"

            is WarmUp.Certified -> listOfNotNull(
                "$law bound by a pool divided by a delay: ${warmUp.lawLike.words()} of warm-up each".takeIf { law > 0 },
                "$cost bound by what a request costs: warm-up until certified, at most ${warmUp.budget.words()} each".takeIf {
                    cost >
                        0
                },
            ).joinToString("\n")
        }
    }

    private fun cells(plan: Plan) {
        val width = plan.cells.maxOf { it.id.text.length }
        echo("\n${"cell".padEnd(width)}   at most     because")
        plan.cells.forEach { echo("${it.id.text.padEnd(width)}   ${ceilingText(it)}") }
    }

    private fun ceilingText(cell: Cell): String {
        val tightest: Ceiling? = ceilings(cell).filter { it.allows != null }.minByOrNull { it.allows ?: Double.MAX_VALUE }
        val allows = tightest?.allows ?: return "unknown     what a request costs in CPU decides"
        return "${rate(allows).padEnd(10)}  ${tightest.limit} / ${tightest.heldFor?.words()} (${tightest.source})"
    }
}

/** How long the certain rounds will take, knowing what arithmetic knows of each cell's throughput. */
internal fun expected(plan: Plan): Duration = expectedDuration(plan) { ceilings(it).firstOrNull()?.allows }
