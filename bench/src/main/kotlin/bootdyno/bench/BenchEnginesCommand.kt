package bootdyno.bench

import bootdyno.cli.cacheFolder
import bootdyno.cli.engines
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.restrictTo
import kotlin.io.path.createTempDirectory
import kotlin.time.Duration.Companion.seconds

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
        val table = benchEngines(EnginesPlan(rounds, seconds.seconds), engines(), cacheFolder(), folder) { echo(it, err = true) }
        table.lines().forEach { echo(it) }
        echo("Logs are in $folder.", err = true)
    }
}
