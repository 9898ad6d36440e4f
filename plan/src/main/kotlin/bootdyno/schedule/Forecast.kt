package bootdyno.schedule

import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.model.Trial
import bootdyno.model.WarmUp
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Rough estimate of a trial's duration by stage, for the progress bar and the plan. */
data class TrialForecast(
    val startUp: Duration,
    val warmUp: Duration,
    val settle: Duration,
    val window: Duration,
    val drain: Duration,
    val latencyAt: Duration,
    val diagnosis: Duration,
    val stop: Duration,
) {
    val total: Duration get() = startUp + warmUp + settle + window + drain + latencyAt + diagnosis + stop

    /** The duration of [trial], which may lack the last measurements, or find a process that [isWarm]. */
    internal fun of(trial: Trial, plan: Plan, isWarm: Boolean): Duration = total -
        (if (isWarm) startUp + warmUp + stop - Timing.AFTER_CHANGE else Duration.ZERO) -
        (if (plan.measuresOpenLoad(trial)) Duration.ZERO else latencyAt) -
        (if (plan.diagnoses(trial)) Duration.ZERO else diagnosis) +
        (plan.timeToMove(trial) ?: Duration.ZERO)
}

/** A Spring Boot application on one CPU: from exec to the first response, JMX connection, checked responses. A guess. */
private val START_UP = 9.seconds
private val STOP = 1.seconds

/** Extracting layers, building, and reading the Java version. A guess. */
private val IMAGE = 12.seconds

/** Rates of a capacity search, and the time for one where the throughput is unknown. Guesses. */
private const val SEARCHED = 6
private val SEARCHED_FOR = 20.seconds

/** Services start while their CPU is idle. */
private val SERVICE_START = 1.seconds

/** Requests per second and CPU in a burst, as a cold Tomcat with 200 threads served them (`docs/results/burst.json`). */
private const val BURST_PER_CPU = 5_500.0

/**
 * Estimates one trial of [cell]. The drain after the window takes requests in flight / throughput, so the [expected] throughput (requests
 * per second, from the ceilings; null if unknown) matters for the slowest cells.
 */
fun forecast(plan: Plan, cell: Cell, expected: (Cell) -> Double? = { null }): TrialForecast {
    val warmUp = plan.warmUp(cell)
    return TrialForecast(
        startUp = SERVICE_START * plan.services(cell).size +
            if (cell.subject.origin is Origin.Url) Duration.ZERO else START_UP / minOf(cell.limits.cpus ?: 1.0, 2.0),
        warmUp = warmUp.length(cell),
        settle = settling(cell, warmUp),
        window = window(cell),
        drain = drain(cell, expected(cell)),
        latencyAt = (settling(cell) + Timing.OPEN_WINDOW) * cell.latencyAt.size +
            if (plan.experiment.capacity != null && cell.profile.hasCapacity) search(cell, expected(cell)) else Duration.ZERO,
        diagnosis = Timing.DIAGNOSIS + Timing.DRAIN_DIAGNOSIS,
        stop = if (cell.subject.origin is Origin.Url) Duration.ZERO else STOP,
    )
}

private fun search(cell: Cell, expected: Double?): Duration =
    (settling(cell) + (expected?.let(::searchWindow) ?: SEARCHED_FOR)) * SEARCHED

/**
 * These [rounds], by default all that are planned, and their preparations. Adaptive stopping may add rounds until the budget is spent.
 */
fun expectedDuration(
    plan: Plan,
    rounds: List<Int> = (1..plan.experiment.repetition.rounds).toList(),
    expected: (Cell) -> Double? = { null },
): Duration {
    val cells = plan.cells.associate { it.id to forecast(plan, it, expected) }
    fun round(number: Int): Duration {
        val warm = mutableSetOf<ProcessToShare>()
        return trialsOfRound(plan, number, 1).fold(Duration.ZERO) { sum, trial ->
            val isWarm = plan.processOf(trial)?.let { !warm.add(it) } ?: false
            sum + cells.getValue(trial.cell).of(trial, plan, isWarm)
        }
    }
    val first = if (1 in rounds) round(1) else Duration.ZERO
    return first + round(2) * rounds.count { it > 1 } + preparing(plan)
}

private fun preparing(plan: Plan): Duration = when (plan.experiment.place) {
    RunPlace.Process ->
        plan.cells.map { it.variant }.distinct().fold(Duration.ZERO) { sum, variant -> sum + preparing(variant.runtime) }

    is RunPlace.Docker -> IMAGE * plan.cells.map { it.subject.origin }.distinct().size
}

/** Once per run and variant. A guess. */
internal fun preparing(form: RuntimeForm): Duration = when (form) {
    RuntimeForm.JAR, RuntimeForm.SPRING_AOT -> Duration.ZERO

    RuntimeForm.EXTRACTED -> 2.seconds

    // Extract, start on all CPUs, train, and write the archive.
    RuntimeForm.APP_CDS -> 2.seconds + 6.seconds + Timing.TRAINING + 4.seconds

    RuntimeForm.AOT_CACHE, RuntimeForm.SPRING_AOT_AND_CACHE -> 2.seconds + 6.seconds + Timing.TRAINING + 10.seconds

    RuntimeForm.NATIVE -> 180.seconds
}

private fun WarmUp.length(cell: Cell): Duration = when (this) {
    is WarmUp.Cold -> Duration.ZERO
    is WarmUp.Certified -> if (cell.lawLike) lawLikeAtMost(lawLike) else budget
}

/** A burst ends by itself, at an unknown rate. Its expected throughput is a ceiling and often far too high. */
private fun window(cell: Cell): Duration {
    val burst = cell.profile.loadInWindow as? LoadProfile.Burst ?: return cell.profile.window
    val seconds = burst.users.toDouble() * burst.requestsEach / (BURST_PER_CPU * (cell.limits.cpus ?: 1.0))
    return minOf(cell.profile.window, seconds.seconds)
}

private fun drain(cell: Cell, perSecond: Double?): Duration {
    val held = cell.workload.holds ?: Duration.ZERO
    val inFlight = (cell.profile.load as? LoadProfile.Closed)?.connections ?: 0
    val queue = if (perSecond == null || perSecond <= 0) Duration.ZERO else (inFlight / perSecond).seconds
    return minOf(maxOf(held, queue), Timing.DRAIN_AFTER)
}
