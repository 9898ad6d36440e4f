package bootdyno.plan

import bootdyno.model.WarmUpSlice
import kotlin.math.abs

/** C2 may use this much CPU in a slice of the measured work and still count as idle, seconds. */
private const val C2_IDLE_SECONDS = 0.2

/** C2 may use this share of a CPU in a span and still count as idle: 0.2 s in 5 s. */
private const val C2_IDLE_SHARE = 0.04

/** Throughput of two spans may differ by this share and still count as flat. */
private const val FLAT = 0.10

/** A slice this much of a span long is one; shorter slices are judged together. */
private const val LEAST_OF_SPAN = 0.7

private const val MOST_SPANS = 3

/** What an idle C2 says of a subject, which decides how long it must be seen idle. [spanSeconds] is the length of a span under full load. */
enum class IdleMeans(val spanSeconds: Double) {
    /** Its threads go first, so it has nothing left to do. */
    FINISHED(2.5),

    /** It may be starved as well. */
    FINISHED_OR_STARVED(5.0),
}

/** The committed heap may grow by this share over the last slices and still count as standing. */
private const val HEAP_STANDS = 0.02
private const val HEAP_SLICES = 3

/**
 * Whether the committed heap has stopped growing, or is not known. While it grows the collector works in little room: a no-op was seen to
 * serve a quarter less before the first full collection gave the young generation its final size.
 */
fun heapStands(slices: List<WarmUpSlice>): Boolean {
    val sizes = slices.takeLast(HEAP_SLICES).mapNotNull { it.heapCommitted?.count }
    return sizes.isEmpty() || sizes.last() <= sizes.first() * (1 + HEAP_STANDS)
}

/**
 * Whether a warm-up of these [slices] came to be warm: steady at one time, and where they asked cheaply at first, with the measured work
 * compiled too. What a cheap parameter never reaches is compiled only when the real one does.
 */
fun certified(slices: List<WarmUpSlice>, idle: IdleMeans): Boolean {
    val (cheap, asMeasured) = slices.partition { it.cheap }
    return if (cheap.isEmpty()) onceSteady(asMeasured, idle) else onceSteady(cheap, idle) && compiled(asMeasured, idle)
}

private fun onceSteady(slices: List<WarmUpSlice>, idle: IdleMeans) = slices.indices.any { steady(slices.take(it + 1), idle) }

/** Whether the last slice of the measured work, coming after cheap ones that were [steady], gave C2 nothing more to do. */
fun compiled(asMeasured: List<WarmUpSlice>, idle: IdleMeans): Boolean {
    val last = asMeasured.lastOrNull() ?: return false
    val c2 = last.c2CpuSeconds ?: return steady(asMeasured, idle)
    return c2 <= C2_IDLE_SECONDS
}

/**
 * Whether the last two spans show a steady state: C2 idle in both, and no more throughput in the later (docs/method.md, "Warm-up").
 * A fall does not count against it: the compiler has nothing left to do, and what else takes CPU is no warming.
 * Where C2 cannot be seen (no JVM, no /proc) flat throughput over three spans has to do.
 */
fun steady(slices: List<WarmUpSlice>, idle: IdleMeans): Boolean {
    val spans = lastSpans(slices, idle.spanSeconds)
    val seen = spans.takeLast(2)
    if (seen.size < 2) return false
    if (seen.any { it.c2CpuSeconds == null }) return spans.size >= 3 && spans.zipWithNext().all { (a, b) -> flat(a, b) }
    val mostC2 = C2_IDLE_SHARE * idle.spanSeconds
    return seen.all { (it.c2CpuSeconds ?: 0.0) <= mostC2 } && !rising(seen[0], seen[1])
}

/** At most three spans, the earliest first, put together from the end of [slices]. */
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
