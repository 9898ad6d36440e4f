package bootdyno.cli

import bootdyno.flags.BuildsQuestion
import bootdyno.flags.experimentOfBuilds
import bootdyno.flags.objectiveKey
import bootdyno.flags.rulesOfBuilds
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.builtSubjects
import bootdyno.measure.orRefused
import bootdyno.model.Plan
import bootdyno.report.RunNames
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.page
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import kotlin.io.path.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.writeText

/** `10m`; `10 min` and other durations are read as in a file. */
private val MINUTES = Regex("""(\d+)\s*m""")

private val RESULTS = mapOf(
    ExitCode.FINE to "no rule fails",
    ExitCode.GATE_FAILED to "the newer build is worse",
    ExitCode.UNDECIDED to "undecided",
)

/** Compares two builds of an application in the same rounds, or judges two runs. Exit codes: 0 no rule fails, 3 worse, 4 undecided. */
internal class CompareCommand :
    DynoCommand("compare", "Compare two builds in the same rounds: exit code 0 no rule fails, 3 worse, 4 undecided") {
    private val options by PlanOptions()
    private val application by ApplicationOptions()
    private val hosts by HostOptions()
    private val output by OutputOptions()
    private val build by option(
        metavar = "'COMMAND'",
        help = "BASE and HEAD are commits: build each by this command, in a git worktree that is removed again",
    )
    private val failOn by option(
        metavar = "RULE",
        help = "What is worse: 'throughput slower by 3 %' (default), 'p99 slower by 10 %', 'rss higher by 10 %'; repeatable",
    ).multiple()
    private val slo by option(
        metavar = "OBJECTIVE",
        help = "Also search for the highest rate with this objective, for --fail-on 'capacity lower by 5 %'",
    )
    private val budget by option(metavar = "TIME", help = "No further round after this time (default 10 min)")
        .convert { text -> MINUTES.matchEntire(text.trim())?.let { "${it.groupValues[1]} min" } ?: text }.default("10 min")
    private val out by option(metavar = "DIR", help = "Where run folders go").path(canBeFile = false).default(RUNS)
    private val html by option(
        metavar = "FILE",
        help = "Of two run folders: also write the comparison as a page",
    ).path(canBeDir = false)
    private val base by argument("BASE", help = "The older build: a jar, an image, a commit (--build), or a run folder")
    private val head by argument("HEAD", help = "The newer build, of the same kind")

    override fun run() {
        val folders = listOf(base, head).map { Path(it) }.count { it.isDirectory() }
        if (folders == 2 && build == null) return judgeRuns()
        if (folders == 1 && build == null) {
            throw InputProblem(
                "$base and $head are of different kinds.\nGive two run folders, two jars, two images or two commits.",
            )
        }
        if (html != null) throw InputProblem("--html is for two run folders; builds get report.html in their run folder.")
        refuseFlagsOfOneBuild()
        val plan = plan()
        options.writeExperiment?.let { writeExperiment(plan, it, ::say) }
        val environment = environmentOfRun()
        refuseTooFineRules(plan, environment)
        refuseWhatCannotRun(plan, environment, hosts.mayLoad)
        say("${extent(plan)}, then more rounds until every rule is decided. Ctrl-C stops; finished trials are kept.")
        val measuring = MeasureAndReport(this, output)
        measuring.noteWithheld()
        val report = measuring.measured(plan) { newRun(out, plan, environment) }
        measuring.print(report)
        val code = exitCode(report, output.undecidedFails)
        val done = report.analysis.run.trials.maxOfOrNull { it.record.trial.round } ?: 0
        val more = when {
            code != ExitCode.UNDECIDED -> ""
            done < plan.experiment.repetition.maxRounds -> "; a larger --budget gives more rounds"
            else -> "; for more rounds: --rounds ${2 * done}"
        }
        RESULTS[code]?.let { say("Result: $it$more.") }
        throw ProgramResult(code)
    }

    private fun plan(): Plan {
        // Before the builds, which take minutes; the objective may also be set by --set.
        rulesOfBuilds(failOn, searched = slo != null || "--set" in options.names).orRefused()
        val builds = builtSubjects(base, head, build, out, ::say)
        val overrides = options.overrides(listOfNotNull(slo?.let { objectiveKey(it).orRefused().value }))
        val source = ApplicationSource(options, application, overrides, ::say, PathDiscovery(hosts.mayLoad, ::say)::paths)
        val imported = source.imported()
        val question = BuildsQuestion(
            source.question(builds.base, imported = imported),
            application.declared(builds.head),
            "$head against $base",
            failOn,
            budget,
        )
        val planned = experimentOfBuilds(question, source.surroundings(imported), overrides).orRefused()
        planned.warnings.forEach(::say)
        return planned.value
    }

    private fun refuseFlagsOfOneBuild() {
        application.names.find { it in NAMING }?.let { flag ->
            throw InputProblem("$flag names one application.\nName the two builds as BASE and HEAD.")
        }
        if (application.vary.isNotEmpty() || application.java.size > 1) {
            throw InputProblem(
                "`compare` compares two builds, and nothing else.\nFlags such as --setting and one --java are for both.",
            )
        }
    }

    private fun judgeRuns() {
        if ((application.names + options.names).isNotEmpty() || slo != null || output.history != null) {
            throw InputProblem("Two run folders are judged, and nothing is measured: only --fail-on and --json have an effect.")
        }
        val runs = asInput { comparedRuns(Path(base), listOf(Path(head)), failOn, ::say).single() }
        val names = RunNames(base, head, COMMAND)
        val page = page(runs, names)
        writeStepSummary(page, ::say)
        html?.let { file -> writing("$file", "Name another file.") { file.writeText(renderHtml(page)) } }
        printResult(if (output.json) renderJson(runs, names) else terminalText(page, terminal))
        throw ProgramResult(exitCode(runs))
    }
}
