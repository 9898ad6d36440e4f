package bootdyno.diagnose

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
            asPrinted.getOrPut(call) { withoutModule(call).let { frames.getOrPut(it) { frames.size } } }
        }
        return stacks.getOrPut(stack) { stacks.size }
    }

    @Synchronized
    fun build(): StackTable = StackTable(frames.keys.toList(), stacks.keys.toList())
}

/** The address of a hidden class, which differs in each process: `OrderService$$Lambda/0x00007f3c100a2cd8.run`. */
private val HIDDEN_CLASS = Regex("/0x[0-9a-f]+(?=\\.)")

/** `java.base/java.lang.Thread.run(Thread.java:1474)` and `app//Main.main(Main.java:3)` without the loader and the module. */
private fun withoutModule(call: String): String {
    val method = call.substringBefore('(').replace(HIDDEN_CLASS, "")
    return method.substringAfterLast('/') + call.substring(call.indexOf('(').coerceAtLeast(0)).takeIf { '(' in call }.orEmpty()
}
