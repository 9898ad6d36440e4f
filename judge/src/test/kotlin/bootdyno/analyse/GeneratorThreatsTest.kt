package bootdyno.analyse

import bootdyno.model.AgentFound
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadProfile
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** What makes the figures of one load generator doubtful, or of several. */
class GeneratorThreatsTest {
    private val sound = GeneratorFound(cpuSeconds = 1.0, cpus = 1.0, lagP99Ms = 0.1, waitShare = 0.01)

    private fun threats(load: LoadProfile, vararg generators: GeneratorFound): List<Threat> {
        val agents = generators.mapIndexed { i, found -> AgentFound("load${i + 1}", 500, 10.0, found, null, 1.0) }
        val found = testLoad().copy(agents = agents, generator = generators.first(), due = 1000)
        return threatsOf(testTrial(load = found), testCell(baseline, load))
            .filter { it.kind in setOf(Threat.Kind.LOAD_GENERATOR, Threat.Kind.GENERATOR_WAITED) }
    }

    private fun sentences(load: LoadProfile, vararg generators: GeneratorFound) = threats(load, *generators).map { it.sentence }

    @Test
    fun `the worst of several hosts counts, and is named`() {
        val closed = LoadProfile.Closed(400)
        sentences(closed, sound, sound) shouldBe emptyList()
        sentences(closed, sound, sound.copy(cpuSeconds = 9.5)) shouldContain
            "The load generator on load2 used 95 % of 1 CPU and limited the throughput."
        // Two hosts that are idle on average.
        sentences(closed, sound.copy(cpuSeconds = 18.6, cpus = 2.0), sound).single() shouldBe
            "The load generator on load1 used 93 % of 2 CPUs and limited the throughput."
        sentences(LoadProfile.Open(100.0), sound.copy(lagP99Ms = 1.5), sound) shouldContain
            "The load generator on load1 sent 1 % of the requests more than 1.5 ms late."
    }

    @Test
    fun `a load generator that waited for a CPU is a doubt, on any host`() {
        val waited = sound.copy(waitShare = 0.062)
        threats(LoadProfile.Closed(400), waited, sound).map { it.kind } shouldBe listOf(Threat.Kind.GENERATOR_WAITED)
        sentences(LoadProfile.Closed(400), sound, waited).single() shouldBe
            "The load generator on load2 waited for a CPU for 6.2 % of the window: response times include this wait."
    }
}
