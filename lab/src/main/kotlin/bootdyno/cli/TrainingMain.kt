package bootdyno.cli

import bootdyno.engine.netty.trainEngine
import com.github.ajalt.clikt.core.parse

/**
 * Training run for the launcher's ahead-of-time cache: loads the classes of `dyno plan`, of the load engine, and of the command [arguments]
 * (default: `--help`).
 */
fun main(arguments: Array<String>) {
    trainEngine()
    dyno(Home.found()).parse(listOf("plan", "quick"))
    runCommand(dyno(Home.found()), arguments.ifEmpty { arrayOf("--help") })
}
