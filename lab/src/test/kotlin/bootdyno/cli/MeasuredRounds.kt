package bootdyno.cli

import bootdyno.measure.measure
import bootdyno.model.Environment
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Trial
import bootdyno.plan.planText
import bootdyno.schedule.trialsOfRound
import bootdyno.store.RunFolder
import bootdyno.store.SampleRun
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime
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
    val folder = RunFolder.create(parent, "three", LocalDateTime.of(2026, 11, 23, 10, 15))
    folder.writePlan(plan, planText(plan))
    folder.writeEnvironment(environment)
    folder.writeInputs(inputsOf(plan, folder))
    rounds.flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }.forEach { folder.measure(it, sha256) }
    return folder
}

private fun RunFolder.measure(trial: Trial, sha256: String) {
    val record = SampleRun.measuredRecord.run { copy(trial = trial, subject = subject?.copy(sha256 = sha256)) }
    val load = record.load?.copy(answered = 10_000L + 10 * trial.number, due = null)
    begin(trial).finish(record.copy(load = load), SampleRun.latencies, SampleRun.series)
}

/** The files below [folder] with their bytes. */
fun contents(folder: Path): Map<String, List<Byte>> = Files.walk(folder).use { paths ->
    paths.filter { it.isRegularFile() }.toList().associate { "${folder.relativize(it)}" to it.readBytes().toList() }
}
