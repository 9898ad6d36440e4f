package bootdyno.bench

import bootdyno.cli.Home
import bootdyno.system.startChild
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.restrictTo
import java.io.OutputStream
import kotlin.io.path.createTempDirectory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
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

internal class BenchStartCommand(private val home: Home) : CliktCommand(name = "start") {
    private val starts by option(metavar = "N", help = "Starts timed").int().restrictTo(1..500).default(20)

    override fun help(context: Context) = "How long `./dyno --help` takes, whole processes timed from outside"

    override fun run() {
        start()
        val times = List(starts) { measureTime(::start) }.sorted()
        echo(
            "./dyno --help, $starts starts: median ${millis(median(times))}, ${millis(times.first())} to ${millis(times.last())}",
        )
    }

    private fun start() {
        val process = startChild(listOf("${home.launcher}", "--help"), System.getenv())
        process.inputStream.transferTo(OutputStream.nullOutputStream())
        check(process.waitFor() == 0) { "./dyno --help ended with exit code ${process.exitValue()}" }
    }

    private fun median(sorted: List<Duration>): Duration = (sorted[(sorted.size - 1) / 2] + sorted[sorted.size / 2]) / 2

    private fun millis(duration: Duration) = "${duration.inWholeMilliseconds} ms"
}
