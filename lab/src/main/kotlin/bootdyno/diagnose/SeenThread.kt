package bootdyno.diagnose

import bootdyno.model.DumpedThreads

/** One thread in a dump. [calls]: innermost first. The rest is as in [DumpedThreads]. */
internal data class SeenThread(
    val id: Long,
    val name: String,
    val virtual: Boolean = false,
    val state: String? = null,
    val calls: List<String> = emptyList(),
    val waitsFor: String? = null,
    val owns: List<String> = emptyList(),
    val executor: String? = null,
)

/** Adds to the owners in [ownerOf], thread ids by lock, what they own. */
internal fun List<SeenThread>.withOwners(ownerOf: Map<String, Long>): List<SeenThread> {
    if (ownerOf.isEmpty()) return this
    val owned = ownerOf.entries.groupBy({ it.value }, { it.key })
    return map { thread -> thread.copy(owns = (thread.owns + owned[thread.id].orEmpty()).distinct()) }
}

/** Beginnings of the names of threads that answer over JMX, attach, or record for JFR; also of their kernel names. */
internal val OBSERVERS = listOf("RMI ", "JMX ", "JFR ", "Attach Listener")

/** `http-nio-8080-exec-` of `http-nio-8080-exec-12`, also with the coroutine that it runs: `DefaultDispatcher-worker-1 @coroutine#7`. */
internal fun withoutNumber(name: String): String = name.substringBefore(" @").trimEnd { it.isDigit() }
