package bootdyno.rules

import bootdyno.model.COLLECTING_NOTICEABLY
import bootdyno.model.WarmUpSlice
import bootdyno.model.hasCpuToSpare
import bootdyno.model.isStarved
import kotlin.math.abs

/** Maximum CPU share of C2 in a span that counts as idle: 0.1 s in 2.5 s. */
private const val C2_IDLE_SHARE = 0.04

/** Maximum difference in throughput between two spans that counts as flat. The window, which is longer, is checked more closely. */
private const val FLAT = 0.10

/** Length of a span under full load, seconds. */
private const val SPAN_SECONDS = 2.5

/** The same where an idle C2 may also have got no CPU time, because the kernel does not count its wait. */
private const val LONG_SPAN_SECONDS = 5.0

/** A slice with at least this share of a span's length is a span; shorter slices are combined. */
private const val LEAST_OF_SPAN = 0.7

private const val MOST_SPANS = 3

/** Maximum growth of the committed heap over the last slices that counts as stable. */
private const val HEAP_STANDS = 0.02
private const val HEAP_SLICES = 3

/** Whether the warm-up with these requests may end. */
fun isWarm(slices: List<WarmUpSlice>): Boolean = steady(slices) && heapSuffices(slices)

/**
 * Whether the committed heap no longer grows, is unknown, or is not needed: there is CPU to spare, or the collector took less than
 * [COLLECTING_NOTICEABLY] of the measured work's time, which is all that a larger heap could save. What cheap requests allocate tells nothing.
 * A growing heap costs collector time: a no-op served a quarter less before the first full collection set the young generation's final size.
 */
fun heapSuffices(slices: List<WarmUpSlice>): Boolean {
    val last = slices.takeLast(HEAP_SLICES)
    val sizes = last.mapNotNull { it.heapCommitted?.count }
    val stands = sizes.isEmpty() || sizes.last() <= sizes.first() * (1 + HEAP_STANDS)
    // The very first slice contains the start.
    val hasCpuToSpare = slices.takeLast(2).all { hasCpuToSpare(it.cpuShare) }
    return stands || hasCpuToSpare || last.none { !it.cheap && (it.gcShare ?: 1.0) > COLLECTING_NOTICEABLY }
}

/**
 * Whether a warm-up of these [slices] is certified: steady at its end and, if it began with cheap requests, also with the measured work
 * compiled. Cheap parameters do not run all of its code.
 */
fun certified(slices: List<WarmUpSlice>): Boolean {
    val (cheap, asMeasured) = slices.partition { it.cheap }
    return if (cheap.isEmpty()) steady(asMeasured) else steady(cheap) && compiled(asMeasured)
}

/** Whether C2 had nothing to do in the last slice of the measured work, after cheap slices that were [steady]. */
fun compiled(asMeasured: List<WarmUpSlice>): Boolean {
    val last = asMeasured.lastOrNull() ?: return false
    return if (last.isJudgedByThroughput) steady(asMeasured) else last.compilerIsDone
}

/**
 * Whether C2 ran for at most 4 % of the last slice and did not wait for a CPU, or cannot be observed. Unlike a certificate, this does not look at
 * the throughput, which a pool and a delay set.
 */
fun compilerIsIdle(slices: List<WarmUpSlice>): Boolean {
    val last = slices.lastOrNull() ?: return false
    val c2 = last.c2CpuSeconds ?: return true
    return c2 <= C2_IDLE_SHARE * last.seconds && !isStarved((last.c2WaitSeconds ?: 0.0) / last.seconds)
}

/**
 * Whether the last two spans show a steady state: the compiler is done in both, and throughput does not rise (docs/method.md, "Warm-up"). It
 * may fall, because a cause other than warm-up takes CPU then. If C2 cannot be observed (no JVM, no /proc), three spans of flat throughput
 * are enough.
 */
fun steady(slices: List<WarmUpSlice>): Boolean {
    val waitIsKnown = slices.all { it.c2WaitSeconds != null || hasCpuToSpare(it.cpuShare) }
    val spans = lastSpans(slices, if (waitIsKnown) SPAN_SECONDS else LONG_SPAN_SECONDS)
    val seen = spans.takeLast(2)
    if (seen.size < 2) return false
    if (seen.any { it.isJudgedByThroughput }) return spans.size >= 3 && spans.zipWithNext().all { (a, b) -> flat(a, b) }
    return seen.all { it.compilerIsDone } && !rising(seen[0], seen[1])
}

/** Whether only the throughput can tell that it is warm: C2 cannot be observed, and may need CPU that requests need. */
val WarmUpSlice.isJudgedByThroughput: Boolean get() = c2CpuSeconds == null && !hasCpuToSpare(cpuShare)

/** C2 does not wait for a CPU, and it is idle or takes CPU that nobody else needs. */
private val WarmUpSlice.compilerIsDone: Boolean
    get() {
        val isIdle = c2CpuSeconds?.let { it <= C2_IDLE_SHARE * seconds } == true
        return !isStarved((c2WaitSeconds ?: 0.0) / seconds) && (isIdle || hasCpuToSpare(cpuShare))
    }

/** At most three spans from the end of [slices], in order of time. */
private fun lastSpans(slices: List<WarmUpSlice>, spanSeconds: Double): List<WarmUpSlice> {
    val spans = ArrayDeque<WarmUpSlice>()
    var open: WarmUpSlice? = null
    for (slice in slices.asReversed()) {
        val span = open?.let { together(slice, it) } ?: slice
        open = span.takeIf { it.seconds < LEAST_OF_SPAN * spanSeconds }
        if (open == null) spans.addFirst(span)
        if (spans.size == MOST_SPANS) break
    }
    return spans
}

private fun together(earlier: WarmUpSlice, later: WarmUpSlice): WarmUpSlice {
    val seconds = earlier.seconds + later.seconds
    fun sum(of: WarmUpSlice.() -> Double?) = earlier.of()?.let { first -> later.of()?.let { first + it } }
    fun mean(of: WarmUpSlice.() -> Double?) = if (seconds > 0) sum { of()?.times(this.seconds) }?.div(seconds) else null
    return later.copy(
        seconds = seconds,
        perSecond = mean { perSecond } ?: 0.0,
        c2CpuSeconds = sum { c2CpuSeconds },
        c2WaitSeconds = sum { c2WaitSeconds },
        cpuShare = mean { cpuShare },
    )
}

private fun flat(earlier: WarmUpSlice, later: WarmUpSlice): Boolean =
    earlier.perSecond > 0 && abs(later.perSecond / earlier.perSecond - 1) <= FLAT

private fun rising(earlier: WarmUpSlice, later: WarmUpSlice): Boolean =
    earlier.perSecond <= 0 || later.perSecond / earlier.perSecond - 1 > FLAT
