package bootdyno.plan

import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.model.WarmUp
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** How long one trial will take, phase by phase: a rough guess from what was seen, for a progress bar and a first "is it worth it?". */
data class TrialForecast(
    val startUp: Duration,
    val warmUp: Duration,
    val settle: Duration,
    val window: Duration,
    val drain: Duration,
    /** The points of open load after the window. */
    val latencyAt: Duration,
    val stop: Duration,
) {
    val total: Duration get() = startUp + warmUp + settle + window + drain + latencyAt + stop
}

/** A Spring Boot application on one CPU: exec to first good answer, attaching to it, checking its answers. The certainty of a guess. */
private val START_UP = 9.seconds
private val STOP = 1.seconds

/** Laid out in layers, built, and its java asked for its number. The certainty of a guess. */
private val IMAGE = 12.seconds

/** A service starts on a CPU that nothing else needs yet. */
private val SERVICE_START = 1.seconds

/** Requests a second that one CPU answers in a burst, cold and warm taken together. The certainty of a guess. */
private const val BURST_PER_CPU = 10_000.0

/**
 * Forecasts one trial of [cell]. What drains after the window is what is in flight divided by what is served, so knowing the throughput
 * ([expected] of a cell, requests a second, from the ceilings; null when nothing is known) matters for the slowest cells.
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
        latencyAt = (settling(cell) + Timing.OPEN_WINDOW) * cell.latencyAt.size,
        stop = if (cell.subject.origin is Origin.Url) Duration.ZERO else STOP,
    )
}

/** The rounds that are certain, and what is prepared for them once; adaptive stopping may add more, at most until the protocol's budget is spent. */
fun expectedDuration(plan: Plan, expected: (Cell) -> Double? = { null }): Duration {
    val cells = plan.cells.associate { it.id to forecast(plan, it, expected).total }
    val round = trialsOfRound(plan, 1, 1).fold(Duration.ZERO) { sum, trial -> sum + cells.getValue(trial.cell) }
    return round * plan.experiment.repetition.rounds + preparing(plan)
}

private fun preparing(plan: Plan): Duration = when (plan.experiment.place) {
    RunPlace.Process ->
        plan.cells.map { it.variant }.distinct().fold(Duration.ZERO) { sum, variant -> sum + preparing(variant.runtime) }

    is RunPlace.Docker -> IMAGE * plan.cells.map { it.subject.origin }.distinct().size
}

/** Once a run, for each variant. The certainty of a guess. */
internal fun preparing(form: RuntimeForm): Duration = when (form) {
    RuntimeForm.JAR, RuntimeForm.SPRING_AOT -> Duration.ZERO

    RuntimeForm.EXTRACTED -> 2.seconds

    // Extracted, started with every CPU there is, trained, and its archive written.
    RuntimeForm.APP_CDS -> 2.seconds + 6.seconds + Timing.TRAINING + 4.seconds

    RuntimeForm.AOT_CACHE, RuntimeForm.SPRING_AOT_AND_CACHE -> 2.seconds + 6.seconds + Timing.TRAINING + 10.seconds

    RuntimeForm.NATIVE -> 180.seconds
}

private fun WarmUp.length(cell: Cell): Duration = when (this) {
    is WarmUp.Cold -> Duration.ZERO
    is WarmUp.Certified -> if (cell.lawLike) lawLike else budget
}

/** A burst ends by itself, at a rate nobody knows before: the throughput expected of it is a ceiling, often far too high. */
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
