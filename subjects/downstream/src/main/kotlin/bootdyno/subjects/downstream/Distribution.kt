package bootdyno.subjects.downstream

import java.util.random.RandomGenerator
import kotlin.math.exp
import kotlin.math.ln

/** The distribution of delays; the mean is the configured one for each of them. */
enum class Distribution(val word: String) {
    /** Uniform from 0 to twice the mean. */
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
     * exp(μ + σZ) with σ = 1 and Z standard normal; μ = ln mean − σ²/2 gives the mean. The median is 0.61 times the mean (e^−½), the 99th
     * percentile 6.2 times (e^(2.326 − ½)).
     */
    LOG_NORMAL("log-normal") {
        override fun draw(mean: Double, random: RandomGenerator) = mean * exp(random.nextGaussian() - 0.5)
    },

    /** 90 % have 1/1.9 of the mean, 10 % ten times that: 0.9 · f + 0.1 · 10 f = 1.9 f. */
    BIMODAL("bimodal") {
        override fun draw(mean: Double, random: RandomGenerator) = mean / 1.9 * if (random.nextDouble() < 0.9) 1 else 10
    }, ;

    /** One delay in the unit of [mean], never negative. */
    abstract fun draw(mean: Double, random: RandomGenerator): Double

    companion object {
        /** @throws IllegalArgumentException with the supported words */
        fun named(word: String): Distribution = requireNotNull(entries.find { it.word == word }) {
            "$word is no distribution: ${entries.joinToString { it.word }}"
        }
    }
}
