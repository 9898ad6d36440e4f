package bootdyno.explain

import bootdyno.model.Diagnosis
import bootdyno.model.DumpedThreads
import bootdyno.model.plural
import bootdyno.occupancy.own
import bootdyno.occupancy.poolName

/** Threads that wait for each other: each for a lock that the next one owns, the last for one of the first. They never go on. */
internal class Deadlock(private val threads: List<DumpedThreads>, private val diagnosis: Diagnosis) : Conclusion {
    override val limit = LimitName("Deadlock of ${plural(threads.size, "thread")}")
    override val measured: String
        get() = threads.zip(threads.drop(1) + threads.first()).joinToString("; ", postfix = ".") { (waits, owns) ->
            "${waits.words} waits${at(waits)} for ${type(waits)}, which ${owns.words} owns"
        }
    override val details = listOf("These threads wait until the application is restarted, and so does whoever needs their locks.")
    override val advice = Advice("Take these locks in the same order everywhere", null)

    private val DumpedThreads.words get() = "a thread of ${poolName(name).ifEmpty { "the application" }}"

    private fun type(thread: DumpedThreads) =
        thread.waitsFor.orEmpty().substringBefore('@').substringAfterLast('.').substringBefore('$')

    private fun at(thread: DumpedThreads): String {
        val frames = diagnosis.stacks.stack(thread.stack)
        return (frames.find { it.own } ?: frames.firstOrNull())?.let { " at $it" }.orEmpty()
    }
}

/** The deadlock that the last two dumps show alike. One dump reads threads one after the other, and may show one that never was. */
internal fun deadlock(diagnosis: Diagnosis): Deadlock? {
    val cycles = diagnosis.dumps.takeLast(2).map { cycle(it.threads) }
    val still = cycles.map { cycle -> cycle.map { it.waitsFor to it.stack }.toSet() }.distinct()
    return cycles.lastOrNull()?.takeIf { it.isNotEmpty() && still.size == 1 }?.let { Deadlock(it, diagnosis) }
}

private fun cycle(threads: List<DumpedThreads>): List<DumpedThreads> {
    val owners = threads.flatMap { thread -> thread.owns.map { it to thread } }.toMap()
    val free = mutableSetOf<DumpedThreads>()
    for (thread in threads) {
        val way = linkedSetOf<DumpedThreads>()
        var next: DumpedThreads? = thread
        while (next != null && next !in free && way.add(next)) next = next.waitsFor?.let(owners::get)
        if (next != null && next in way) return way.dropWhile { it != next }
        free += way
    }
    return emptyList()
}
