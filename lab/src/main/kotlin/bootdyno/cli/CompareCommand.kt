package bootdyno.cli

import bootdyno.launch.prepare.UnusableJar
import bootdyno.launch.prepare.inspectJar
import bootdyno.model.Plan
import bootdyno.model.Subject
import bootdyno.plan.BuildsQuestion
import bootdyno.plan.JarQuestion
import bootdyno.plan.Surroundings
import bootdyno.plan.experimentOfBuilds
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import kotlin.io.path.Path

/** `10m`; `10 min` and other durations are read as in a file. */
private val MINUTES = Regex("""(\d+)\s*m""")

/** Compares two builds of an application in the same rounds. Exit codes: 0 same or better, 3 worse, 4 undecided. */
internal class CompareCommand :
    DynoCommand("compare", "Compare two builds in the same rounds: exit code 0 same or better, 3 worse, 4 undecided") {
    private val options by PlanOptions()
    private val hosts by HostOptions()
    private val output by OutputOptions()
    private val failOn by option(
        metavar = "RULE",
        help = "What is worse: 'throughput slower by 3 %' (default), 'p99 slower by 10 %', 'rss higher by 10 %'; repeatable",
    ).multiple()
    private val budget by option(metavar = "TIME", help = "No further round after this time (default 10 min)")
        .convert { text -> MINUTES.matchEntire(text.trim())?.let { "${it.groupValues[1]} min" } ?: text }.default("10 min")
    private val out by option(metavar = "DIR", help = "Where run folders go").path(canBeFile = false).default(RUNS)
    private val base by argument("BASE", help = "The executable jar of the older build")
    private val head by argument("HEAD", help = "The executable jar of the newer build")

    override fun run() {
        val plan = plan()
        val environment = environmentOfRun()
        refuseWhatCannotRun(plan, environment, hosts.mayLoad)
        say("${extent(plan)}, then more rounds until every rule is decided. Ctrl-C stops; finished trials are kept.")
        MeasureAndReport(this, output, undecidedFails = true).go(plan) { newRun(out, plan, environment) }
    }

    private fun plan(): Plan {
        if (options.vary.isNotEmpty()) throw InputProblem("--vary is not for `compare`.\nSettings of both builds: use --set.")
        val requests = requestFlags(options.request)
        val paths = options.path.ifEmpty { if (requests.isEmpty()) listOf("/") else emptyList() }
        val application = JarQuestion(subject(base), paths, connections = options.connections, requests = requests)
        val question = BuildsQuestion(application, subject(head), failOn, budget)
        val planned = experimentOfBuilds(
            question,
            Surroundings(engines = engines().map { it.kind }, machine = machine()),
            options.overrides(),
        ).orRefused()
        planned.warnings.forEach(::say)
        return planned.value
    }

    private fun subject(jar: String): Subject = try {
        inspectJar(Path(jar))
    } catch (unusable: UnusableJar) {
        throw InputProblem("${unusable.message}\n${unusable.hint}")
    }
}
