package bootdyno.plan

import bootdyno.model.WarmUpSlice
import kotlin.math.abs

/** C2 may use this much CPU in a slice and still count as idle, seconds. */
private const val C2_IDLE_SECONDS = 0.2

/** Throughput of two slices may differ by this share and still count as flat. */
private const val FLAT = 0.10

/**
 * Whether a warm-up of these [slices] ended warm: steady, and where they asked cheaply at first, with the measured work compiled
 * too. What a cheap parameter never reaches is compiled only when the real one does.
 */
fun certified(slices: List<WarmUpSlice>): Boolean {
    val (cheap, asMeasured) = slices.partition { it.cheap }
    return if (cheap.isEmpty()) steady(asMeasured) else steady(cheap) && compiled(asMeasured)
}

/** Whether the last slice of the measured work, coming after cheap ones that were [steady], gave C2 nothing more to do. */
fun compiled(asMeasured: List<WarmUpSlice>): Boolean {
    val last = asMeasured.lastOrNull() ?: return false
    val c2 = last.c2CpuSeconds ?: return steady(asMeasured)
    return c2 <= C2_IDLE_SECONDS
}

/**
 * Whether the last two slices show a steady state: C2 idle and throughput flat in both (docs/method.md, "Warm-up").
 * Where C2 cannot be seen (no JVM, no /proc) flat throughput over three slices has to do.
 */
fun steady(slices: List<WarmUpSlice>): Boolean {
    val seen = slices.takeLast(2)
    if (seen.size < 2) return false
    if (seen.any { it.c2CpuSeconds == null }) {
        return slices.size >= 3 &&
            slices.takeLast(3).zipWithNext().all { (a, b) -> flat(a, b) }
    }
    return seen.all { (it.c2CpuSeconds ?: 0.0) <= C2_IDLE_SECONDS } && flat(seen[0], seen[1])
}

private fun flat(earlier: WarmUpSlice, later: WarmUpSlice): Boolean =
    earlier.perSecond > 0 && abs(later.perSecond / earlier.perSecond - 1) <= FLAT
