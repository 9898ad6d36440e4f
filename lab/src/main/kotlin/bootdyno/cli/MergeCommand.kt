package bootdyno.cli

import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.interruptible
import bootdyno.model.RunFacts
import bootdyno.model.plural
import bootdyno.model.shellPath
import bootdyno.store.RoundsToMerge
import bootdyno.store.RunFolder
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.options.required
import com.github.ajalt.clikt.parameters.types.path
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path

/** Joins rounds that were measured apart. */
internal class MergeCommand :
    DynoCommand("merge", "Join rounds that were measured apart (run --round K/N) into one run, and judge it") {
    private val output by OutputOptions()
    private val out by option(metavar = "DIR", help = "The run folder to write; it must not exist").path().required()
    private val runs by argument("RUN", help = "Folders of runs with rounds of the same plan").path().multiple(required = true)

    override fun run() {
        if (runs.size < 2) throw InputProblem("Only ${runs.single()} is named.\nName the folders of two or more runs.")
        if (Files.exists(out, NOFOLLOW_LINKS)) throw InputProblem("$out exists already.\nName a new folder with --out.")
        val merged = joinRounds(runs, out, ::say)
        MeasureAndReport(this, output).run { end(judged(merged)) }
    }
}

/**
 * Joins the rounds of [runs] into the new run folder [out], and says what is missing.
 * @throws InputProblem if they are no rounds of one plan
 */
fun joinRounds(runs: List<Path>, out: Path, say: (String) -> Unit): RunFolder {
    val folders = runs.map(::openRun)
    val rounds = asInput { RoundsToMerge(folders) }
    val problems = asInput { folders.flatMap(::editedFiles) + rounds.problems }
    if (problems.isNotEmpty()) {
        throw InputProblem(
            "These runs are not rounds of one plan. Nothing was merged.\n" +
                shown(problems).joinToString("\n") { "    $it" } +
                "\nMeasure all rounds with the same experiment, files, JDK and Boot Dyno.",
        )
    }
    interruptible({ say("Interrupted. Nothing was merged.") }) { rounds.mergeInto(out) }
    val merged = openRun(out)
    val facts = merged.read()
    say("Merged ${plural(facts.trials.size, "trial")} of ${plural(facts.machines.size, "machine")} into $out.")
    missingTrials(out, facts).forEach(say)
    return merged
}

private const val MOST_SHOWN = 20

private fun shown(problems: List<String>): List<String> =
    if (problems.size <= MOST_SHOWN) problems else problems.take(MOST_SHOWN) + "… and ${problems.size - MOST_SHOWN} more"

/** Files of the run folder itself that changed since they were measured, as sentences. */
private fun editedFiles(folder: RunFolder): List<String> {
    val inputs = folder.inputs() ?: return emptyList()
    val withoutAbsolutePaths = inputs.copy(files = inputs.files.filter { !Path.of(it.path).isAbsolute })
    return changedFiles(folder, folder.plan(), withoutAbsolutePaths).map { "${folder.path}: $it" }
}

/** What a merged run in [folder] lacks, as sentences with the commands that measure it. */
internal fun missingTrials(folder: Path, facts: RunFacts): List<String> {
    val planned = facts.plan.experiment.repetition.rounds
    if (facts.otherMachines.isEmpty()) {
        if (facts.missingRounds.isEmpty()) return emptyList()
        return listOf("Some rounds are missing. Measure them on this machine: $COMMAND resume ${shellPath("$folder")}")
    }
    val numbers = facts.trials.map { it.record.trial.number }.toSet()
    val incomplete = ((1..planned) - facts.missingRounds.toSet())
        .filterNot { numbers.containsAll(facts.plan.numbersOf(it).toList()) }
    val measure = "$COMMAND run ${shellPath("$folder/experiment.yaml")} --round"
    return facts.missingRounds.map { "Round $it is missing. Measure it: $measure $it/$planned" } +
        incomplete.map { "Round $it is incomplete. Resume the run that measured it, on its machine." }
}
