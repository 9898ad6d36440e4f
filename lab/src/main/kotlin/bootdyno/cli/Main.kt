package bootdyno.cli

import bootdyno.launch.prepare.isNamedAsJar
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.model.visible
import bootdyno.store.RunFolderException
import bootdyno.yaml.suggestion
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.CliktError
import com.github.ajalt.clikt.core.NoSuchOption
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.parse
import com.github.ajalt.clikt.core.subcommands
import com.github.ajalt.clikt.core.terminal
import java.nio.file.InvalidPathException
import kotlin.system.exitProcess

fun main(args: Array<String>) = runCommand(dyno(Home.found()), args)

fun runCommand(command: CliktCommand, args: Array<String>) {
    command.configureContext { terminal = terminalOfOutput() }
    try {
        noSuchCommand(command, args)?.let { throw it }
        command.parse(command.withWholeHelp(args))
    } catch (unusable: RunFolderException) {
        // For example a full disk: finished trials are kept.
        System.err.println(visible(unusable.message.orEmpty()))
        exitProcess(ExitCode.TRIAL_FAILED)
    } catch (unnamed: InvalidPathException) {
        System.err.println(
            "The path ${visible(unnamed.input)} has characters that the locale of this shell has not.\n" +
                "Set a UTF-8 locale: export LC_ALL=C.UTF-8",
        )
        exitProcess(ExitCode.INPUT)
    } catch (error: CliktError) {
        command.getFormattedHelp(error)?.let {
            command.echo(if (error is InputProblem) it else helpPage(it), err = error.printError)
        }
        (error as? NoSuchOption)?.paramName?.let(::meant)?.let { command.echo(it, err = true) }
        // clikt exits with 1 for a usage error, which here means a failed trial.
        exitProcess(if (error is UsageError) ExitCode.INPUT else error.statusCode)
    }
}

/** What was meant by [option], which is none of ours but may be one of the application or of its JVM; null if that is unknown. */
internal fun meant(option: String): String? = when {
    option.take(2) in listOf("-X", "-D") -> "Flags of its JVM: --jvm=${option.take(2)}…"
    '.' in option -> "Properties of the application: --setting ${option.trimStart('-')}=VALUE"
    else -> null
}

/** Null if the first of [args] is a command or a flag. clikt itself suggests commands only if no argument follows. */
internal fun noSuchCommand(command: CliktCommand, args: Array<String>): UsageError? {
    val names = command.registeredSubcommands().map { it.commandName }
    val named = args.firstOrNull()?.takeUnless { it.startsWith("-") || it in names } ?: return null
    val hint = if (isNamedAsJar(named)) "write: $COMMAND run $named" else suggestion(named, names, "commands")
    return UsageError(listOfNotNull("there is no command `$named`", hint).joinToString("; "))
}

/** All commands. [pods]: null without the Kubernetes part. */
fun dyno(home: Home, pods: RoundsInPods? = null): CliktCommand = RootCommand().subcommands(
    ListCommand(home),
    DoctorCommand(home),
    PlanCommand(home),
    RunCommand(home, pods),
    InitCommand(home),
    CapacityCommand(home),
    CompareCommand(),
    ConfirmCommand(),
    ResumeCommand(pods),
    MergeCommand(),
    ReportCommand(),
    HistoryCommand(),
    ExplainCommand(),
    SchemaCommand(),
)
