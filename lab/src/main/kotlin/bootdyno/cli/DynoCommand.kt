package bootdyno.cli

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.parameters.options.versionOption

/** A command; [about] is its help text. */
abstract class DynoCommand(name: String, private val about: String) : CliktCommand(name) {
    override fun help(context: Context) = about

    /** Prints to stderr, because stdout has the result only. */
    protected fun say(line: String) = echo(line, err = true)

    /** Prints a result, whose text is made visible already, to stdout. */
    internal fun printResult(result: String) = echo(Printed(result), trailingNewline = false)
}

/** `dyno` without a command prints its help. */
internal class RootCommand :
    DynoCommand(
        "dyno",
        "Measures a Spring Boot service in several configurations: which one wins, by how much, with what certainty, and why.",
    ) {
    override val invokeWithoutSubcommand = true
    override val printHelpOnEmptyArgs = false

    init {
        configureContext { printVisibly() }
        shortenHelp()
        versionOption(RootCommand::class.java.`package`.implementationVersion ?: "of a development build", message = {
            "Boot Dyno $it"
        })
    }

    override fun helpEpilog(context: Context) =
        "`bench`, in a clone of the repository, measures Boot Dyno itself. Exit codes: 0 fine · 1 a trial failed or is damaged, or nothing was measured · 2 your input · 3 a gate failed · 4 undecided where a decision was asked for · 130 interrupted"

    override fun run() {
        if (currentContext.invokedSubcommand != null) return
        echo(
            """
            Boot Dyno measures a Spring Boot application in several configurations and says which one wins,
            by how much, with what certainty, and why.

              dyno run quick                     a first result in five minutes: six ways to wait 500 ms on one CPU
              dyno run my-app.jar                your application: platform and virtual threads, on paths that it serves
              dyno init my-app.jar               the same as a commented experiment file
              dyno capacity my-app.jar --slo …   the highest request rate that meets an objective: 'p99 < 200 ms'
              dyno compare old.jar new.jar       whether the new build is slower: exit code 3
              dyno explain d1.txt d2.txt …       what limits an application, from its thread dumps or recordings
              dyno plan blocking-io              what would be measured, and the calculated limits
              dyno list                          the built-in experiments, subjects and load engines
              dyno doctor                        whether this machine can measure
              dyno bench                         how exact Boot Dyno itself is (in a clone of the repository)
              dyno --help                        all commands
            """.trimIndent(),
        )
    }
}
