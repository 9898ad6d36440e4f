package bootdyno.engines.gatling

import bootdyno.engine.CpuTrace
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.seconds

class GatlingOutcomeTest {
    @TempDir
    lateinit var folder: Path
    private val contextLog: Path get() = folder.resolve("engine.log")
    private val order =
        LoadOrder(
            "127.0.0.1",
            1,
            listOf(Step("all", path = "/")),
            load = LoadProfile.Burst(1, 2),
            window = 10.seconds,
            timeout = 5.seconds,
        )

    private fun outcome(
        log: WrittenLog?,
        exitCode: Int = 0,
        summary: Summary? = Summary(2, 0, 0),
        user: UserSimulation? = null,
    ): GatlingOutcome {
        val results = folder.resolve("results/simulation-1").createDirectories()
        log?.to(results)
        val ended = GatlingEnded(exitCode, summary, CpuTrace(), "the last line (see $contextLog)")
        return GatlingOutcome(
            order,
            user,
            ended,
            folder.resolve("results"),
            EngineContext(listOf(0), contextLog, folder),
        )
    }

    private fun two() = WrittenLog().user(starts = true, at = 0).request(0, 1).request(1, 2).user(starts = false, at = 2)

    private fun refusal(log: WrittenLog?, exitCode: Int = 0, summary: Summary? = Summary(2, 0, 0)) =
        shouldThrow<EngineFailed> { outcome(log, exitCode, summary).measured() }.message.orEmpty()

    @Test
    fun `a run that both ways of counting agree on is measured`() {
        val found = outcome(two()).measured().found
        found.answered shouldBe 2
        found.engine shouldBe "gatling 3.15.1"
        found.windowSeconds shouldBe 0.002
        found.printed shouldContain ("requests of the whole run" to 2.0)
    }

    @Test
    fun `a summary that says otherwise than the log makes it no measurement`() {
        refusal(two(), summary = Summary(1, 1, 0)) shouldContain "printed 1 good and 1 failed requests, but its log holds 2 and 0"
        refusal(two(), summary = null) shouldContain "printed no summary"
    }

    @Test
    fun `a bad exit code, no log, or no request is a failure with the last lines`() {
        refusal(null) shouldContain "no simulation.log"
        refusal(two(), exitCode = 1) shouldBe "Gatling ended with exit code 1: the last line (see $contextLog)"
        refusal(WrittenLog().user(starts = true, at = 0).crash("home: no url", at = 1), summary = Summary(0, 0, 0)) shouldContain
            "home: no url"
    }

    @Test
    fun `assertions that failed are told beside the figures`() {
        outcome(two(), exitCode = 2).measured().found.complaints shouldBe mapOf("failed assertions, or more" to 1L)
    }

    @Test
    fun `several local addresses of a simulation are told beside the figures, one is not`() {
        fun complaints(vararg local: String) =
            outcome(two(), user = UserSimulation("A", emptyList(), folder, local = setOf(*local))).measured().found.complaints
        complaints("localhost:8080", "localhost:8081") shouldBe
            mapOf("addresses of the simulation, all sent to the subject (localhost:8080, localhost:8081)" to 2L)
        complaints("localhost:8080") shouldBe emptyMap()
    }

    @Test
    fun `a user that never ended breaks the sum, so it is a failure`() {
        refusal(WrittenLog().user(starts = true, at = 0).request(0, 1).request(1, 2)) shouldContain "1 of 1 users did not end"
    }

    @Test
    fun `a failure of no known class is the client's, and its words are in the engine's log`() {
        val log = WrittenLog().user(
            starts = true,
            at = 0,
        ).request(0, 1).request(1, 2, "j.l.Oddity: what now").user(starts = false, at = 2)
        outcome(log, summary = Summary(1, 1, 0)).measured().found.errors.values.sum() shouldBe 1
        contextLog.readText() shouldContain "j.l.Oddity: what now"
    }
}
