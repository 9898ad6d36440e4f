package bootdyno.cli

import bootdyno.model.Environment
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Trial
import bootdyno.plan.planText
import bootdyno.schedule.trialsOfRound
import bootdyno.store.RunFolder
import bootdyno.store.SampleRun
import bootdyno.store.keep
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isRegularFile
import kotlin.io.path.readBytes

/** A plan of two cells in three rounds, of the application [jar]. */
fun threeRounds(jar: Path, seed: Long = 42): Plan = SampleRun.plan.run {
    val repetition = experiment.repetition.copy(seed = seed, rounds = 3, maxRounds = 3, again = false)
    val subjects = experiment.subjects.map { it.copy(origin = Origin.Jar("$jar")) }
    val judged = experiment.copy(gates = emptyList(), claims = emptyList(), published = emptyList())
    of(judged.copy(subjects = subjects, repetition = repetition))
}

/** A run in [parent] of these [rounds]; the number of a trial decides how much it served. */
fun measuredRounds(parent: Path, plan: Plan, environment: Environment, rounds: List<Int>, sha256: String = "00ff"): RunFolder {
    val folder = SampleRun.folder(parent, "three", plan, planText(plan), day = 23)
    folder.writeEnvironment(environment)
    folder.writeInputs(inputsOf(plan, folder))
    rounds.flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }.forEach { folder.measure(it, sha256) }
    return folder
}

private fun RunFolder.measure(trial: Trial, sha256: String) {
    val outcome = SampleRun.outcome(trial, answered = 10_000L + 10 * trial.number)
    keep(outcome.copy(record = outcome.record.run { copy(subject = subject?.copy(sha256 = sha256)) }))
}

/** The files below [folder] with their bytes. */
fun contents(folder: Path): Map<String, List<Byte>> = Files.walk(folder).use { paths ->
    paths.filter { it.isRegularFile() }.toList().associate { "${folder.relativize(it)}" to it.readBytes().toList() }
}
