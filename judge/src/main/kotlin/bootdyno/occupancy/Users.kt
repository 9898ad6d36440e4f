package bootdyno.occupancy

import bootdyno.model.Frame
import kotlin.math.abs

/** Users of one resource, and their number where it is constant while others wait. */
internal data class Users(val all: List<ClassifiedThreads>, val steady: Int?)

/** Methods that take a unit, do the work, and give the unit back: a thread past the wait in one of them holds a unit. */
private val TEMPLATES = Prefixes(
    """
    org.springframework.jdbc.core.JdbcTemplate.execute org.springframework.jdbc.core.JdbcTemplate.query
    org.springframework.transaction.interceptor.TransactionAspectSupport.invokeWithinTransaction
    org.springframework.transaction.support.TransactionTemplate.execute
    org.springframework.aop.interceptor.ConcurrencyThrottleInterceptor.invoke
    org.springframework.resilience.annotation.ConcurrencyLimitBeanPostProcessor
    org.springframework.data.redis.core.RedisTemplate.execute org.jetbrains.exposed.sql.transactions.
    """,
)

/** So many frames of the application's own code outside of the wait are searched for users. */
private const val OWN_FRAMES = 3

/** Share of the dumps with the same number that makes it constant: dumps are not atomic. */
private const val CONSTANT = 0.5

/** Share of the dumps that may differ from it by one at most. */
private const val NEARLY = 0.8

/** A number that is equal in this share of the dumps more is the more constant one. */
private const val MORE = 0.1

/** Below this share, two numbers that are as constant as each other cannot be told apart. */
private const val CLEAR = 0.7

/** With a known number of units, the least and the most users on average, as shares of it. */
private const val LEAST_USED = 0.25
private const val MOST_USED = 1.3

/**
 * Users of what [waiters] wait for, among [others]. A thread in the same method as a waiter, past the call that waits, holds a unit until the method
 * gives it back. A stack does not show where that is. While others wait, the number of units in use is
 * constant: of the lines after the call, those are taken for which it is. [size] is the number of units if it is known. Null if no users
 * are visible.
 */
internal fun users(waiters: List<ClassifiedThreads>, others: List<ClassifiedThreads>, size: Int?): Users? {
    val dumps = waiters.map { it.dump }.toSet()
    val paths = waiters.distinctBy { it.threads.stack }.map { Path(it.stack, checkNotNull(it.wait).depth) }
    val levels = (0..OWN_FRAMES).asSequence().map { nested(paths, others, it, dumps) }
    if (size != null) return levels.firstNotNullOfOrNull { closest(it, size) }
    if (paths.all { it.template != null }) {
        // A session may keep its connection behind the transaction that took it.
        val nested = levels.first()
        return levels.firstNotNullOfOrNull { constant(it, CLEAR) }
            ?: constant(nested) ?: nested.lastOrNull()?.let { Users(it.threads, null) }
    }
    // Units are held for more than a moment in one method: the one that waits, or a caller of it.
    val nested = levels.find { nested -> nested.any { it.mean >= 1 } } ?: return null
    // In slow dumps, a number may vary although it is constant at any moment. All on one line hold a unit nevertheless.
    return constant(nested) ?: nested.singleOrNull()?.let { Users(it.threads, null) }
}

/** Threads past the wait by the frame of this [level], up to each of the lines after the call. */
private fun nested(paths: List<Path>, others: List<ClassifiedThreads>, level: Int, dumps: Set<Int>): List<Nested> {
    val distances = others.map { it.stack }.distinct()
        .associateWith { stack -> paths.mapNotNull { it.distance(stack, level) }.minOrNull() ?: Int.MAX_VALUE }
    fun distance(other: ClassifiedThreads) = distances.getValue(other.stack)
    return (distances.values.toSet() - Int.MAX_VALUE).sorted().map { line ->
        Nested(others.filter { distance(it) <= line }, others.filter { distance(it) == line }, dumps)
    }
}

/** Threads up to a line after the call, of which some are at this [last] line, and their number in each of the [dumps]. */
private class Nested(val threads: List<ClassifiedThreads>, val last: List<ClassifiedThreads>, dumps: Set<Int>) {
    val counts: List<Int> = dumps.map { dump -> threads.filter { it.dump == dump }.sumOf { it.count } }
    val mean: Double = counts.average()
    val median: Int = counts.sorted()[counts.size / 2]
    val constant: Double = counts.count { it == median }.toDouble() / counts.size
    val nearly: Double = counts.count { abs(it - median) <= 1 }.toDouble() / counts.size

    /** Who waits here for a second resource will use it behind this line, and hold both. */
    val between: Boolean get() = last.sumOf { it.count } < 2 * last.filter { it.wait != null }.sumOf { it.count }
}

/** The one whose number is the closest to [size] on average; null if none is close. */
private fun closest(nested: List<Nested>, size: Int): Users? =
    nested.filter { it.mean in LEAST_USED * size..MOST_USED * size }.minByOrNull { abs(it.mean - size) }
        ?.let { Users(it.threads, size) }

/** The shortest whose number is as constant as that of any other, in a share [least] of the dumps; null if none is, or if noise hides which. */
private fun constant(nested: List<Nested>, least: Double = CONSTANT): Users? {
    val constant = nested.filterIndexed { index, it -> !it.between || index == nested.lastIndex }
        .filter { it.counts.size >= FEWEST_DUMPS && it.median > 0 && it.constant >= least && it.nearly >= NEARLY }
    val best = constant.maxOfOrNull { it.constant } ?: return null
    val equal = constant.filter { it.constant >= best - MORE }
    if (best < CLEAR && equal.map { it.median }.distinct().size > 1) return null
    return equal.first().let { Users(it.threads, it.median) }
}

/** The way to a wait: a stack whose frame at index [depth] makes the call that waits. */
private class Path(stack: CallStack, private val depth: Int) {
    private val frames: List<Frame> = stack.frames

    /** Index of the innermost frame of a [TEMPLATES] method, if no frame of the application's own is farther in. */
    val template: Int? = (depth until frames.size).takeWhile { !frames[it].own }.find { frames[it].call in TEMPLATES }

    private val limits: List<Int> = listOfNotNull(template) + (depth until frames.size).filter { frames[it].own }.take(OWN_FRAMES)

    /**
     * How far past the wait [other] is in the method of the frame at [level]. 0 is within the call for the wait, 1 + n is n lines after that call. Null if
     * it is not past the wait.
     */
    fun distance(other: CallStack, level: Int): Int? {
        val limit = limits.getOrNull(level) ?: return null
        return other.frames.indices.filter { sameMethod(frames[limit], other.frames[it]) }
            .mapNotNull { distance(other.frames, limit, it) }.minOrNull()
    }

    private fun distance(other: List<Frame>, limit: Int, start: Int): Int? {
        val lines = (other[start].line ?: 0) - (frames[limit].line ?: 0)
        if (frames[limit].own && lines != 0) return (1 + lines).takeIf { lines > 0 }
        // Number of further frames that both have in common; the last of the wait's own is that which blocks.
        val common = (1..minOf(limit, start)).takeWhile { sameMethod(frames[limit - it], other[start - it]) }.size
        return when {
            limit - common < depth -> null
            common > 0 || !frames[limit].own -> 0
            else -> 1
        }
    }
}

private fun sameMethod(one: Frame, other: Frame): Boolean = one.type == other.type && one.method == other.method
