package bootdyno.cli

import bootdyno.measure.InputProblem
import bootdyno.model.Plan
import bootdyno.model.shellPath
import bootdyno.plan.planText
import bootdyno.store.hiddenIn
import bootdyno.store.redact
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.StandardOpenOption

private val HEAD = """# An experiment of Boot Dyno: $COMMAND plan and $COMMAND run take it. Its keys: docs/experiment.md.
# Keys of a variant that are often added: settings, jvm, env, java, runtime, limits.
"""

/**
 * Writes [plan] as a commented experiment file, without its secrets. [notes]: further lines of its head.
 * @throws InputProblem if there is such a [file], or it cannot be written
 */
internal fun writeExperiment(plan: Plan, file: Path, say: (String) -> Unit, notes: List<String> = emptyList()) {
    val shown = redact(plan)
    val text = HEAD + notes.joinToString("") { "# $it\n" } + planText(shown, commented = true)
    refuseExisting(file)
    writing("$file", "Name another one by --write-experiment.") {
        Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
    }
    say("$file is written. Measure it: $COMMAND run ${shellPath("$file")}")
    val hidden = hiddenIn(shown)
    if (hidden.isNotEmpty()) say("It has no secrets. Fill them in: ${hidden.joinToString()}.")
}

/** @throws InputProblem if there is such a [file] */
internal fun refuseExisting(file: Path) {
    if (!Files.exists(file, NOFOLLOW_LINKS)) return
    throw InputProblem("There is a file $file already.\nName another one by --write-experiment, or remove it.")
}
