package bootdyno.subjects.work

/**
 * Upper limit of the prime search.
 *
 * Ten million needs seconds of one CPU. Larger values are rejected, because a mistake in an experiment could occupy a thread for hours, and
 * requests cannot be cancelled.
 */
data class Limit(val number: Int) {
    init {
        require(number in 0..HIGHEST) { "A limit is a number from 0 to $HIGHEST, not $number." }
    }

    companion object {
        const val HIGHEST = 10_000_000

        /** Default of the query parameter. */
        const val DEFAULT = "1000"

        /** Converts the query parameter; used by Spring like [Delay.of]. */
        @JvmStatic
        fun of(text: String): Limit = Limit(text.toInt())
    }
}
