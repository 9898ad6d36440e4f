package bootdyno.occupancy

import bootdyno.model.Frame

/** Requests that ask again and again for what they wait for, which uses CPU time (busy waiting). */
data class Spinning(
    /** Of the requests in threads, 0 to 1. */
    val share: Double,
    /** The method that asks, of the application's own code or of a library. */
    val caller: Frame,
    /** The innermost frame of the application's own code; null without any. */
    val at: Frame?,
)

private val GIVES_WAY = setOf("java.lang.Thread.yield", "java.lang.Thread.onSpinWait")

/** Null if none is seen. What classes of the JDK do so takes a moment only, and is left out. */
internal fun spinning(seen: SeenThreads): Spinning? {
    val asking = seen.working.filter { thread -> thread.stack.frames.takeWhile { it.ofJdk }.lastOrNull()?.call in GIVES_WAY }
        .groupBy { thread -> thread.stack.frames.find { !it.ofJdk } to thread.stack.ownFrame }
    val (at, same) = asking.maxByOrNull { (_, threads) -> threads.sumOf { it.count } } ?: return null
    val (caller, own) = at
    return caller?.let { Spinning(same.sumOf { it.count } / seen.working.sumOf { it.count }.toDouble(), it, own) }
}
