package bootdyno.occupancy

import bootdyno.model.Diagnosis

/** Share of the thread dumps in which requests wait for a suspect. */
private const val NEARLY_ALWAYS = 0.9

/**
 * The resources without a free unit that can be changed while the application runs. Those come first whose users wait for no other one. Of a thread pool
 * it is not known whether requests wait for it.
 */
fun suspects(diagnosis: Diagnosis): List<Resource> {
    val occupancy = occupancy(diagnosis)
    if (occupancy.observations < FEWEST_DUMPS) return emptyList()
    val full = occupancy.resources.filter { resource ->
        val size = resource.size ?: return@filter false
        val isAwaited = resource.waiting.isEmpty() || resource.waiting.count { it > 0 } >= NEARLY_ALWAYS * resource.waiting.size
        resource.inUse.isNotEmpty() && resource.inUse.average() >= FULL * size && isAwaited
    }
    return full.filter { it.entry?.beans?.whileRunning != null }
        .sortedBy { resource -> full.any { other -> other.id != resource.id && resource.users.any { it.resource == other.id } } }
}
