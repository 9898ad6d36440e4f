package bootdyno.plan

import bootdyno.model.WarmUpSlice
import kotlin.math.abs

/** C2 may use this much CPU in a slice and still count as idle, seconds. */
private const val C2_IDLE_SECONDS = 0.2

/** Throughput of two slices may differ by this share and still count as flat. */
private const val FLAT = 0.10

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
