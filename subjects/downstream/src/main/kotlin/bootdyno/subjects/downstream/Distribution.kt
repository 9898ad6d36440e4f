package bootdyno.subjects.downstream

import java.util.random.RandomGenerator
import kotlin.math.exp
import kotlin.math.ln

/** How waits are spread around their mean. Each draws so that the mean comes out as asked, whatever the shape. */
enum class Distribution(val word: String) {
    /** Every wait from nothing to twice the mean is as likely. */
    UNIFORM("uniform") {
        override fun draw(mean: Double, random: RandomGenerator) = 2 * mean * random.nextDouble()
    },

    FIXED("fixed") {
        override fun draw(mean: Double, random: RandomGenerator) = mean
    },

    /** By inversion, −mean · ln(1 − U) with U uniform in [0, 1). */
    EXPONENTIAL("exponential") {
        override fun draw(mean: Double, random: RandomGenerator) = -mean * ln(1 - random.nextDouble())
    },

    /**
     * exp(μ + σZ) with σ = 1 and Z standard normal; μ = ln mean − σ²/2 gives the mean. The median is 0.61 of it (e^−½), one wait
     * in a hundred is longer than 6.2 times it (e^(2.326 − ½)).
     */
    LOG_NORMAL("log-normal") {
        override fun draw(mean: Double, random: RandomGenerator) = mean * exp(random.nextGaussian() - 0.5)
    },

    /** Nine in ten wait 1/1.9 of the mean, one in ten waits ten times as long as those: 0.9 · f + 0.1 · 10 f = 1.9 f. */
    BIMODAL("bimodal") {
        override fun draw(mean: Double, random: RandomGenerator) = mean / 1.9 * if (random.nextDouble() < 0.9) 1 else 10
    }, ;

    /** One wait in the unit of [mean], never negative. */
    abstract fun draw(mean: Double, random: RandomGenerator): Double

    companion object {
        /** @throws IllegalArgumentException with the words there are */
        fun named(word: String): Distribution = requireNotNull(entries.find { it.word == word }) {
            "$word is no distribution: ${entries.joinToString { it.word }}"
        }
    }
}
