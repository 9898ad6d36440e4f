package bootdyno.engines.jmeter

/**
 * Tells the rows of JMeter's Transaction Controllers from those of requests. A controller usually writes a row of its own
 * beside those of its requests, which must not be counted again; one that is set to *generate parent sample* writes the only
 * row there is, and the transaction is what is counted then.
 */
internal class TransactionRows(private val parents: Set<String>, private val allAreParents: Boolean) {
    fun counts(row: JtlRow): Boolean =
        !row.message.startsWith(PREFIX) || (allAreParents && parents.isNotEmpty()) || row.label in parents

    companion object {
        /** The message of such a row, in every version 2.x to 5.x. */
        const val PREFIX = "Number of samples in transaction"

        val NONE = TransactionRows(emptySet(), allAreParents = false)
    }
}
