package bootdyno.dumps

import bootdyno.diagnose.SeenThread

/**
 * The threads of each dump, with one name for a lock or another object in all of them. Texts of the JVM show addresses, which change when
 * the collector moves an object. So a new object is one that is gone, if both are awaited in the same method, and are the only such ones.
 * Other forms have a hash that stays.
 */
internal fun withStableObjects(dumps: List<ReadDump>): List<List<SeenThread>> {
    val names = StableNames()
    return dumps.map { if (it.form.hasAddresses) names.renamed(it.threads) else it.threads }
}

private class StableNames {
    /** The name of each object of the last dump, and of those before that are gone, by address. */
    private val names = HashMap<String, String>()

    /** Where threads waited for it when it was last seen, by name. */
    private val places = HashMap<String, String>()

    fun renamed(threads: List<SeenThread>): List<SeenThread> {
        val awaited = threads.filter {
            it.waitsFor != null
        }.groupBy { checkNotNull(it.waitsFor) }.mapValues { (_, same) -> place(same) }
        val isNew = awaited.filterKeys { it !in names }
        val present = awaited.keys.mapNotNull { names[it] }.toSet()
        val gone = places.filterKeys { it !in present }.entries.groupBy({ it.value }, { it.key })
        isNew.entries.groupBy({ it.value }, { it.key }).forEach { (place, objects) ->
            val before = gone[place].orEmpty()
            val moved = objects.singleOrNull() != null && before.size == 1
            objects.forEach { names[it] = if (moved) before.single() else unused(it) }
        }
        awaited.forEach { (address, place) -> places[names.getValue(address)] = place }
        // An address may be used again by another object later.
        names.keys.retainAll(awaited.keys)
        return threads.map { thread ->
            thread.copy(waitsFor = thread.waitsFor?.let { names[it] }, owns = thread.owns.map { names[it] ?: it })
        }
    }

    private fun unused(address: String): String =
        generateSequence(1) { it + 1 }.map { if (it == 1) address else "$address-$it" }.first { it !in places }

    /** Its type, and the method of the first caller outside of the JDK of most of the threads that wait. */
    private fun place(waiting: List<SeenThread>): String {
        val type = waiting.first().waitsFor?.substringBefore('@')
        val call = waiting.groupingBy { thread -> thread.calls.find { !JDK.matchesAt(it, 0) }?.substringBefore('(') }.eachCount()
            .maxByOrNull { it.value }?.key
        return "$type $call"
    }
}

private val JDK = Regex("""(java|jdk|sun)\.""")
