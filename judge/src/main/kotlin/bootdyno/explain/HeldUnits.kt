package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.timeOfSeconds
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Resource

/** Seconds for which a request holds a unit of [resource], by Little's law: users / throughput; null if none is visible. */
internal fun Observed.heldSeconds(resource: Resource): Double? =
    resource.inUse.takeIf { it.isNotEmpty() && throughput > 0 }?.let { it.average() / throughput }

/** Whether a request holds [resource] for much longer than it takes without load: it waits for something else meanwhile. */
internal fun Observed.isHeldTooLong(resource: Resource): Boolean {
    val isKnown = evidence.alone.isNotEmpty() && evidence.timedOut == 0.0 && !resource.kind.isLock
    val alone = unloadedSeconds?.takeIf { isKnown } ?: return false
    return (heldSeconds(resource) ?: 0.0) >= maxOf(LOADED * alone, evidence.longestAlone ?: 0.0)
}

/** The same of a resource of which each request has one unit at a time: it is full because of something else. */
internal fun Observed.isOnlyFull(resource: Resource): Boolean = isHeldTooLong(resource) && !isProven(resource) &&
    (resource.isOfRequests || resource.kind == ResourceKind.REQUEST_THREADS) &&
    resource.users.none { it.resource == resource.id }

internal fun Observed.onlyFullSentence(resource: Resource): String =
    " ${resource.name}: all are in use, but a request holds one for ${timeOfSeconds(heldSeconds(resource) ?: 0.0)}. " +
        "Without load it takes ${timeOfSeconds(unloadedSeconds ?: 0.0)}. It waits for something else meanwhile."

/** Whether those who have units of [resource] mostly wait for a database or a peer: it may be full because these are slow. */
internal fun Observed.isOfOutside(resource: Resource): Boolean =
    resource.users.filter { it.doing == Doing.DATABASE || it.doing == Doing.NETWORK }.sumOf { it.share } >= MOSTLY
