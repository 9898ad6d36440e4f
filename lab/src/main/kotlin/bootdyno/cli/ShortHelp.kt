package bootdyno.cli

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.context
import com.github.ajalt.clikt.output.HelpFormatter
import com.github.ajalt.clikt.output.HelpFormatter.ParameterHelp
import com.github.ajalt.clikt.output.MordantHelpFormatter

/** Asks for every option of a command. */
internal const val WHOLE_HELP = "--help=all"

/** The commonest options of a command, at most eight, and examples. */
internal class CommonUse(val options: Set<String>, val examples: List<String>)

private val MEASURING = setOf("--preset", "--rounds", "--only", "--path", "--vary", "--import")

internal val COMMON = mapOf(
    "run" to CommonUse(
        MEASURING + setOf("--engine", "--verbose"),
        listOf("run quick", "run target/shop.jar --path /orders", "run orders.yaml --preset standard"),
    ),
    "plan" to CommonUse(
        MEASURING + setOf("--full", "--write-experiment"),
        listOf("plan blocking-io", "plan target/shop.jar --vary server.tomcat.threads.max=50,200", "plan orders.yaml --full"),
    ),
    "init" to CommonUse(
        setOf("--path", "--request", "--import", "--vary", "--setting", "--connections"),
        listOf("init target/shop.jar", "init target/shop.jar --path /orders", "init target/shop.jar --import openapi.yaml"),
    ),
    "capacity" to CommonUse(
        setOf("--slo", "--preset", "--rounds", "--only", "--path", "--import", "--connections", "--verbose"),
        listOf(
            "capacity target/shop.jar --slo 'p99 < 200 ms'",
            "capacity target/shop.jar --path /orders --slo 'p99 < 200 ms, errors < 0.1 %'",
            "capacity orders.yaml --slo 'p99 < 50 ms' --preset standard",
        ),
    ),
    "compare" to CommonUse(
        setOf("--build", "--fail-on", "--slo", "--budget", "--path", "--import", "--rounds", "--verbose"),
        listOf(
            "compare old.jar new.jar --path /orders",
            "compare main HEAD --build 'mvn -q package'",
            "compare runs/OLD runs/NEW",
        ),
    ),
    "resume" to CommonUse(
        setOf("--verbose", "--json", "--history", "--fail-on-undecided", "--i-may-load"),
        listOf("resume runs/RUN", "resume runs/RUN --verbose", "resume runs/RUN --json"),
    ),
    "confirm" to CommonUse(
        setOf("--cell", "--rounds", "--steps", "--out", "--verbose", "--json", "--i-may-load"),
        listOf("confirm runs/RUN", "confirm runs/RUN --cell 'tomcat/*'", "confirm runs/RUN --steps 3"),
    ),
    "report" to CommonUse(
        setOf("--format", "--verbose", "--json", "--history", "--fail-on-undecided"),
        listOf("report runs/RUN", "report runs/RUN --format md", "report runs/A runs/B runs/C --format html"),
    ),
)

/** Pages of help with the commonest options and three examples; [WHOLE_HELP] shows the rest. */
internal class ShortHelp(private val command: String, private val whole: HelpFormatter) : HelpFormatter {
    override fun formatHelp(
        error: UsageError?,
        prolog: String,
        epilog: String,
        parameters: List<ParameterHelp>,
        programName: String,
    ): String {
        val common = COMMON[command]?.takeIf { error == null }
            ?: return whole.formatHelp(error, prolog, epilog, parameters, programName)
        val options = parameters.filterIsInstance<ParameterHelp.Option>()
        val shown = options.filter { option -> option.names.any { it in common.options || it == "--help" } }
        val groups = shown.map { it.groupName }
        val kept = parameters.filter { parameter ->
            when (parameter) {
                is ParameterHelp.Option -> parameter in shown
                is ParameterHelp.Group -> parameter.name in groups
                is ParameterHelp.Argument, is ParameterHelp.Subcommand -> true
            }
        }
        val more = options.size - shown.size
        val rest = if (more > 0) "\n\n$more more options: $COMMAND $command $WHOLE_HELP" else ""
        val examples = common.examples.joinToString("\n", "\n\nExamples:\n") { "  $COMMAND $it" }
        return whole.formatHelp(null, prolog, epilog, kept, programName).trimEnd() + examples + rest
    }
}

/** Pages of help of all commands below this one. */
internal fun CliktCommand.shortenHelp() {
    context { helpFormatter = { ShortHelp(it.command.commandName, MordantHelpFormatter(it)) } }
}

/** The arguments without [WHOLE_HELP], of which clikt knows only `--help`. */
internal fun CliktCommand.withWholeHelp(args: Array<String>): List<String> {
    if (WHOLE_HELP in args) context { helpFormatter = { MordantHelpFormatter(it) } }
    return args.map { if (it == WHOLE_HELP) "--help" else it }
}
