package bootdyno.rules

import kotlin.math.roundToInt
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Values of a limit in the order in which a subject gets them: each first for [transition], which does not count, then for [measured]. A
 * larger value than the first, the original, gets up to a second [transition], until its new units are in use. A pool opens its connections
 * one after the other.
 */
data class MovingSlices(val values: List<Double>, val transition: Duration, val measured: Duration) {
    val length: Duration get() = (transition + measured) * values.size + transition * values.count { it > values.first() }
}

/** At least so long, until a change has taken effect everywhere. */
private val SHORTEST_TRANSITION = 0.5.seconds
private val SHORTEST_TRANSITION_IN_HASTE = 0.3.seconds

/** About so long: a multiple of the time for which a request holds a unit, because requests that began together end together. */
private val USUAL_SLICE = 0.8.seconds
private val USUAL_SLICE_IN_HASTE = 0.45.seconds

/** Units are free for others after their users have ended: so many holding times after the change. */
private const val TRANSITION_TIMES = 1.5

/** A longer time for which a request holds a unit is not waited for. */
private val LONGEST_HELD = 2.seconds

/** A smaller value differs little from the original: fewer pairs do not tell its effect from noise. */
private const val PAIRS_OF_SMALLER = 5

/** Without two values, nothing can be compared. */
private const val FEWEST_SLICES = 2

/**
 * The [original] value and others in turn, so that a drift of the throughput cancels: [up] first, because only a larger value shows that it limits. [held]: the
 * time for which a request holds a unit. As many as fit into [time], which may be negative, and fewer pairs of [inHaste] slices; null without any.
 */
fun movingSlices(original: Double, up: Double?, down: Double?, held: Duration, time: Duration, inHaste: Boolean): MovingSlices? {
    val others = listOfNotNull(up, down).ifEmpty { return null }
    if (held > LONGEST_HELD) return null
    val transition = maxOf(if (inHaste) SHORTEST_TRANSITION_IN_HASTE else SHORTEST_TRANSITION, held * TRANSITION_TIMES)
    val usual = if (inHaste) USUAL_SLICE_IN_HASTE else USUAL_SLICE
    val times = if (held < 1.milliseconds) 1 else maxOf(1, (usual / held).roundToInt())
    val measured = if (held < 1.milliseconds) usual else held * times
    val both = (others + others).flatMap { listOf(original, it) } + original
    val pairs = if (up == null) PAIRS_OF_SMALLER else 2
    val one = List(pairs) { listOf(original, others.first()) }.flatten() + original
    val possible = listOf(both).filter { others.size > 1 } + (one.size downTo FEWEST_SLICES).map(one::take)
    return possible.map { MovingSlices(it, transition, measured) }.find { it.length <= time }
}
