package bootdyno.subjects.work

/** The number of candidates that cooperative work checks between two yields; at least 1. */
data class Batch(val numbers: Int) {
    init {
        require(numbers >= 1) { "A batch is 1 number or more, not $numbers." }
    }

    companion object {
        /** Default of the query parameter. */
        const val DEFAULT = "1000"

        /** Converts the query parameter; used by Spring like [Delay.of]. */
        @JvmStatic
        fun of(text: String): Batch = Batch(text.toInt())
    }
}
