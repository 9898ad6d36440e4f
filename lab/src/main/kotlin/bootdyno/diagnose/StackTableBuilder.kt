package bootdyno.diagnose

import bootdyno.model.DumpedThreads
import bootdyno.model.Frame
import bootdyno.model.StackTable

/** Collects the threads of one diagnosis, and its stacks, each stored once. Thread-safe. */
internal class StackTableBuilder {
    // All of these are guarded by this object's lock.
    private val asPrinted = HashMap<String, Int>()
    private val frames = LinkedHashMap<String, Int>()
    private val stacks = LinkedHashMap<List<Int>, Int>()

    /** The index of the stack of [calls], innermost first, each as a Java stack trace prints it. */
    @Synchronized
    fun indexOf(calls: List<String>): Int {
        val stack = calls.map { call ->
            asPrinted.getOrPut(call) { Frame.plain(call).let { frames.getOrPut(it) { frames.size } } }
        }
        return stacks.getOrPut(stack) { stacks.size }
    }

    /** Equal threads together, without those that have no stack and those of our own observation. */
    fun grouped(threads: List<SeenThread>): List<DumpedThreads> = threads
        .filter { thread -> thread.calls.isNotEmpty() && OBSERVERS.none { thread.name.startsWith(it) } }
        .groupingBy { thread ->
            DumpedThreads(
                name = withoutNumber(thread.name),
                virtual = thread.virtual,
                state = thread.state,
                stack = indexOf(thread.calls),
                waitsFor = thread.waitsFor,
                owns = thread.owns,
                executor = thread.executor,
            )
        }
        .eachCount().map { (alike, count) -> alike.copy(count = count) }

    @Synchronized
    fun build(): StackTable = StackTable(frames.keys.toList(), stacks.keys.toList())
}
