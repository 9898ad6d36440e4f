package bootdyno.explain

import bootdyno.analyse.CellAnalysis
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Stack
import bootdyno.model.count
import bootdyno.model.exact
import bootdyno.model.timeOfSeconds
import kotlin.time.Duration.Companion.seconds

private const val ACCEPT_COUNT = "server.tomcat.accept-count"
private const val SOMAXCONN = "net.core.somaxconn"

/** Spring Boot's default for Tomcat. */
private const val TOMCAT_ACCEPT_COUNT = 100.0

/** Connections the kernel has opened and the application has not taken yet: the queue of its listening socket. */
internal data class AcceptQueue(
    /** Null where nobody knows what the application asked for. */
    val size: Sized?,
    /** The most the kernel gives any queue; null where that was not read. */
    val most: Long?,
    /** Attempts to connect that met it full, on the whole machine. */
    val overflows: Double,
    /** 99 % of the connections were open after so many seconds; null where the engine cannot tell. */
    val connectSeconds: Double?,
) {
    val limit: String get() = if (size == null) "accept queue" else "accept queue of ${exact(size.count)}"

    /** What Linux did with the attempts that met it full, and what that cost. */
    val sentences: List<String>
        get() = listOfNotNull(
            (if (size == null) "An accept queue" else "The $limit (${size.source})") + " overflowed ${exact(overflows)} times.",
            "Linux dropped these connection attempts; the client repeated each after 1 s, 3 s, 7 s and so on.",
            connectSeconds?.let { "99 % of the connections were open after ${timeOfSeconds(it)}." },
        )
}

/** Null where no queue was seen to overflow. */
internal fun acceptQueue(setup: Setup, cell: CellAnalysis, somaxconn: Long?): AcceptQueue? {
    val overflows = cell.resources[Measure.LISTEN_OVERFLOWS]?.value?.takeIf { it >= 1 } ?: return null
    val asked = when (setup.stack) {
        Stack.TOMCAT -> sized(setup.setting(ACCEPT_COUNT), ACCEPT_COUNT, TOMCAT_ACCEPT_COUNT)

        // Netty asks for as much as the kernel gives.
        Stack.NETTY -> somaxconn?.let { Sized(it.toDouble(), SOMAXCONN) }

        Stack.UNKNOWN -> null
    }
    val cut = asked != null && somaxconn != null && somaxconn < asked.count
    return AcceptQueue(
        size = if (cut) asked.copy(count = somaxconn.toDouble(), source = "${asked.source}, cut by $SOMAXCONN") else asked,
        most = somaxconn,
        overflows = overflows,
        connectSeconds = cell.connect[Measure.P99]?.estimate?.value?.let { it / 1e3 },
    )
}

/** Linux repeats an attempt to connect after 1 s; less than this was no repeat. */
private const val REPEATED = 0.9

/** Where the engine cannot tell how long connecting took: the share of users whose attempts were dropped, once each at least. */
private const val MANY = 0.01

/**
 * Whether it kept users of a burst away for seconds, so that where the CPU was not busy meanwhile it is what bound. Under other
 * loads connections stay open, and the queue is met once.
 */
internal fun AcceptQueue.delays(setup: Setup): Boolean {
    val users = (setup.cell.profile.loadInWindow as? LoadProfile.Burst)?.users ?: return false
    return connectSeconds?.let { it >= REPEATED } ?: (overflows >= MANY * users)
}

/** The queue that would hold everybody who came at once. */
internal fun AcceptQueue.longer(setup: Setup): Advice? {
    val users = (setup.cell.profile.loadInWindow as? LoadProfile.Burst)?.users ?: return null
    if (size == null || size.count >= users) return null
    val knobs = listOfNotNull(
        "$ACCEPT_COUNT to $users".takeIf { setup.stack == Stack.TOMCAT },
        "$SOMAXCONN to $users".takeIf { most != null && most < users },
    )
    if (knobs.isEmpty()) return null
    return Advice("Set ${knobs.joinToString(" and ")}", "All ${count(users)} users then fit in the queue")
}
