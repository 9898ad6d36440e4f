package bootdyno.occupancy

import bootdyno.model.Diagnosis

/**
 * The resources without a free unit that can be changed while the application runs. Those come first whose users wait for no other one. Of a thread pool
 * it is not known whether requests wait for it.
 */
fun suspects(diagnosis: Diagnosis): List<Resource> {
    val occupancy = occupancy(diagnosis)
    if (occupancy.observations < FEWEST_DUMPS) return emptyList()
    val full = occupancy.resources.filter { resource ->
        val waiting = resource.waiting
        resource.isFull && (waiting.isEmpty() || waiting.count { it > 0 } >= NEARLY_ALL_DUMPS * waiting.size)
    }
    return full.filter { it.entry?.beans?.whileRunning != null }
        .sortedBy { resource -> full.any { other -> other.id != resource.id && resource.users.any { it.resource == other.id } } }
}
