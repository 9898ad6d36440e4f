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

/** The [limit] that decides the throughput; [measured] is a sentence about it, [details] are more. */
data class Bottleneck(val limit: String, val measured: String, val details: List<String> = emptyList()) {
    val sentence: String get() = (listOf("$limit: $measured") + details).joinToString(" ")
}

/** A [change] to make, as a command, and the next limit that it [predicts]. */
data class Advice(val change: String, val predicts: String) {
    val sentence: String get() = "$change. $predicts."
}

/** Why a cell is as fast as it is. */
data class CellExplanation(
    val cell: CellId,
    /** Tightest first; unknown ones last. */
    val ceilings: List<Ceiling>,
    val bottleneck: Bottleneck?,
    /** In sentences: why no bottleneck is named. */
    val missing: String?,
    val next: Advice?,
)
