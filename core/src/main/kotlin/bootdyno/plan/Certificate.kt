package bootdyno.plan

import bootdyno.model.WarmUpSlice
import kotlin.math.abs

/** Maximum CPU time of C2 in a slice of the measured work that counts as idle, seconds. */
private const val C2_IDLE_SECONDS = 0.2

/** Maximum CPU share of C2 in a span that counts as idle: 0.2 s in 5 s. */
private const val C2_IDLE_SHARE = 0.04

/** Maximum difference in throughput between two spans that counts as flat. */
private const val FLAT = 0.10

/** A slice with at least this share of a span's length is a span; shorter slices are combined. */
private const val LEAST_OF_SPAN = 0.7

private const val MOST_SPANS = 3

/** What an idle C2 shows, which decides how long it must be idle. [spanSeconds]: length of a span under full load. */
enum class IdleMeans(val spanSeconds: Double) {
    /** Its threads have priority, so it has finished. */
    FINISHED(2.5),

    /** It may also have got no CPU time. */
    FINISHED_OR_STARVED(5.0),
}

/** Maximum growth of the committed heap over the last slices that counts as stable. */
private const val HEAP_STANDS = 0.02
private const val HEAP_SLICES = 3

/**
 * Whether the committed heap no longer grows, or is unknown. A growing heap costs collector time: a no-op served a quarter less before the
 * first full collection gave the young generation its final size.
 */
fun heapStands(slices: List<WarmUpSlice>): Boolean {
    val sizes = slices.takeLast(HEAP_SLICES).mapNotNull { it.heapCommitted?.count }
    return sizes.isEmpty() || sizes.last() <= sizes.first() * (1 + HEAP_STANDS)
}

/**
 * Whether a warm-up of these [slices] is certified: steady once and, if it began with cheap requests, also with the measured work compiled,
 * because cheap parameters do not run all of its code.
 */
fun certified(slices: List<WarmUpSlice>, idle: IdleMeans): Boolean {
    val (cheap, asMeasured) = slices.partition { it.cheap }
    return if (cheap.isEmpty()) onceSteady(asMeasured, idle) else onceSteady(cheap, idle) && compiled(asMeasured, idle)
}

private fun onceSteady(slices: List<WarmUpSlice>, idle: IdleMeans) = slices.indices.any { steady(slices.take(it + 1), idle) }

/** Whether C2 was idle in the last slice of the measured work, after cheap slices that were [steady]. */
fun compiled(asMeasured: List<WarmUpSlice>, idle: IdleMeans): Boolean {
    val last = asMeasured.lastOrNull() ?: return false
    val c2 = last.c2CpuSeconds ?: return steady(asMeasured, idle)
    return c2 <= C2_IDLE_SECONDS
}

/**
 * Whether the last two spans show a steady state: C2 is idle in both, and throughput does not rise (docs/method.md, "Warm-up"). It may fall,
 * because a cause other than warm-up takes CPU then. If C2 cannot be observed (no JVM, no /proc), three spans of flat throughput are enough.
 */
fun steady(slices: List<WarmUpSlice>, idle: IdleMeans): Boolean {
    val spans = lastSpans(slices, idle.spanSeconds)
    val seen = spans.takeLast(2)
    if (seen.size < 2) return false
    if (seen.any { it.c2CpuSeconds == null }) return spans.size >= 3 && spans.zipWithNext().all { (a, b) -> flat(a, b) }
    val mostC2 = C2_IDLE_SHARE * idle.spanSeconds
    return seen.all { (it.c2CpuSeconds ?: 0.0) <= mostC2 } && !rising(seen[0], seen[1])
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
    val c2 = earlier.c2CpuSeconds?.let { first -> later.c2CpuSeconds?.let { first + it } }
    val answered = earlier.perSecond * earlier.seconds + later.perSecond * later.seconds
    return WarmUpSlice(seconds, if (seconds > 0) answered / seconds else 0.0, c2, later.cheap, later.heapCommitted)
}

private fun flat(earlier: WarmUpSlice, later: WarmUpSlice): Boolean =
    earlier.perSecond > 0 && abs(later.perSecond / earlier.perSecond - 1) <= FLAT

private fun rising(earlier: WarmUpSlice, later: WarmUpSlice): Boolean =
    earlier.perSecond <= 0 || later.perSecond / earlier.perSecond - 1 > FLAT
