package bootdyno.engines.jmeter

import bootdyno.model.Step
import java.nio.file.Path
import kotlin.time.Duration

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
    /** What its samples ask; none of somebody's own plan: anything may come. */
    val steps: List<Step> = emptyList(),
    val transactions: TransactionRows = TransactionRows.NONE,
    private val atEnd: () -> Unit = {},
) : AutoCloseable {
    override fun close() = atEnd()
}
