package bootdyno.measure

import bootdyno.plan.Problem
import bootdyno.plan.Read
import com.github.ajalt.clikt.core.CliktError

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
