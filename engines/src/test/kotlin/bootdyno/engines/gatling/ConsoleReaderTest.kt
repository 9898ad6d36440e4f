package bootdyno.engines.gatling

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ConsoleReaderTest {
    /** As Gatling 3.15.1 prints it, shortened by 40 columns. */
    private val printed = """
        Simulation dyno.DynoSimulation started...

        ================================================================================
        2026-11-21 18:50:01 UTC                                               1s elapsed
        ---- Requests ---------------------------------------|---Total---|-----OK----|----KO----
        > Global                                             |     1,234 |     1,200 |        34
        > Global warming                                     |        12 |        12 |         -
        ---- Errors ----------------------------------------------------------------------------
        > j.n.ConnectException: Connection refused                                           34  (100%)

        ---- gate ------------------------------------------------------------------------------
        [######################################################################################]  100%
                  waiting:         0 / active:         3  / done:         1
        ---- load ------------------------------------------------------------------------------
        [######################################################################################]  100%
                  waiting:         0 / active:     1,005  / done:         1
        ================================================================================

        Simulation dyno.DynoSimulation completed in 1 seconds
    """.trimIndent().lines()

    @Test
    fun `a summary is the totals of all requests and the users under way`() {
        val reader = ConsoleReader(scenario = null)
        printed.mapNotNull(reader::take) shouldContainExactly listOf(Summary(good = 1200, bad = 34, active = 1008))
    }

    @Test
    fun `where a scenario is named, only its users are under way`() {
        val reader = ConsoleReader(scenario = "load")
        printed.mapNotNull(reader::take).single().active shouldBe 1005
    }

    @Test
    fun `what stands outside of summaries is left for the log`() {
        val reader = ConsoleReader(scenario = null)
        val outside = printed.filter {
            reader.take(it)
            !reader.inSummary
        }
        outside.filter { it.isNotBlank() } shouldContainExactly
            listOf("Simulation dyno.DynoSimulation started...", "Simulation dyno.DynoSimulation completed in 1 seconds")
    }

    @Test
    fun `none is written as a dash`() {
        val reader = ConsoleReader(scenario = null)
        val none = printed.map { it.replace("1,234 |     1,200 |        34", "    - |         - |         -") }
        none.mapNotNull(reader::take).single().let { it.good to it.bad } shouldBe (0L to 0L)
    }
}
