package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.occupancy.Resource
import bootdyno.stats.median
import kotlin.time.Duration.Companion.seconds

/** Units of a limit in use, or requests that waited for one. */
data class InUse(val median: Double, val most: Double)

internal fun inUse(counts: List<Number>): InUse? =
    counts.map { it.toDouble() }.ifEmpty { null }?.let { InUse(median(it), it.max()) }

/**
 * All limits in force: those that the diagnosis saw, with their occupancy, then those known from the configuration. What a limit allows is
 * size / holding time, with the holding time of the window: users / throughput. It is never below the measured throughput.
 */
internal fun limitsInForce(observed: Observed, configured: List<Ceiling>): List<Ceiling> {
    val seen = observed.occupancy.resources.mapNotNull { ceiling(observed, it) }
    val unseen = configured.filter { ceiling -> seen.none { it.isSame(ceiling) } }
        .map { it.notBelow(observed.throughput).withUse(observed) }
    return (seen + unseen).sortedBy { it.allows ?: Double.POSITIVE_INFINITY }
}

internal fun ceiling(observed: Observed, resource: Resource): Ceiling? {
    val size = resource.size?.toDouble() ?: return null
    val held = observed.heldSeconds(resource)?.takeIf { it > 0 }
    return Ceiling(
        noun = resource.noun,
        kind = resource.kind,
        size = size,
        heldFor = held?.seconds,
        allows = held?.let { maxOf(size / it, observed.throughput) },
        source = resource.knownSize?.source.orEmpty(),
        inUse = inUse(resource.inUse),
        waiting = inUse(resource.waiting),
        entry = resource.entry,
        limit = resource.name,
    )
}

/** What the diagnosis saw and the configuration says as well. */
internal fun Ceiling.isSame(other: Ceiling): Boolean = kind == other.kind && size == other.size

/** A declared holding time that the measurement refutes slightly is replaced by that of the window; otherwise it says nothing. */
private fun Ceiling.notBelow(throughput: Double): Ceiling = when {
    allows == null || allows >= throughput || kind == ResourceKind.OFFERED_RATE -> this
    allows >= throughput * (1 - SLIGHTLY) -> copy(heldFor = (size / throughput).seconds, allows = throughput)
    else -> copy(heldFor = null, allows = null)
}

private const val SLIGHTLY = 0.1

/** Connections of clients are counted by the kernel. */
private fun Ceiling.withUse(observed: Observed): Ceiling =
    if (kind == ResourceKind.SERVER_CONNECTIONS) copy(inUse = inUse(observed.diagnosis.sockets.map { it.inbound })) else this
