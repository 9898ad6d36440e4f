package bootdyno.subjects.work

/** How many numbers cooperative work looks at before it gives way to others; one or more. */
data class Batch(val numbers: Int) {
    init {
        require(numbers >= 1) { "A batch is 1 number or more, not $numbers." }
    }

    companion object {
        /** The batch of a request that names none, as the text of a query parameter. */
        const val DEFAULT = "1000"

        /** Reads the text of a query parameter; found and answered for by Spring as [Delay.of] is. */
        @JvmStatic
        fun of(text: String): Batch = Batch(text.toInt())
    }
}
