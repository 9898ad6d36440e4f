package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Change
import bootdyno.model.tellsUnloadedTime
import bootdyno.occupancy.Resource
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sqrt

/** [change] as an advice with its predicted effect. [resource] gets [units] by it, if it is about one. */
internal fun Observed.advice(change: Change, resource: Resource? = null, units: Int? = null): Advice {
    val resources = resourceDemands()
    val unknown = occupancy.resources.filter { it.waiting.isNotEmpty() && resources.none { sized -> sized.id == it.id } }
    val before = demands(evidence, resources, shareBeside)?.copy(queuedElsewhere = unknown.sumOf { it.waiting.average() })
    return Advice(
        change.words,
        null,
        before?.let {
            // May gain nothing: what a change has not decided, what may be full because of something else, what nobody observed.
            val isOpen = resource?.run {
                val isUnknown = evidence.requestsInThreads != null && isOfOutside(this)
                moveOf(this)?.outcome == MovedOutcome.UNDECIDED || isHeldTooLong(this) || isUnknown
            } ?: (change is Change.Connections && !isDiagnosed)
            prediction(change, it, it.after(change, resource?.id, units), mostOfLoad(change), mayGainNothing = isOpen)
        },
    )
}

/** Whether the load fixes the number of requests, and none times out: the throughput is then what the application allows. */
internal val Observed.isPredictable: Boolean get() = throughput > 0 && demands(evidence, emptyList()) != null

/**
 * What the closed load allows after [change], requests per second: its connections by the response time without load, where single requests tell that.
 * Units in use are read one thread after the other, so a prediction from them may come out above.
 */
private fun Observed.mostOfLoad(change: Change): Double {
    val connections = (change as? Change.Connections)?.connections ?: evidence.connections
    val alone = unloadedSeconds?.takeIf { tellsUnloadedTime(evidence.alone) }
    return if (connections == null || alone == null) Double.MAX_VALUE else connections / alone
}

/** Resources of known size with visible users. What users of an outer one do in an inner one counts there. */
private fun Observed.resourceDemands(): List<ResourceDemand> {
    val sized = occupancy.resources.filter { it.size != null && it.inUse.isNotEmpty() }
        .filterNot { it.kind == ResourceKind.WORKERS && isBeside(it.id) }
    return sized.map { resource ->
        val isOuter = if (resource.kind == ResourceKind.REQUEST_THREADS) {
            isHeldThroughout(resource)
        } else {
            resource.users.any { user -> sized.any { it.id == user.resource } }
        }
        ResourceDemand(
            id = resource.id,
            units = resource.units,
            size = resource.size ?: 0,
            inUse = mean(resource.inUse).let { it.start * resource.notComputing..it.endInclusive * resource.notComputing },
            waiting = waiting(resource).let { it..it },
            isOuter = isOuter,
        )
    }
}

/** Whether requests keep their thread until they end. Asynchronous handlers return it: few are in use, however many requests there are. */
private fun Observed.isHeldThroughout(resource: Resource): Boolean =
    resource.inUse.average() >= MOSTLY_HELD * min(resource.size ?: 0, evidence.connections ?: 0)

/** Share of the threads that all requests together would hold. */
private const val MOSTLY_HELD = 0.5

/** Share of the users of event loops that do not compute: what computes is in the demand for the CPU. One for other resources. */
private val Resource.notComputing: Double
    get() = if (kind == ResourceKind.EVENT_LOOPS) 1 - computing else 1.0

/** The 95 % interval of the mean over the dumps, which are independent moments. */
private fun mean(counts: List<Int>): Possible {
    val mean = counts.average()
    val variance = counts.sumOf { (it - mean) * (it - mean) } / max(1, counts.size - 1)
    val error = 1.96 * sqrt(variance / counts.size)
    return max(0.0, mean - error)..min(mean + error, max(mean, counts.max().toDouble()))
}
