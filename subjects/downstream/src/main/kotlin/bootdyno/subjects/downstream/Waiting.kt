package bootdyno.subjects.downstream

import io.netty.handler.codec.http.QueryStringDecoder

/** The delay of a request: a [distribution] with a mean of [meanMs] milliseconds. */
data class Waiting(val distribution: Distribution = Distribution.UNIFORM, val meanMs: Double = DEFAULT_MEAN_MS) {
    init {
        require(meanMs >= 0 && meanMs <= LONGEST_MEAN_MS) { "a mean is 0 to $LONGEST_MEAN_MS ms, not $meanMs" }
    }

    /**
     * A copy with the values in [query] (`distribution=fixed&mean=500`). Throws [IllegalArgumentException] with the problem.
     */
    fun asAskedIn(query: String): Waiting {
        if (query.isEmpty()) return this
        val asked = QueryStringDecoder(query, false).parameters().mapValues { it.value.last() }
        (asked.keys - KEYS).firstOrNull()?.let { throw IllegalArgumentException("$it is no parameter: ${KEYS.joinToString()}") }
        return Waiting(
            distribution = asked["distribution"]?.let(Distribution::named) ?: distribution,
            meanMs = asked["mean"]?.let(::milliseconds) ?: meanMs,
        )
    }

    override fun toString() = "${distribution.word}, mean $meanMs ms"

    companion object {
        private const val DEFAULT_MEAN_MS = 2000.0
        private const val LONGEST_MEAN_MS = 3_600_000.0
        private val KEYS = listOf("distribution", "mean")

        /** @throws IllegalArgumentException if [text] is not a number */
        fun milliseconds(text: String): Double =
            requireNotNull(text.toDoubleOrNull()) { "a mean is a number of milliseconds, not $text" }
    }
}
