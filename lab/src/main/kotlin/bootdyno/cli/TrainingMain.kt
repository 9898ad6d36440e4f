package bootdyno.cli

import com.github.ajalt.clikt.core.parse

/** What the launcher runs once to write the JVM's ahead-of-time cache: it loads the classes of `dyno plan` and of `dyno --help`. */
fun main() {
    dyno(Home.found()).parse(listOf("plan", "quick"))
    runCommand(dyno(Home.found()), arrayOf("--help"))
}
