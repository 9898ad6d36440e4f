package bootdyno.load.jmeter

import java.nio.file.Files
import java.nio.file.Path

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
    /** Of a generated plan, the status that counts as an answer. */
    val expectedStatus: Int?,
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
