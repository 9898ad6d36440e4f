package bootdyno.bench

import bootdyno.cli.Home
import bootdyno.cli.runCommand
import com.github.ajalt.clikt.core.subcommands

/** `./dyno bench`: for the developers of Boot Dyno, and not in the jar that users get. */
fun main(args: Array<String>) {
    val home = Home.found()
    runCommand(
        BenchCommand().subcommands(
            BenchEngineCommand(),
            BenchEnginesCommand(),
            BenchStartCommand(home),
            BenchWarmUpCommand(home),
        ),
        args,
    )
}
