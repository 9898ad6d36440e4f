package bootdyno.profile

import bootdyno.model.Frame
import kotlin.math.abs
import kotlin.math.sqrt

/**
 * A method under certain callers, with what it called, widest first. [share]: of all samples, 0 to 1, including its [calls]. Calls are matched
 * by class and method.
 */
data class Call(val method: Frame, val share: Double, val compared: ComparedCall? = null, val calls: List<Call> = emptyList()) {
    /** Its share, or the mean of both shares: calls that only one of two profiles has are visible too, and parts still add up. */
    val width: Double get() = compared?.let { (share + it.share) / 2 } ?: share
}

/**
 * The same call in another profile, with its [share] there. [change]: the difference divided by the sum of both shares, from −1 (only there) to
 * 1 (only here); 0 if chance alone may cause it.
 */
data class ComparedCall(val share: Double, val change: Double)

/** A share of all samples: narrower boxes have no room for a name. */
const val LEAST_WIDTH = 0.01

/**
 * The outermost calls of [samples]; of both profiles with [other], if both count samples. Calls narrower than [LEAST_WIDTH] are left out.
 */
fun callTree(samples: List<StackSample>, other: List<StackSample>? = null): List<Call> {
    val parts = samples.map { WeightedStack(it.stack, it.weight, 0.0) } +
        other.orEmpty().map { WeightedStack(it.stack, 0.0, it.weight) }
    return Growing(samples.sumOf { it.weight }, other?.sumOf { it.weight }).calls(parts, depth = 0)
}

private class WeightedStack(val stack: List<Frame>, val weight: Double, val other: Double)

private class Growing(private val all: Double, private val allOther: Double?) {
    fun calls(parts: List<WeightedStack>, depth: Int): List<Call> = parts
        .filter { it.stack.size > depth }
        .groupBy { it.stack[depth] }
        .map { (method, own) -> call(method, own) to own }
        .filter { (call, _) -> call.width >= LEAST_WIDTH }
        .sortedByDescending { (call, _) -> call.width }
        .map { (call, own) -> call.copy(calls = calls(own, depth + 1)) }

    private fun call(method: Frame, parts: List<WeightedStack>): Call {
        val share = parts.sumOf { it.weight } / all
        return Call(method, share, allOther?.let { compared(share, parts.sumOf { part -> part.other } / it, it) })
    }

    /**
     * No change below three standard errors of the difference of two shares (normal approximation, pooled), as if samples were independent. Of 500
     * calls that do not change, one or two seem to.
     */
    private fun compared(share: Double, other: Double, allOther: Double): ComparedCall {
        val pooled = (share * all + other * allOther) / (all + allOther)
        val error = sqrt(pooled * (1 - pooled) * (1 / all + 1 / allOther))
        return ComparedCall(other, if (abs(share - other) <= 3 * error) 0.0 else (share - other) / (share + other))
    }
}
