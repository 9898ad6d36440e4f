package bootdyno.bench

import bootdyno.analyse.analyse
import bootdyno.cli.DynoCommand
import bootdyno.cli.Home
import bootdyno.cli.openRun
import bootdyno.cli.runCommand
import bootdyno.measure.cacheFolder
import bootdyno.measure.engines
import bootdyno.system.tryDeleteTree
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.subcommands
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.io.path.createTempDirectory
import kotlin.time.Duration.Companion.seconds

/** `./dyno bench`: benchmarks for the developers of Boot Dyno; not part of the released jar. */
fun main(args: Array<String>) {
    val bench = object : DynoCommand("dyno bench", "Measure Boot Dyno itself") {
        override fun run() = Unit
    }
    runCommand(
        bench.subcommands(
            BenchAccuracyCommand(),
            BenchEngineCommand(),
            BenchEnginesCommand(),
            BenchPredictionsCommand(),
            BenchRunnerCommand(Home.found()),
            BenchWarmUpCommand(Home.found()),
        ),
        args,
    )
}

private class BenchAccuracyCommand :
    DynoCommand(
        "accuracy",
        "How often the judgement is right, from simulated runs and runs of the experiment accuracy; Markdown",
    ) {
    private val simulated by number("N", "Simulated runs for each figure", 100..20_000, usual = 1000)
    private val only by option(metavar = "TEXT", help = "Only tables of simulated runs with this text in their title").default("")
    private val measured by argument("RUN", help = "Folders of measured runs with known differences").path().multiple()

    override fun run() {
        val folders = measured.map(::openRun)
        (accuracyTables(simulated, only, ::say) + measuredTables(folders)).forEach { echo(it) }
    }
}

/** What is predicted of changes, and what they did. */
private class BenchPredictionsCommand :
    DynoCommand("predictions", "Predicted and measured effects of changes, from the runs that measured them; Markdown") {
    private val measured by argument(
        "RUN",
        help = "Run folders of ./dyno confirm or run --confirm",
    ).path().multiple(required = true)

    override fun run() = predictionsTable(measured.map { analyse(openRun(it).read()) }).forEach { echo(it) }
}

private class BenchEngineCommand :
    DynoCommand("engine", "The load engine against wrk on one fast target, and against servers whose latency is known") {
    private val rounds by number("N", "Interleaved rounds", 1..50, usual = 5)
    private val seconds by number("S", "Seconds of load of each generator in each round", 2..60, usual = 5)

    override fun run() = withLogs({ echo(it) }) { logs, print -> benchEngine(BenchPlan(rounds, seconds.seconds), logs, print) }
}

/** All load engines against test servers with known latencies. */
private class BenchEnginesCommand :
    DynoCommand("engines", "Compare all load engines on the same servers: CPU per request, and reported against true latencies") {
    private val rounds by number("N", "Interleaved rounds", 1..50, usual = 5)
    private val seconds by number(
        "S",
        "Seconds of measurement of each engine against each of three servers in each round",
        1..120,
        usual = 10,
    )

    override fun run() = withLogs({ say(it) }) { logs, print ->
        benchEngines(BenchPlan(rounds, seconds.seconds), engines(), BenchSetup(logs, cacheFolder()), print).forEach { echo(it) }
    }
}

/** Runs [action] with a folder for logs. The folder is removed when this process ends, unless a printed line or a failure names it. */
private fun withLogs(print: (String) -> Unit, action: (Path, (String) -> Unit) -> Unit) {
    val folder = createTempDirectory("dyno-bench")
    val named = AtomicBoolean()
    fun look(line: String) = line.also { if ("$folder" in it) named.set(true) }
    // Also after Ctrl-C.
    Runtime.getRuntime().addShutdownHook(Thread { if (!named.get()) tryDeleteTree(folder) })
    try {
        action(folder) { print(look(it)) }
    } catch (failure: RuntimeException) {
        look(failure.message.orEmpty())
        throw failure
    }
}

internal fun CliktCommand.number(metavar: String, help: String, range: IntRange, usual: Int) =
    option(metavar = metavar, help = help).int().restrictTo(range).default(usual)
