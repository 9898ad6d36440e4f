package bootdyno.cli

import bootdyno.analyse.AGAINST_BOTH
import bootdyno.measure.InputProblem
import bootdyno.measure.madeStateFolder
import bootdyno.measure.stateFolder
import bootdyno.model.Environment
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Plan
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.stats.DEFAULT_LEVEL
import bootdyno.stats.Looks
import bootdyno.stats.foundBy
import bootdyno.stats.samplesFor
import bootdyno.store.DamagedFile
import bootdyno.store.JsonFile
import bootdyno.system.nullOn
import kotlinx.serialization.Serializable
import java.nio.file.Path
import kotlin.io.path.isRegularFile
import kotlin.io.path.writeText
import kotlin.math.abs
import kotlin.math.ceil

/** What [rounds] rounds show of two equal builds. Shares: 0.02 is 2 %. */
@Serializable
data class ShownByRounds(
    val rounds: Int,
    /** The smallest difference of the throughput that is found in 80 % of runs. */
    val smallestDifference: Double,
    /** The share of runs that call equal builds different; null where too few rounds were measured to tell. */
    val falseAlarms: Double?,
)

/** `runner.json`: how far the throughputs of one application differ within a round on this machine, measured by `bench runner`. */
@Serializable
data class RunnerNoise(
    val schemaVersion: Int = 1,
    val environment: Environment,
    /** Rounds that were measured. */
    val rounds: Int,
    /** Standard deviation of the logarithm of the ratio of the two trials of a round. */
    val deviation: Double,
    val shown: List<ShownByRounds>,
)

/** Where `bench runner` leaves what it measured. */
fun runnerFile(): Path = stateFolder().resolve(RUNNER_FILE)

private const val RUNNER_FILE = "runner.json"

/** Replaces what was measured before. @throws InputProblem if the file cannot be written */
fun writeRunnerNoise(noise: RunnerNoise): Path = madeStateFolder().resolve(RUNNER_FILE).also { file ->
    writing("$file", "Set XDG_STATE_HOME to a folder that can be written to.") {
        file.writeText(JsonFile.text(RunnerNoise.serializer(), noise))
    }
}

/** Null without a readable file. */
internal fun readRunnerNoise(file: Path): RunnerNoise? = nullOn(DamagedFile::class) {
    if (file.isRegularFile()) JsonFile.read(RunnerNoise.serializer(), file) else null
}

/** @throws InputProblem if a rule of [plan] is finer than [machine] shows in the planned rounds, as far as `bench runner` has measured that */
internal fun refuseTooFineRules(plan: Plan, machine: Environment, file: Path = runnerFile()) {
    tooFineHere(plan, machine, file)?.let { throw InputProblem("$it\nNothing was started.") }
}

/** [tooFine] by what `bench runner` measured on [machine], and how to measure all the same. */
internal fun tooFineHere(plan: Plan, machine: Environment, file: Path = runnerFile()): String? =
    readRunnerNoise(file)?.takeIf { it.environment.looksLike(machine) }?.let { tooFine(plan, it) }
        ?.let { "$it To measure all the same, remove $file." }

/**
 * Which rule is finer than [noise] allows, from which difference on this machine shows one, and what to do; null if none is. Of a plan with one round
 * none is: it decides no rule. The error is shared by the measures of the rules, as if each had one comparison: with more cells even larger differences
 * are missed.
 */
internal fun tooFine(plan: Plan, noise: RunnerNoise): String? {
    val repetition = plan.experiment.repetition
    val rounds = repetition.maxRounds.takeIf { it > 1 } ?: return null
    val error = (1 - DEFAULT_LEVEL) / measuresJudged(plan)
    val errorOfLook = 1 - Looks(repetition.rounds, rounds).levelAt(rounds, error)
    val twice = plan.twice.map { it.id }
    fun deviation(gate: Gate) = noise.deviation * if (gate.left.cell in twice || gate.right?.cell in twice) AGAINST_BOTH else 1.0
    fun smallest(gate: Gate) = foundBy(rounds, deviation(gate), errorOfLook)
    val gate = plan.experiment.gates.filter { isComparable(it, plan) }.find { it.allowed < smallest(it) } ?: return null
    val least = roundedUp(smallest(gate))
    val enough = samplesFor(gate.allowed, deviation(gate), error)?.let { ", or measure more: --rounds $it" }.orEmpty()
    val date = noise.environment.startedAt.take(DATE)
    return "The rule ${gate.text} allows ${percent(gate.allowed)}. In ${plural(rounds, "round")}, this machine shows " +
        "differences from $least (`bench runner`, $date).\nAllow $least$enough."
}

private const val DATE = "2026-11-27".length

/** Those that share the error of the rules, see `Comparisons`. */
private fun measuresJudged(plan: Plan): Int = (plan.experiment.gates.map { it.left.measure } + Measure.THROUGHPUT).distinct().size

/**
 * Whether [gate] names a difference that `bench runner` measures: of the throughput of two cells within a round, under closed load, and smaller than
 * which is none. So cells that are equal must pass: `a.throughput >= 0.97 * b.throughput`, which is also *slower by 3 %*. Not comparable are
 * - a plain number (`>= 790/s`): the two cells of a round have in common what differs from round to round, and one has not;
 * - a demanded advantage (`>= 1.8 * b`, `>= b`): how far it is exceeded is known after the run;
 * - open load and a declared wait (`holds`): the load or a limit sets the throughput, and it varies less than that of computed work;
 * - other measures, operations, and two different measures.
 */
private fun isComparable(gate: Gate, plan: Plan): Boolean {
    val sides = listOfNotNull(gate.left, gate.right)
    val equalCellsPass = if (gate.atLeast) gate.factor < 1 else gate.factor > 1
    return sides.size == 2 && equalCellsPass && sides.all { side ->
        val cell = plan.cell(side.cell)
        side.measure == Measure.THROUGHPUT && side.operation == null && cell.profile.load.isClosed && !cell.lawLike
    }
}

/** The difference that the rule allows, as a share. */
private val Gate.allowed: Double get() = abs(1 - factor)

/** In steps of 0.1 %, so that a rule of this share is not refused again. */
private fun roundedUp(share: Double): String = percent(ceil(share * STEPS_OF_SHARE) / STEPS_OF_SHARE)

private const val STEPS_OF_SHARE = 1000.0
