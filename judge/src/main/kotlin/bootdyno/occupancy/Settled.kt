package bootdyno.occupancy

import bootdyno.model.Diagnosis

/**
 * So many thread dumps in a row must show the same. By chance, a resource that is full for half of the time is so in all or none in 0.2 % of cases.
 */
private const val ALIKE = 10

/**
 * Whether further thread dumps would hardly change what [diagnosis] shows. Each resource was full in all of the last ten under full load,
 * or in none, and requests waited for it in all or in none.
 */
fun isSettled(diagnosis: Diagnosis): Boolean {
    if (diagnosis.dumps.size < ALIKE) return false
    val occupancy = occupancy(diagnosis)
    return occupancy.observations >= ALIKE && occupancy.resources.filterNot { it.isSeenOnce }.all { resource ->
        resource.waiting.map { it > 0 }.isAlike() && resource.inUse.map { resource.isFull(it) }.isAlike()
    }
}

private fun Resource.isFull(used: Int) = size != null && used >= FULL * size

private fun List<Boolean>.isAlike() = takeLast(ALIKE).distinct().size <= 1
