package bootdyno.explain

import bootdyno.model.cpusText
import bootdyno.model.exact
import bootdyno.model.perSecond

/** The limit of a cell, concluded from what its diagnosis shows. Each kind recognises itself, or finds nothing (null). */
internal interface Conclusion {
    /** What limits, with its number of units: `10 HikariCP connections`, `1 CPU`. */
    val limit: LimitName

    /** Sentences: the arithmetic and the evidence. */
    val measured: String
    val details: List<String> get() = emptyList()

    /** What to change; null if nothing can be advised. */
    val advice: Advice? get() = null

    /** Whether [ceiling] is this limit. */
    fun isOf(ceiling: Ceiling): Boolean = false
}

/** The first kind that recognises itself in the diagnosis. */
internal fun conclusion(observed: Observed): Conclusion? = databaseLock(observed)
    ?: fullResource(observed)
    ?: acceptedConnections(observed)
    ?: busyThread(observed)
    ?: slowPeer(observed)
    ?: beforeSaturation(observed)
    ?: clientConnections(observed)

internal val Observed.rate: String get() = perSecond(throughput)

/** `120/s: `, empty if the throughput is unknown. */
internal val Observed.atRate: String get() = if (throughput > 0) "$rate: " else ""

internal val Observed.cpuWords: String
    get() = when (val used = evidence.cpuUsed) {
        null -> "CPU use is unknown"
        else -> setup.cpus?.let { "${exact(used)} of ${cpusText(it)} used" } ?: "${exact(used)} CPUs used"
    }
