package bootdyno.faults

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import java.nio.file.Files
import java.nio.file.Path

/** Also the rows of a table in docs/reliability.md. */
internal val ALL_FAULTS: List<Faults> = listOf(
    cellFaults(),
    signalFaults(),
    processFaults(),
    diskFaults(),
    damageFaults(),
    inputFaults(),
    environmentFaults(),
).flatten()

/**
 * Everything that goes wrong around a run, brought about for real: `./build faults`. It drives the jar that users have, and takes minutes,
 * so that it is no part of the ordinary build.
 */
@Tag("faults")
class FaultCampaignTest {
    @TestFactory
    fun `after each fault nothing is left, finished trials are intact, and resume completes the run`(): List<DynamicTest> {
        val chosen = System.getProperty("faults.only")?.let(::Regex)
        val faults = ALL_FAULTS.filter { of -> chosen == null || (of.names + of.kind).any { chosen.containsMatchIn(it) } }
        val running = Campaign(faults, System.getProperty("faults.workers")?.toInt() ?: WORKERS).also { campaign = it }
        return faults.flatMap { of ->
            of.names.map { name -> dynamicTest("${of.kind}: $name") { running.outcome(of, name).failure?.let { throw it } } }
        }
    }

    companion object {
        private var campaign: Campaign? = null

        /** A fault mostly waits. */
        private const val WORKERS = 4

        @JvmStatic
        @AfterAll
        fun `print what happened`() {
            val table = campaign?.use { it.table() } ?: return
            println(table)
            Files.writeString(Path.of("target", "faults.txt"), table + "\n")
        }
    }
}
