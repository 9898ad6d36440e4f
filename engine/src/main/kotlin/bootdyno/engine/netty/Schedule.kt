package bootdyno.engine.netty

import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import java.util.SplittableRandom
import java.util.function.LongSupplier
import kotlin.math.ln

/**
 * Due times of the requests of an open profile: endless, non-decreasing, in nanoseconds from 0. Equal profiles and seeds give equal times.
 */
class Schedule(private val profile: LoadProfile.Open, private val seed: Long) {
    init {
        require(profile.perSecond > 0 && profile.perSecond.isFinite()) {
            "a rate is above 0 per second, not ${profile.perSecond}"
        }
    }

    fun times(): LongSupplier = when (profile.arrivals) {
        Arrivals.CONSTANT -> {
            // Each time is computed from its index, so rounding errors do not add up: exact to the nanosecond for 100 days.
            var sent = 0L
            LongSupplier { (sent++ * SECOND / profile.perSecond).toLong() }
        }

        Arrivals.POISSON -> {
            // A Poisson process: exponential gaps by inversion, −ln(1 − U) / rate with U uniform in [0, 1).
            val random = SplittableRandom(seed)
            var at = 0.0
            LongSupplier {
                at -= ln(1 - random.nextDouble()) / profile.perSecond * SECOND
                at.toLong()
            }
        }
    }

    /** The times of sender number [sender] of [senders]: every [senders]-th time. */
    fun part(sender: Int, senders: Int): LongSupplier {
        require(sender in 0 until senders) { "sender $sender of $senders" }
        val all = times()
        var others = sender
        return LongSupplier {
            repeat(others) { all.asLong }
            others = senders - 1
            all.asLong
        }
    }
}

private const val SECOND = 1e9
