package bootdyno.explain

import bootdyno.model.CellId
import kotlin.time.Duration

/** The most throughput a limit allows, by Little's law: [size] divided by [heldFor]. */
data class Ceiling(
    /** `200 Tomcat threads`, `400 client connections`, `1 CPU`. */
    val limit: String,
    val kind: Kind,
    val size: Double,
    /** Null before anything ran, when nobody knows how long a request holds it. */
    val heldFor: Duration?,
    /** Requests a second; null when [heldFor] is. */
    val allows: Double?,
    /** Where [size] is from: `server.tomcat.threads.max`, `default`, `seen`. */
    val source: String,
) {
    /** It is the load's own: cells that it binds were asked for no more, whatever they could have served. */
    val ofLoad: Boolean get() = source.startsWith("profile ")

    enum class Kind { REQUEST_THREADS, DISPATCHER, SCHEDULER, EVENT_LOOPS, CONNECTIONS, CPU, DATABASE, OFFERED_RATE }
}

/** The limit that binds, in one sentence with its arithmetic. */
data class Bottleneck(val limit: String, val sentence: String)

/** Why a cell is as fast as it is. */
data class CellExplanation(
    val cell: CellId,
    /** Tightest first; unknown ones last. */
    val ceilings: List<Ceiling>,
    val bottleneck: Bottleneck?,
    /** When no bottleneck is named: what is missing to name one. */
    val missing: String?,
    /** What to change next and what that predicts; null when there is nothing to advise. */
    val next: String?,
)
