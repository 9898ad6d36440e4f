package bootdyno.diagnose

import bootdyno.model.Frame
import bootdyno.model.StackTable

/** Collects the stacks of one diagnosis, each stored once. Thread-safe. */
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

    @Synchronized
    fun build(): StackTable = StackTable(frames.keys.toList(), stacks.keys.toList())
}
