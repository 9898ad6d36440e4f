package bootdyno.cli

import com.github.ajalt.clikt.core.parse

/** Training run for the launcher's ahead-of-time cache: loads the classes of `dyno plan` and `dyno --help`. */
fun main() {
    dyno(Home.found()).parse(listOf("plan", "quick"))
    runCommand(dyno(Home.found()), arrayOf("--help"))
}
