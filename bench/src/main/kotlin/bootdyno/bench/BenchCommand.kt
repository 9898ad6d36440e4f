package bootdyno.bench

import bootdyno.cli.Home
import bootdyno.cli.cacheFolder
import bootdyno.cli.engines
import bootdyno.stats.median
import bootdyno.system.startChild
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.restrictTo
import java.io.OutputStream
import kotlin.io.path.createTempDirectory
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.measureTime

/** Benchmarks of Boot Dyno itself; nothing here is a test. */
internal class BenchCommand : CliktCommand(name = "dyno bench") {
    override fun help(context: Context) = "Measure Boot Dyno itself"

    override fun run() = Unit
}

internal class BenchEngineCommand : CliktCommand(name = "engine") {
    private val rounds by option(metavar = "N", help = "Interleaved rounds").int().restrictTo(1..50).default(5)
    private val seconds by option(
        metavar = "S",
        help = "Seconds of load of each generator in each round",
    ).int().restrictTo(2..60).default(5)

    override fun help(context: Context) =
        "The load engine against wrk on one fast target, and against servers whose latency is known"

    override fun run() {
        benchEngine(BenchPlan(rounds, seconds.seconds), createTempDirectory("dyno-bench")) { echo(it) }
    }
}

/** All load engines beside each other, against servers whose truth is known. */
internal class BenchEnginesCommand : CliktCommand(name = "engines") {
    private val rounds by option(metavar = "N", help = "Interleaved rounds").int().restrictTo(1..50).default(5)
    private val seconds by option(
        metavar = "S",
        help = "Seconds that count, of each engine against each of three servers in each round",
    ).int().restrictTo(1..120).default(10)

    override fun help(context: Context) =
        "All load engines against the same servers: CPU a request, and stated against true latencies"

    override fun run() {
        val folder = createTempDirectory("dyno-bench")
        val table = benchEngines(BenchPlan(rounds, seconds.seconds), engines(), cacheFolder(), folder) { echo(it, err = true) }
        table.lines().forEach { echo(it) }
        echo("Logs are in $folder.", err = true)
    }
}

internal class BenchStartCommand(private val home: Home) : CliktCommand(name = "start") {
    private val starts by option(metavar = "N", help = "Starts timed").int().restrictTo(1..500).default(20)

    override fun help(context: Context) = "How long `./dyno --help` takes, whole processes timed from outside"

    override fun run() {
        start()
        val millis = List(starts) { measureTime(::start).toDouble(DurationUnit.MILLISECONDS) }
        echo(
            text("./dyno --help, %d starts: median %.0f ms, %.0f to %.0f ms", starts, median(millis), millis.min(), millis.max()),
        )
    }

    private fun start() {
        val process = startChild(listOf("${home.launcher}", "--help"), System.getenv())
        process.inputStream.transferTo(OutputStream.nullOutputStream())
        check(process.waitFor() == 0) { "./dyno --help ended with exit code ${process.exitValue()}" }
    }
}
