package bootdyno.subjects.work

/** Duration of a request's wait, in ms; not negative. */
data class Delay(val ms: Long) {
    init {
        require(ms >= 0) { "A wait is 0 ms or longer, not $ms ms." }
    }

    companion object {
        /** Default of the query parameter. */
        const val DEFAULT_MS = "500"

        /**
         * Converts the query parameter. Spring finds this function by its name, and responds with 400 if it throws [IllegalArgumentException], so
         * that both stacks reject the same texts.
         */
        @JvmStatic
        fun of(text: String): Delay = Delay(text.toLong())
    }
}
