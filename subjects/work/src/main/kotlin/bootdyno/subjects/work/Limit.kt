package bootdyno.subjects.work

/**
 * Up to which number primes are looked for.
 *
 * Ten million take seconds of one CPU. More is refused: a zero too many in an experiment would hold a thread for minutes
 * or hours, and nothing could call the request back.
 */
data class Limit(val number: Int) {
    init {
        require(number in 0..HIGHEST) { "A limit is a number from 0 to $HIGHEST, not $number." }
    }

    companion object {
        const val HIGHEST = 10_000_000

        /** The limit of a request that names none, as the text of a query parameter. */
        const val DEFAULT = "1000"

        /** Reads the text of a query parameter; found and answered for by Spring as [Delay.of] is. */
        @JvmStatic
        fun of(text: String): Limit = Limit(text.toInt())
    }
}
