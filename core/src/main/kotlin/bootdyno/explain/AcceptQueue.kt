package bootdyno.explain

import bootdyno.analyse.CellAnalysis
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Stack
import bootdyno.model.count
import bootdyno.model.exact
import bootdyno.model.timeOfSeconds

private const val ACCEPT_COUNT = "server.tomcat.accept-count"
private const val SOMAXCONN = "net.core.somaxconn"

/** Spring Boot's default for Tomcat. */
private const val TOMCAT_ACCEPT_COUNT = 100.0

/** Linux repeats an attempt to connect after 1 s; less than this was no repeat. */
private const val REPEATED = 0.9

/** Where the engine cannot tell how long connecting took: the share of users whose attempts were dropped, once each at least. */
private const val MANY = 0.01

/** Connections the kernel has opened and the application has not taken yet: the queue of its listening socket. */
internal data class AcceptQueue(
    private val setup: Setup,
    /** Null where nobody knows what the application asked for. */
    private val size: Sized?,
    /** The most the kernel gives any queue; null where that was not read. */
    private val most: Long?,
    /** Attempts to connect that met it full, on the whole machine. */
    private val overflows: Double,
    /** 99 % of the connections were open after so many seconds; null where the engine cannot tell. */
    private val connectSeconds: Double?,
) {
    val limit: String get() = if (size == null) "accept queue" else "accept queue of ${exact(size.count)}"

    /** What Linux did with the attempts that met it full, and what that cost. */
    val sentences: List<String>
        get() = listOfNotNull(
            (if (size == null) "An accept queue" else "The $limit (${size.source})") + " overflowed ${exact(overflows)} times.",
            "Linux dropped these connection attempts; the client repeated each after 1 s, 3 s, 7 s and so on.",
            connectSeconds?.let { "99 % of the connections were open after ${timeOfSeconds(it)}." },
        )

    /** Of a burst. Under other loads connections stay open, and the queue is met once. */
    private val users: Int? = (setup.cell.profile.loadInWindow as? LoadProfile.Burst)?.users

    /** Whether it kept users away for seconds, so that where the CPU was not busy meanwhile it is what bound. */
    val delays: Boolean
        get() = users != null && (connectSeconds?.let { it >= REPEATED } ?: (overflows >= MANY * users))

    /** The queue that would hold everybody who came at once. */
    val longer: Advice?
        get() {
            if (users == null || size == null || size.count >= users) return null
            val knobs = listOfNotNull(
                "$ACCEPT_COUNT to $users".takeIf { setup.stack == Stack.TOMCAT },
                "$SOMAXCONN to $users".takeIf { most != null && most < users },
            ).ifEmpty { return null }
            return Advice("Set ${knobs.joinToString(" and ")}", "All ${count(users)} users then fit in the queue")
        }
}

/** Null where no queue was seen to overflow. */
internal fun acceptQueue(setup: Setup, cell: CellAnalysis, somaxconn: Long?): AcceptQueue? {
    val overflows = cell.resources[Measure.LISTEN_OVERFLOWS]?.value?.takeIf { it >= 1 } ?: return null
    val asked = when (setup.stack) {
        Stack.TOMCAT -> setup.sized(ACCEPT_COUNT, TOMCAT_ACCEPT_COUNT)

        // Netty asks for as much as the kernel gives.
        Stack.NETTY -> somaxconn?.let { Sized(it.toDouble(), SOMAXCONN) }

        Stack.UNKNOWN -> null
    }
    val cut = asked != null && somaxconn != null && somaxconn < asked.count
    val size = if (cut) Sized(somaxconn.toDouble(), "${asked.source}, cut by $SOMAXCONN") else asked
    return AcceptQueue(setup, size, somaxconn, overflows, cell.connect[Measure.P99]?.estimate?.value?.let { it / 1e3 })
}
