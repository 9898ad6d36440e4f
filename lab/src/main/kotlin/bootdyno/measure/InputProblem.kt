package bootdyno.measure

import bootdyno.engine.EngineFailed
import bootdyno.launch.LaunchFailed
import bootdyno.model.redactText
import bootdyno.model.visible
import bootdyno.run.MachineBusy
import bootdyno.run.NothingAnswers
import bootdyno.store.RunFolderException
import bootdyno.store.failureReason
import bootdyno.yaml.Problem
import bootdyno.yaml.Read
import com.github.ajalt.clikt.core.CliktError
import java.io.IOException

/** Exit codes of `dyno`. 130 (interrupted) comes from the JVM. */
object ExitCode {
    const val FINE = 0
    const val TRIAL_FAILED = 1
    const val INPUT = 2
    const val GATE_FAILED = 3
    const val UNDECIDED = 4
}

/** As the JVM ends after Ctrl-C. */
internal const val INTERRUPTED = 130

/** Invalid plan or flags: exit code 2, nothing was started. */
open class InputProblem(message: String) : CliktError(message, statusCode = ExitCode.INPUT)

/** Runs [action]. @throws InputProblem for a failure that its user can change */
fun <T> asInput(action: () -> T): T = try {
    action()
} catch (failure: Exception) {
    throw messageOf(failure)?.let(::InputProblem) ?: failure
}

/** Runs [action]. @throws InputProblem with [what] failed, the reason, and the [remedy], for a failure of files */
internal fun <T> orInputProblem(what: String, remedy: String, action: () -> T): T = try {
    action()
} catch (failure: IOException) {
    throw InputProblem("$what: ${failureReason(failure)}.\n$remedy")
}

/** What a user reads of [failure]; null if it is not for users. */
internal fun messageOf(failure: Exception): String? = when (failure) {
    is MachineBusy -> "${failure.message}\n${failure.hint}"

    is EngineFailed, is RunFolderException -> failure.message.orEmpty()

    is LaunchFailed -> (listOf(failure.reason) + failure.lastLines).joinToString("\n    ", transform = ::redactText)

    is NothingAnswers ->
        "Nothing can be measured: no cell answers as expected, so that the run ended after its first round.\n" +
            "    ${visible(redactText("${failure.first}: ${failure.reason}"))}\n" +
            "Correct the request (--path, --request, --import, or `workloads` of the file), and run again. " +
            "The logs of the application are in ${failure.folder}."

    else -> null
}

/** The value with its warnings. @throws InputProblem with all problems */
internal fun <T> Read<T>.orRefused(): Read.Sound<T> = when (this) {
    is Read.Sound -> this
    is Read.Unsound -> throw InputProblem(problemsText(problems))
}

/** More would scroll the first ones off the screen. */
private const val MOST_SHOWN = 50

/** One paragraph per problem: position, problem, and advice. */
private fun problemsText(problems: List<Problem>): String = problems.take(MOST_SHOWN).joinToString("\n") { problem ->
    val place = listOfNotNull(problem.file, problem.line, problem.column).joinToString(":")
    val path = problem.path.takeIf { it.isNotEmpty() }?.let { "$it: " }.orEmpty()
    "$place: $path${problem.message}" + problem.hint?.let { "\n    $it" }.orEmpty()
} + (if (problems.size > MOST_SHOWN) "\nand ${problems.size - MOST_SHOWN} more" else "") + "\n" +
    (if (problems.size == 1) "1 problem" else "${problems.size} problems") +
    ". Nothing was started."
