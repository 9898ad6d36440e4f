package bootdyno.stats

/** The bounds of an interval at a confidence [level], 0.95 by default. */
data class Interval(val low: Double, val high: Double, val level: Double = 0.95) {
    operator fun contains(value: Double) = value in low..high
}

/** A point with its interval over [n] independent samples; a single sample has no interval. */
data class Estimate(val value: Double, val interval: Interval?, val n: Int)
