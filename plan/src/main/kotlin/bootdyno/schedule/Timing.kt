package bootdyno.schedule

import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.WarmUp
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** With fewer requests, random arrivals alone change the offered rate by more than 1.4 %. */
private const val REQUESTS_OF_A_STEP = 5_000.0
private val LONGEST_STEP = 30.seconds

/** Duration of load before the window; zero if the first request counts, as in bursts. */
fun settling(cell: Cell, warmUp: WarmUp): Duration =
    if (warmUp is WarmUp.Cold || cell.profile.load.isBurst) Duration.ZERO else settling(cell)

/** Time until the number of requests in flight is stable: twice the known time of a request. */
fun settling(cell: Cell): Duration = maxOf(Timing.SETTLE, (cell.workload.holds ?: Duration.ZERO) * 2)

/**
 * Number of warm-up connections for open load: the expected number of requests in flight by Little's law, so that heap and connections
 * exist. At least [Timing.WARMING_CONNECTIONS], because few connections may not trigger the compiler.
 */
fun warmingConnections(cell: Cell, load: LoadProfile.Open): Int {
    val seconds = cell.workload.holds?.toDouble(DurationUnit.SECONDS) ?: 0.0
    return maxOf(Timing.WARMING_CONNECTIONS, ceil(load.perSecond * cell.workload.requestsPerArrival * seconds).toInt())
}

/** Duration of the measurement at a rate: about 5,000 requests, 10 s to 30 s. */
fun searchWindow(perSecond: Double): Duration =
    (REQUESTS_OF_A_STEP / perSecond).seconds.coerceIn(Timing.OPEN_WINDOW, LONGEST_STEP)

/** Time limit of the warm-up of a law-like cell, which ends earlier if the compiler is done after [length]. */
fun lawLikeAtMost(length: Duration): Duration = maxOf(length, Timing.LAW_LIKE_AT_MOST)

/** Times that are equal for all trials, for the forecast and the run. */
object Timing {
    /** Minimum duration of load before a window. */
    val SETTLE: Duration = 2.seconds

    /**
     * See [lawLikeAtMost]. With one compiler thread and 400 connections on a slow
     * machine, C2 was done after 16 to 19 s in most cells.
     */
    val LAW_LIKE_AT_MOST: Duration = 20.seconds

    /** Default time limit of a start, for a JVM on a small CPU quota of a busy machine. */
    val READY_WITHIN: Duration = 2.minutes

    /** Number of warm-up connections if the load has none: at most the shortest accept queue, Tomcat's 100. */
    const val WARMING_CONNECTIONS: Int = 100

    /** Default time limit of a burst, which usually ends with its last user. */
    val BURST_WINDOW: Duration = 10.minutes

    /** Duration of a latency measurement at each share of the capacity. */
    val OPEN_WINDOW: Duration = 10.seconds

    /** Duration of load in a diagnosis that does not end early. With opening connections and [DRAIN_DIAGNOSIS], it takes 7.5 to 8 s. */
    val DIAGNOSIS: Duration = 7.seconds

    /** Time limit of a diagnosis in which limits are changed within its own time; single requests may follow. */
    val LONGEST_DIAGNOSIS: Duration = 8.seconds

    /** Time limit of the drain after a diagnosis, whose responses are not needed. */
    val DRAIN_DIAGNOSIS: Duration = 0.5.seconds

    /** The same where single requests follow, which no other may disturb. */
    val DRAIN_BEFORE_SINGLE: Duration = 1.5.seconds

    /** Duration of load that does not count, after a setting was changed in a process that several trials share. */
    val AFTER_CHANGE: Duration = 1.seconds

    /** Time limit for changing limits of a cell's subject after its observation. */
    val MOVING: Duration = 20.seconds

    /** Duration of load in a training run, for all workloads together. */
    val TRAINING: Duration = 10.seconds

    /** Time limit of the drain after a warm-up. Abandoned requests would keep the subject busy inside the window. */
    val DRAIN_BEFORE: Duration = 60.seconds

    /** Time limit for the recovery from a rate of a capacity search, whose requests may have timed out and are still worked on. */
    val RECOVERY: Duration = 60.seconds

    /** Time limit of the drain after the window. The subject is stopped next; late responses only show that it still worked. */
    val DRAIN_AFTER: Duration = 5.seconds
}
