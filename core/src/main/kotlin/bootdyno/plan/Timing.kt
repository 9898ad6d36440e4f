package bootdyno.plan

import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.WarmUp
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** How long load runs before the window: not at all where the first request counts, which is the nature of a burst. */
fun settling(cell: Cell, warmUp: WarmUp): Duration =
    if (warmUp is WarmUp.Cold || cell.profile.load is LoadProfile.Burst) Duration.ZERO else settling(cell)

/** Until as many requests are under way as will be: twice what one takes, as far as that is known. */
fun settling(cell: Cell): Duration = maxOf(Timing.SETTLE, (cell.workload.holds ?: Duration.ZERO) * 2)

/**
 * Connections that warm a subject up for open load: as many as it will have requests under way, by Little's law, so that the heap and the
 * connections it needs for them are there; [Timing.WARMING_CONNECTIONS] at least, since a few never reach what makes the compiler begin.
 */
fun warmingConnections(cell: Cell, load: LoadProfile.Open): Int {
    val seconds = cell.workload.holds?.toDouble(DurationUnit.SECONDS) ?: 0.0
    return maxOf(Timing.WARMING_CONNECTIONS, ceil(load.perSecond * cell.workload.steps.size * seconds).toInt())
}

/** What is the same in every trial; the plan forecasts by it and the conductor keeps to it. */
object Timing {
    /** Load runs this long at least before a window opens, so that the window sees none of its beginning. */
    val SETTLE: Duration = 2.seconds

    /** How long a subject or a service may take to start where it does not say so itself: a JVM on a slice of a busy CPU needs its time. */
    val READY_WITHIN: Duration = 2.minutes

    /** Connections that warm a subject up where its load says no number: no more than the shortest accept queue, Tomcat's 100. */
    const val WARMING_CONNECTIONS: Int = 100

    /** The longest a burst may take when its profile does not say: it ends by itself, when its last user has. */
    val BURST_WINDOW: Duration = 10.minutes

    /** How long latency is measured at each share of the capacity. */
    val OPEN_WINDOW: Duration = 10.seconds

    /** How long a short real run under load trains an archive or a cache, all its workloads together. */
    val TRAINING: Duration = 10.seconds

    /** The longest wait for answers due from a warm-up: what is abandoned keeps a subject busy inside the window. */
    val DRAIN_BEFORE: Duration = 60.seconds

    /** The longest wait after the window: the subject is stopped anyway, late answers only tell whether it still worked. */
    val DRAIN_AFTER: Duration = 5.seconds
}
