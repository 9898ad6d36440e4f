package bootdyno.engine

import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import java.util.SplittableRandom
import kotlin.math.ln

/**
 * When the requests of an open profile are due: endless, never decreasing times in nanoseconds from 0.
 *
 * The same profile and seed give the same times, however often and in however many parts they are asked for.
 */
class Schedule(private val profile: LoadProfile.Open, private val seed: Long) {
    init {
        require(profile.perSecond > 0 && profile.perSecond.isFinite()) {
            "a rate is above 0 per second, not ${profile.perSecond}"
        }
    }

    fun times(): LongIterator = part(0, 1)

    /** The part of [times] that sender [sender] of [senders] is to send: every [senders]-th time. All parts together are the whole. */
    fun part(sender: Int, senders: Int): LongIterator {
        require(sender in 0 until senders) { "sender $sender of $senders" }
        val all = when (profile.arrivals) {
            Arrivals.CONSTANT -> ConstantTimes(profile.perSecond)
            Arrivals.POISSON -> PoissonTimes(profile.perSecond, SplittableRandom(seed))
        }
        repeat(sender) { all.nextLong() }
        return if (senders == 1) all else EveryNth(all, senders)
    }
}

private const val SECOND = 1e9

/** Each time is computed from its number, so no rounding adds up: exact to the nanosecond for 100 days. */
private class ConstantTimes(private val perSecond: Double) : LongIterator() {
    private var sent = 0L

    override fun hasNext() = true

    override fun nextLong(): Long = (sent++ * SECOND / perSecond).toLong()
}

/** A Poisson process: exponential gaps by inversion, −ln(1 − U) / rate with U uniform in [0, 1). */
private class PoissonTimes(private val perSecond: Double, private val random: SplittableRandom) : LongIterator() {
    private var at = 0.0

    override fun hasNext() = true

    override fun nextLong(): Long {
        at -= ln(1 - random.nextDouble()) / perSecond * SECOND
        return at.toLong()
    }
}

private class EveryNth(private val all: LongIterator, private val n: Int) : LongIterator() {
    override fun hasNext() = true

    override fun nextLong(): Long {
        val chosen = all.nextLong()
        repeat(n - 1) { all.nextLong() }
        return chosen
    }
}
