package bootdyno.cli

import bootdyno.catalogue.ResourceKind
import bootdyno.compose.composeForecast
import bootdyno.explain.configuredCeilings
import bootdyno.explain.preflight
import bootdyno.explain.shortages
import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.DockerCli
import bootdyno.measure.InputProblem
import bootdyno.measure.engines
import bootdyno.model.Cell
import bootdyno.model.Compose
import bootdyno.model.DiagnosedTrials
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.WarmUp
import bootdyno.model.listed
import bootdyno.model.nounOf
import bootdyno.model.perSecond
import bootdyno.model.plural
import bootdyno.model.redactText
import bootdyno.model.shellPath
import bootdyno.model.time
import bootdyno.plan.planText
import bootdyno.probe.environment
import bootdyno.schedule.expectedDuration
import bootdyno.schedule.largestValues
import bootdyno.schedule.lawLikeAtMost
import bootdyno.schedule.timeToMove
import bootdyno.schedule.trialsOfRound
import bootdyno.store.redact
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import kotlin.time.Duration

/** Shows a plan and its computed ceilings; starts nothing. */
internal class PlanCommand(home: Home) :
    ExperimentCommand(home, "plan", "Show the plan without running it: cells, theoretical maxima, settings, expected duration") {
    private val full by option("--full", help = "Also print the resolved experiment file").flag()

    override fun run() {
        val plan = plan(find = null)
        options.writeExperiment?.let { writeExperiment(plan, it, ::say) }
        if (full) echo(planText(redact(plan)))
        heading(plan)
        plan.experiment.compose?.let { composeText(plan, it) }?.let { echo(it) }
        cells(plan)
        val machine = environment()
        resolvedEarlier(RUNS, machine)?.let { echo("\n$it") }
        val fineRule = tooFineHere(plan, machine)?.let { "`run` refuses this plan here. ${it.replace('\n', ' ')}" }
        (listOfNotNull(preflight(plan), fineRule) + shortages(plan, machine) + missingEngines(plan) + otherHosts(plan)).forEach {
            echo("\n" + note(it, terminal))
        }
        val typed = named?.let { " ${shellPath(it)}" }.orEmpty() + application.asTyped() + options.asTyped() + hosts.asTyped()
        echo("\nRun it: $COMMAND run$typed")
    }

    /** @throws InputProblem if the compose file cannot be started */
    private fun composeText(plan: Plan, compose: Compose): String? = try {
        DockerCli.found()?.let { composeForecast(plan, compose, it) }
    } catch (refused: LaunchFailed) {
        throw InputProblem(refused.reason)
    }

    private fun missingEngines(plan: Plan) = engines().filter { it.name in plan.cells.map { cell -> cell.profile.engine.name } }
        .mapNotNull { engine -> engine.whyNot()?.let { "`run` refuses this plan here, because ${engine.name} is missing: $it" } }

    private fun otherHosts(plan: Plan) = otherHosts(plan, hosts.mayLoad).map {
        "${it.where} is on another host, ${it.host}. If you may load it, add --i-may-load ${it.host}."
    }

    private fun heading(plan: Plan) {
        val experiment = plan.experiment
        val protocol = experiment.repetition
        echo(listOfNotNull(redactText(experiment.title), redactText(experiment.question).ifBlank { null }, "").joinToString("\n"))
        val rounds = plural(protocol.rounds, "round")
        val cells = plural(plan.cells.size, nounOf(plan.cells))
        echo("$cells, $rounds in at most about ${shortTime(expected(plan))} (seed ${protocol.seed})")
        val more = protocol.maxRounds - protocol.rounds
        val budget = shortTime(protocol.budget)
        if (more > 0) echo("then up to $more more, until every verdict is settled or the time budget of $budget is used up")
        (experiment.place as? RunPlace.Docker)?.let {
            echo("Subjects run in containers. Their images are built on ${it.baseImage}.")
        }
        echo(warmUpText(plan))
        diagnosisText(plan)?.let(::echo)
        sharedText(plan)?.let(::echo)
    }

    private fun sharedText(plan: Plan): String? {
        val settings = plan.largestValues().keys.toList().ifEmpty { return null }
        val variants = plan.cells.distinctBy { it.variant.name }.size
        val experiment = plan.experiment
        val fresh = plan.copy(experiment = experiment.copy(repetition = experiment.repetition.copy(fresh = true)))
        val change = if (settings.size == 1) "changes" else "change"
        return "The $variants variants share one process a round: ${listed(settings)} $change while it runs " +
            "(--fresh: a process for each, in about ${shortTime(expected(fresh))})"
    }

    private fun diagnosisText(plan: Plan): String? {
        val cells = plan.cells.count { it.profile.protocol != MeasuringProtocol.COLD }
        val trials = when (plan.experiment.repetition.diagnose) {
            DiagnosedTrials.OFF -> return null
            DiagnosedTrials.ONCE, DiagnosedTrials.OBSERVE -> "in round 1"
            DiagnosedTrials.ALWAYS -> "in every trial"
        }
        val times = trialsOfRound(plan, 1, 1).mapNotNull(plan::timeToMove)
        val most = times.maxOrNull()
        val moving = most?.let {
            "; then suspected limits of ${plural(times.size, nounOf(plan.cells))} are changed while it runs, " +
                (if (it.isPositive()) "at most ${time(it)} each" else "within this time") + " (--diagnose observe: not)"
        }
        if (cells == 0) return null
        return "${plural(cells, nounOf(plan.cells))} observed under load after the window, $trials: 8 s each${moving.orEmpty()}"
    }

    /** One line per warm-up protocol. */
    private fun warmUpText(plan: Plan): String = plan.cells.groupBy { it.profile.protocol }
        .flatMap { (protocol, cells) -> beginnings(protocol, plan, cells) }.joinToString("\n")

    private fun beginnings(protocol: MeasuringProtocol, plan: Plan, cells: List<Cell>): List<String> {
        val law = cells.count { it.lawLike }
        val cost = cells.size - law
        return when (val warmUp = plan.warmUp(cells.first())) {
            is WarmUp.Cold -> listOf(
                "${protocol.word}: ${plural(cells.size, nounOf(plan.cells))}, no warm-up, " +
                    "a window of ${time(cells.first().profile.window)}",
            )

            is WarmUp.Certified -> {
                val (usual, most) = listOf(warmUp.lawLike, lawLikeAtMost(warmUp.lawLike)).map(::time)
                listOfNotNull(
                    "$law with `holds`, a declared wait: $usual of warm-up each, at most $most".takeIf { law > 0 },
                    "$cost without: warm-up until steady, at most ${time(warmUp.budget)} each".takeIf { cost > 0 },
                    cells.filter { it.latencyAt.isNotEmpty() }.takeIf { it.isNotEmpty() }
                        ?.let { "${it.size} then measure latency under open load, at common rates" + secondTrials(plan, it) },
                )
            }
        }
    }

    private fun secondTrials(plan: Plan, cells: List<Cell>): String {
        val twice = plan.twiceAtFirst.count { it in cells }
        return if (twice == 0) "" else "; in round 1 in a second trial, when the lowest capacity is known"
    }

    private fun cells(plan: Plan) {
        val rows = plan.cells.groupBy {
            SameCeiling(it.variant.name, it.workload.declared, ceilingText(it))
        }.map { (alike, cells) ->
            val name = cells.singleOrNull()?.id?.text ?: "${alike.variant}/${alike.workload} (${cells.size} cells)"
            name to alike.ceiling
        }
        val width = rows.maxOf { (name, _) -> name.length }
        echo("\n${nounOf(plan.cells).padEnd(width)}   at most     because")
        rows.forEach { (name, ceiling) -> echo("${name.padEnd(width)}   $ceiling") }
    }

    /** Cells of one line with the same ceiling, in any protocol. */
    private data class SameCeiling(val variant: String, val workload: String, val ceiling: String)

    private fun ceilingText(cell: Cell): String {
        val tightest = configuredCeilings(cell).minByOrNull { it.allows ?: Double.MAX_VALUE }
        val allows = tightest?.allows ?: return "unknown     the run observes what limits it"
        val held = tightest.heldFor?.takeUnless { tightest.kind == ResourceKind.OFFERED_RATE }?.let { " ÷ ${time(it)}" }.orEmpty()
        return "${perSecond(allows).padEnd(10)}  ${tightest.limit}$held (${tightest.source})"
    }
}

/** Estimated duration of [rounds]; by default of all that are planned. */
fun expected(plan: Plan, rounds: List<Int> = plannedRounds(plan)): Duration =
    expectedDuration(plan, rounds) { configuredCeilings(it).firstOrNull()?.allows }

fun plannedRounds(plan: Plan): List<Int> = (1..plan.experiment.repetition.rounds).toList()
