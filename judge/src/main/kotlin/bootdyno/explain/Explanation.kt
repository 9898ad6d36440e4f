package bootdyno.explain

import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.ResourceKind
import bootdyno.model.CellId
import bootdyno.model.Prediction
import kotlin.time.Duration

/** Maximum throughput of a limit by Little's law: [size] / [heldFor]. */
data class Ceiling(
    /** Its units in the plural: `Tomcat threads`, `client connections`, `CPUs`. A lock has one, in the singular. */
    val noun: String,
    val kind: ResourceKind,
    val size: Double,
    /** Null before the run if the time is unknown. */
    val heldFor: Duration?,
    /** Requests per second; null if [heldFor] is null. */
    val allows: Double?,
    /** Source of [size]: `server.tomcat.threads.max`, `default`, `seen`. */
    val source: String,
    /** Units in use at a time; null if not observed. */
    val inUse: InUse? = null,
    /** Requests that waited for a unit at a time; null if not observed. */
    val waiting: InUse? = null,
    /** Null for the load, CPUs, and what the application made itself. */
    val entry: KnownResource? = null,
    /** `200 Tomcat threads`, `400 client connections`, `1 CPU`. */
    val limit: LimitName = units(noun, kind, entry).counted(size),
) {
    internal val units: Units get() = units(noun, kind, entry)

    /** Whether the limit is the load itself. Its cells could have served more. */
    val ofLoad: Boolean get() = kind == ResourceKind.LOAD_CONNECTIONS || kind == ResourceKind.OFFERED_RATE
}

/** The [limit] of the throughput, with a sentence about the measurement and further [details]. */
data class Bottleneck(val limit: LimitName, val measured: String, val details: List<String> = emptyList()) {
    val sentence: String get() = (listOf("$limit: $measured") + details).joinToString(" ")
}

/**
 * A recommended [change] as a command, and the predicted next limit if known. [prediction]: the change and its effect in numbers; null if the
 * change cannot be made from outside, or its effect is unknown.
 */
data class Advice(val change: String, val predicts: String?, val prediction: Prediction? = null) {
    val sentence: String get() = listOfNotNull(change, predicts).joinToString(" ") { "$it." }

    /** Whether the change is predicted to add as much as a confirmation can tell from nothing (10 %), or its effect is unknown. */
    val isWorthwhile: Boolean get() = prediction == null || prediction.high >= LEAST_RATIO

    /** A sentence: what the change leads to; null if unknown. */
    val expectation: String? get() = prediction?.sentence ?: predicts?.let { "$it." }
}

private const val LEAST_RATIO = 1.1

/** The bottleneck of a cell. */
data class CellExplanation(
    val cell: CellId,
    /** Ascending; unknown ceilings last. */
    val ceilings: List<Ceiling>,
    val bottleneck: Bottleneck?,
    /** Sentences: why no bottleneck was found. */
    val missing: String?,
    val next: Advice?,
    /** Limits that were changed while the application ran. */
    val moves: List<JudgedMove> = emptyList(),
    /** The one of [ceilings] that is the bottleneck; null if none is. */
    val binding: Ceiling? = null,
)
