package bootdyno.profile

import bootdyno.model.Frame
import bootdyno.model.StackTable
import bootdyno.model.StackWeight

/** What was seen on a [stack], outermost call first. Frames have no lines: they are methods. [weight]: samples, or bytes. */
data class StackSample(val stack: List<Frame>, val weight: Double)

/** Without the outermost calls that only start a thread: they differ between platform threads, virtual threads and executors. */
fun samples(weights: List<StackWeight>, stacks: StackTable): List<StackSample> {
    val methods = stacks.calls.map { it.copy(line = null) }
    return weights.map { own ->
        val stack = stacks.stacks[own.stack].asReversed().map(methods::get)
        StackSample(stack.dropWhile(::startsThread).ifEmpty { stack.takeLast(1) }, own.weight)
    }
}

private fun startsThread(method: Frame): Boolean =
    STARTING.matches(method.method) && ("Thread" in method.type || THREADS_OF_JDK.any(method.type::startsWith))

/** `runWorker`, `enterSpecial`, `doExec`. */
private val STARTING = Regex("run.*|enter.*|.*[eE]xec")
private val THREADS_OF_JDK = listOf("java.util.concurrent.", "jdk.internal.vm.")

/** Shares of all samples, 0 to 1: [self] of those in the method itself, [total] of those in it or in what it called. */
data class MethodShares(val method: Frame, val self: Double, val total: Double)

/** All methods on the stacks. A method that calls itself counts once per stack. */
fun methodShares(samples: List<StackSample>): List<MethodShares> {
    val all = samples.sumOf { it.weight }
    val self = mutableMapOf<Frame, Double>()
    val total = mutableMapOf<Frame, Double>()
    for (sample in samples) {
        sample.stack.lastOrNull()?.let { self.merge(it, sample.weight, Double::plus) }
        sample.stack.toSet().forEach { total.merge(it, sample.weight, Double::plus) }
    }
    return total.map { (method, weight) -> MethodShares(method, (self[method] ?: 0.0) / all, weight / all) }
}
