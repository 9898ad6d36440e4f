package bootdyno.engine.netty

import bootdyno.model.ThinkTime
import java.util.SplittableRandom
import kotlin.math.ln
import kotlin.math.sqrt

/** A time to think, in nanoseconds. */
internal fun ThinkTime.nextNanos(random: SplittableRandom): Long = when (this) {
    is ThinkTime.Exponential -> exponential(random)
    is ThinkTime.Uniform -> between(least.inWholeNanoseconds, most.inWholeNanoseconds, random.nextDouble())
}

/**
 * What is left of a time to think at a random moment, in nanoseconds. It is the first one of a user, so that the users of a load are in the
 * steady state at once. A random moment falls into a longer time more often, in proportion to its length, and is uniform in it (inspection
 * paradox; Feller 1971, vol. II, section VI.7). For exponential times the rest is distributed like the whole.
 */
internal fun ThinkTime.restNanos(random: SplittableRandom): Long = when (this) {
    is ThinkTime.Exponential -> exponential(random)

    is ThinkTime.Uniform -> {
        val shortest = least.inWholeNanoseconds.toDouble()
        val longest = most.inWholeNanoseconds.toDouble()
        val whole = sqrt(shortest * shortest + random.nextDouble() * (longest * longest - shortest * shortest))
        (whole * random.nextDouble()).toLong()
    }
}

/** By inversion, −ln(1 − U) × mean with U uniform in [0, 1). */
private fun ThinkTime.Exponential.exponential(random: SplittableRandom): Long =
    (-ln(1 - random.nextDouble()) * mean.inWholeNanoseconds).toLong()

private fun between(least: Long, most: Long, share: Double): Long = least + ((most - least) * share).toLong()
