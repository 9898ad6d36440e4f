package bootdyno.engines.jmeter

import bootdyno.engine.LoadOrder
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration

/** What is known beforehand of the samples of a plan: the [labels] to come, in their order, and the status of a good answer. */
internal class Expected private constructor(
    val labels: List<String>,
    private val statuses: Map<String, Int>,
    private val any: Int?,
) {
    /** The status that counts as an answer; null where the plan decides. */
    fun status(label: String): Int? = statuses[label] ?: any

    companion object {
        /** Somebody's own plan: anything may come. */
        val ANYTHING = Expected(emptyList(), emptyMap(), null)

        fun status(status: Int) = Expected(emptyList(), emptyMap(), status)

        /** Of a plan generated for [order]. */
        fun of(order: LoadOrder): Expected {
            val statuses = order.steps.associate { it.name to it.expect.status }
            return Expected(order.operations, statuses, statuses.values.singleOrNull())
        }
    }
}

/**
 * Which part of a run counts and when it is stopped; all times count from its first sample.
 *
 * The window opens after [settle] and ends with the last sample, or after [window] if that comes first. [lasts] means that the
 * load goes on beyond the window, which is then exactly [window] long. A run that is not over after [stopAfter] is stopped.
 */
internal data class RunLength(val settle: Duration, val window: Duration, val lasts: Boolean, val stopAfter: Duration)

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
