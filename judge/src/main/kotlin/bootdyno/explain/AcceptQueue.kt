package bootdyno.explain

import bootdyno.analyse.CellAnalysis
import bootdyno.catalogue.TOMCAT_ACCEPT_QUEUE
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Stack
import bootdyno.model.count
import bootdyno.model.timeOfSeconds
import bootdyno.occupancy.Size
import kotlin.math.roundToLong

private const val SOMAXCONN = "net.core.somaxconn"

/** Linux repeats a connection attempt after 1 s; a shorter time was no repeat. */
private const val RETRY_SECONDS = 0.9

/** Minimum share of users with dropped attempts, if the engine does not measure connect times. */
private const val LEAST_DROPPED_SHARE = 0.01

/** The accept queue: connections opened by the kernel and not yet accepted by the application. */
internal data class AcceptQueue(
    private val setup: Setup,
    /** Null if the application's setting is unknown. */
    private val size: Size?,
    /** The kernel's maximum for any queue; null if not read. */
    private val most: Long?,
    /** Connection attempts that found a full queue, on the whole machine. */
    private val overflows: Double,
    /** p99 of the time to open a connection, s; null if the engine does not measure it. */
    private val connectSeconds: Double?,
) {
    val limit: LimitName get() = LimitName("accept queue" + size?.let { " of ${count(it.units)}" }.orEmpty())

    /** What Linux did with these attempts, and the resulting delay. */
    val sentences: List<String>
        get() = listOfNotNull(
            (if (size == null) "An accept queue" else "The $limit (${size.source})") +
                " overflowed ${count(overflows.roundToLong())} times a trial.",
            "Linux dropped these connection attempts; the client repeated each after 1 s, 3 s, 7 s and so on.",
            connectSeconds?.let { "99 % of the connections were open after ${timeOfSeconds(it)}." },
        )

    /** Users of a burst. Under other loads connections stay open, so that the queue matters only once. */
    private val users: Int? = (setup.cell.profile.loadInWindow as? LoadProfile.Burst)?.users

    /** Whether it delayed users for seconds. If the CPU was not busy, the queue is the bottleneck then. */
    val delays: Boolean
        get() = users != null && (connectSeconds?.let { it >= RETRY_SECONDS } ?: (overflows >= LEAST_DROPPED_SHARE * users))

    /** Advice for a queue that holds all users of the burst. */
    val longer: Advice?
        get() {
            if (users == null || size == null || size.units >= users) return null
            val settings = listOfNotNull(
                TOMCAT_ACCEPT_QUEUE.setting?.takeIf { setup.stack == Stack.TOMCAT }?.let { "${it.key} to $users" },
                "$SOMAXCONN to $users".takeIf { most != null && most < users },
            ).ifEmpty { return null }
            return Advice("Set ${settings.joinToString(" and ")}", "All ${count(users)} users then fit in the queue")
        }
}

/** Null without overflows. */
internal fun acceptQueue(setup: Setup, cell: CellAnalysis, somaxconn: Long?): AcceptQueue? {
    val overflows = cell.resources[Measure.LISTEN_OVERFLOWS]?.value?.takeIf { it >= 1 } ?: return null
    val configured = when (setup.stack) {
        Stack.TOMCAT -> setup.size(TOMCAT_ACCEPT_QUEUE)

        // Netty uses the kernel's maximum.
        Stack.NETTY -> somaxconn?.let { Size(it.toInt(), SOMAXCONN) }

        Stack.UNKNOWN -> null
    }
    val cut = configured != null && somaxconn != null && somaxconn < configured.units
    val size = if (cut) Size(somaxconn.toInt(), "${configured.source}, cut by $SOMAXCONN") else configured
    return AcceptQueue(setup, size, somaxconn, overflows, cell.connect[Measure.P99]?.estimate?.value?.let { it / 1e3 })
}
