package bootdyno.cli

import bootdyno.load.bench.BenchPlan
import bootdyno.load.bench.benchEngine
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.subcommands
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.restrictTo
import kotlin.io.path.createTempDirectory
import kotlin.time.Duration.Companion.seconds

/** Benchmarks of Boot Dyno itself; nothing here is a test. */
internal class BenchCommand : CliktCommand(name = "bench") {
    init {
        subcommands(BenchEngineCommand())
    }

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
