package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.analyse.analyse
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.Environment
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.Limits
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Prediction
import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.RunFacts
import bootdyno.model.Series
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import java.util.Random
import kotlin.math.exp
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

private const val WINDOW_SECONDS = 10.0

/**
 * The machines of [SimulatedRuns], which measure rounds in turn. [speeds]: relative to each other; [wander]: standard deviation of
 * the logarithm of a machine's speed from round to round; [differ]: standard deviation of the logarithm of each ratio to the baseline
 * between machines; [disturbed]: factor of the noise on the last machine. [known]: whether the judgement knows the machine of a round.
 */
class SimulatedMachines(
    val speeds: List<Double> = listOf(1.0),
    val wander: Double = 0.2,
    val differ: Double = 0.0,
    val disturbed: Double = 1.0,
    val known: Boolean = true,
)

/**
 * Runs whose truth is known. The speed of the only machine changes by 20 % from round to round, unless there are other [machines]; each
 * trial has log-normal noise; the baseline, the first cell, is measured twice per round. [prediction]: of the only candidate. [truths]: throughput relative to the baseline; [noises]: standard deviation of the logarithm, by
 * cell; [slow]: share of trials at half speed; [drift]: change of the machine's speed over the run, −0.3 for 30 % slower at its end.
 */
class SimulatedRuns(
    private val truths: List<Double>,
    private val noises: List<Double>,
    private val rounds: Int,
    private val claims: List<Claim> = emptyList(),
    private val slow: Double = 0.0,
    private val drift: Double = 0.0,
    private val prediction: Prediction? = null,
    private val machines: SimulatedMachines = SimulatedMachines(),
    /** After which the run may end. */
    private val fewest: Int = rounds,
) {
    /** The same [noise] in all cells. */
    constructor(truths: List<Double>, noise: Double, rounds: Int, claims: List<Claim> = emptyList()) :
        this(truths, truths.map { noise }, rounds, claims)

    private val cells = truths.indices.map { cell(if (it == 0) BASELINE else candidate(it)) }
    private val repetition = Repetition(Preset.STANDARD, SEED, fewest, rounds, WarmUp.Cold, 1.hours, again = true)
    private val plan = planOf("simulated", cells, repetition, claims, prediction)

    fun run(random: Random): RunFacts {
        val effects = machines.speeds.map { truths.indices.map { cell -> effect(cell, random) } }
        val trials = (1..rounds).flatMap { round ->
            val number = machineOf(round)
            val noisier = if (number > 0 && number == machines.speeds.lastIndex) machines.disturbed else 1.0
            val wandered = exp(machines.wander * random.nextGaussian()) * (1 + drift * (round - 1) / rounds)
            val machine = BASIC_RATE * machines.speeds[number] * wandered
            fun rate(cell: Int): Double {
                val speed = if (random.nextDouble() < slow) 0.5 else 1.0
                val noise = noises[cell] * noisier * random.nextGaussian()
                return machine * truths[cell] * speed * exp(noise + effects[number][cell])
            }
            cells.mapIndexed { i, cell -> trial(cell.id, round, rate(i), again = false) } +
                trial(BASELINE, round, rate(0), again = true)
        }
        val numbered = trials.mapIndexed { i, it -> it.numbered(i + 1) }
        val environments = environments()
        return RunFacts(plan, environments.first(), numbered, otherMachines = environments.drop(1))
    }

    /** What a machine adds to the logarithm of a ratio. */
    private fun effect(cell: Int, random: Random): Double =
        if (cell == 0 || machines.differ == 0.0) 0.0 else machines.differ * random.nextGaussian()

    private fun machineOf(round: Int) = (round - 1) % machines.speeds.size

    private fun environments(): List<Environment> {
        if (machines.speeds.size == 1 || !machines.known) return listOf(ENVIRONMENT)
        val rounds = (1..rounds).groupBy(::machineOf)
        return rounds.map { (number, own) -> ENVIRONMENT.copy(cpuModel = "CPU $number", bootId = "$number", rounds = own) }
    }

    /** The share of [runs] runs, with a fixed seed, whose analysis [happens] accepts. */
    fun share(runs: Int = RUNS, happens: (Analysis) -> Boolean): Double = shares(runs, happens)[true] ?: 0.0

    /** [runs] runs that a preset of [fewest] to [rounds] rounds ended, or its budget after [inBudget] rounds. */
    internal fun stops(runs: Int = RUNS, inBudget: Int = rounds): List<StoppedRun> =
        Random(SEED).let { random -> List(runs) { stopped(this, random, inBudget) } }

    /** The shares of [runs] runs, with a fixed seed, by what [outcome] says of their analysis. */
    fun <T> shares(runs: Int = RUNS, outcome: (Analysis) -> T): Map<T, Double> {
        val random = Random(SEED)
        return (1..runs).groupingBy { outcome(analyse(run(random), forecasts = false)) }.eachCount()
            .mapValues { it.value / runs.toDouble() }
    }

    private fun cell(id: CellId) = Cell(
        id = id,
        variant = Variant(id.text.substringBefore('/'), "subject"),
        subject = Subject("subject", Origin.Jar("subject.jar")),
        workload = Workload("work", listOf(Step("work", path = "/work"))),
        profile = NamedProfile("load", LoadProfile.Closed(400), WINDOW_SECONDS.seconds, 60.seconds),
        limits = Limits(null, null, CpuBy.QUOTA),
    )

    private fun trial(cell: CellId, round: Int, perSecond: Double, again: Boolean) = TrialFacts(
        TrialRecord(trial = Trial(0, round, cell, again), ending = Ending.Measured, startedAt = "", load = load(perSecond)),
        null,
        Series(emptyList()),
    )

    private fun load(perSecond: Double) = LoadFound(
        engine = "simulated",
        windowSeconds = WINDOW_SECONDS,
        answered = Math.round(perSecond * WINDOW_SECONDS),
        errors = ErrorCause.entries.associateWith { 0L },
        generator = GeneratorFound(cpuSeconds = 1.0, cpus = 1.0, lagP99Ms = null),
        inFlight = 0, due = null, leftBefore = 0, leftAfter = 0, drainSeconds = 0.0,
    )

    private fun TrialFacts.numbered(number: Int) = copy(record = record.copy(trial = record.trial.copy(number = number)))

    companion object {
        /** Requests per second of the baseline on a machine of speed 1. */
        const val BASIC_RATE = 1000.0

        private const val SEED = 20_261_123L
        private const val RUNS = 1000
        val BASELINE = CellId("baseline/work")

        fun candidate(index: Int) = CellId("candidate$index/work")

        private val ENVIRONMENT = Environment(
            bootDyno = "0", startedAt = "", os = "Linux", kernel = "6", cpuModel = null, cpus = 4, memory = null, jdk = "25",
            cgroup = "cgroup v2", somaxconn = null, openFiles = null, loadAverage = null, governor = "performance",
            virtualMachine = null,
        )
    }
}
