package bootdyno.engines.jmeter

import bootdyno.engine.LoadOrder
import java.nio.file.Files
import java.nio.file.Path

/** What is known beforehand of the samples of a plan. */
internal class Expected private constructor(private val statuses: Map<String, Int>, private val any: Int?) {
    /** The labels to come, in their order; empty where they are not known, or there is one. */
    val labels: Set<String> get() = statuses.keys

    /** The status that counts as an answer; null where the plan decides. */
    fun status(label: String): Int? = statuses[label] ?: any

    companion object {
        /** Somebody's own plan: anything may come. */
        val ANYTHING = Expected(emptyMap(), null)

        fun status(status: Int) = Expected(emptyMap(), status)

        /** Of a plan generated for [order]. */
        fun of(order: LoadOrder): Expected = order.steps.singleOrNull()?.let { status(it.expect.status) }
            ?: Expected(order.steps.associate { it.name to it.expect.status }, null)
    }
}

/** A plan ready to be run, and how its results are to be read. Closing it removes what was made beside it. */
internal class PreparedPlan(
    val file: Path,
    /** Where JMeter runs: what a plan names relatively is looked for here first. */
    val workingFolder: Path,
    /** What the plan reads by `${__P(name)}`. */
    val properties: Map<String, String>,
    /** Threads it starts, as far as that is known. */
    val users: Int?,
    val length: RunLength,
    val expected: Expected,
    val transactions: TransactionRows = TransactionRows.NONE,
    /** Ends what else must live as long as the run. */
    private val alive: AutoCloseable = AutoCloseable { },
    private val made: List<Path> = emptyList(),
) : AutoCloseable {
    override fun close() {
        alive.close()
        made.forEach { Files.deleteIfExists(it) }
    }
}
