package bootdyno.subjects.work

/** How long a request waits, in milliseconds; never negative. */
data class Delay(val ms: Long) {
    init {
        require(ms >= 0) { "A wait is 0 ms or longer, not $ms ms." }
    }

    companion object {
        /** The wait of a request that names none, as the text of a query parameter. */
        const val DEFAULT_MS = "500"

        /**
         * Reads the text of a query parameter. Spring finds this function by its name and answers 400 when it throws
         * [IllegalArgumentException], so that both stacks refuse the same texts.
         */
        @JvmStatic
        fun of(text: String): Delay = Delay(text.toLong())
    }
}
