package bootdyno.bench

import bootdyno.analyse.analyse
import bootdyno.cli.DynoCommand
import bootdyno.cli.Home
import bootdyno.cli.measuredWithinBudget
import bootdyno.cli.writeRunnerNoise
import bootdyno.measure.ExitCode
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import kotlin.io.path.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

private const val SEED = 1L
private const val FEWEST_ROUNDS = 3
private const val MOST_ROUNDS = 100

/** Measures the same application under two names in the same rounds (A/A): which differences this machine shows. */
internal class BenchRunnerCommand(private val home: Home) :
    DynoCommand(
        "runner",
        "The false alarms and the smallest difference of this machine, from rounds of one application under two names",
    ) {
    private val minutes by number("N", "Minutes of rounds, each of two trials", 2..120, usual = 10)
    private val out by option(metavar = "DIR", help = "Where the run folder goes").path(canBeFile = false).default(Path("runs"))

    override fun run() {
        val plan = sameTwice(home.subjects(), minutes.minutes)
        val folder = measuredWithinBudget(plan, out, ::say)
        val ratios = ratiosOf(analyse(folder.read(), forecasts = false))
        if (ratios.size < FEWEST_ROUNDS) {
            say("Only ${ratios.size} rounds count, and $FEWEST_ROUNDS are needed: see ${folder.path}.")
            throw ProgramResult(ExitCode.TRIAL_FAILED)
        }
        val noise = noiseOf(ratios, folder.environment())
        val file = writeRunnerNoise(noise)
        runnerTable(noise).forEach { echo(it) }
        echo("\n`dyno compare` refuses a rule that allows less ($file).")
    }
}

/** A sum of primes in the built-in servlet subject on one CPU, as two variants. [time]: that of all rounds. */
internal fun sameTwice(subjects: List<Subject>, time: Duration): Plan {
    val cell = warmUpCell(subjects).copy(workload = SUM_OF_PRIMES, profile = FEW_CONNECTIONS)
    val cells = listOf("one", "other").map { cell.named(it) }
    val warmUp = WarmUp.Certified(lawLike = 5.seconds, budget = 60.seconds)
    val repetition = Repetition(Preset.STANDARD, SEED, FEWEST_ROUNDS, MOST_ROUNDS, warmUp, budget = time, again = false)
    return planOf("runner", cells, repetition).run {
        val question = "Which differences does this machine show?"
        copy(experiment = experiment.copy(title = "One application under two names", question = question))
    }
}

/** The same work as in the experiment `accuracy`: mostly one loop, so that the machine differs more than the heap. */
private val SUM_OF_PRIMES = Workload(
    name = "cpu",
    steps = listOf(
        Step("cpu", path = "/cpuWithMore?limit={limit}", expect = Expectation(200, "cpuWithMore {sum}", "text/plain")),
    ),
    parameters = mapOf("limit" to "100000", "sum" to "454396537"),
    warmUpParameters = mapOf("limit" to "10000", "sum" to "5736396"),
)

/** Enough for one CPU. */
private val FEW_CONNECTIONS = NamedProfile("saturate", LoadProfile.Closed(8), window = 10.seconds, timeout = 30.seconds)

private fun Cell.named(name: String): Cell = copy(id = CellId("$name/${workload.name}"), variant = Variant(name, subject.name))
