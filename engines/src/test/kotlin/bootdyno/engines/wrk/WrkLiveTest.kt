package bootdyno.engines.wrk

import bootdyno.engine.EngineContext
import bootdyno.engine.LiveRun
import bootdyno.engine.LiveRunKit
import bootdyno.engine.LoadEngine
import bootdyno.engine.liveRun
import bootdyno.model.EngineSpec
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Files
import kotlin.io.path.readText

@Tag("live")
class WrkLiveTest : LiveRunKit {
    private val log = Files.createTempFile("wrk", ".log").also { it.toFile().deleteOnExit() }
    override val engine: LoadEngine by lazy { WrkEngine.start(EngineContext(listOf(0), log, log.parent), EngineSpec(WRK)) }
    override val run: LiveRun by lazy { liveRun(engine) }

    @BeforeAll
    fun wrkIsInstalled() {
        assumeTrue(whyNoWrk() == null, "wrk is not installed")
    }

    @Test
    fun `a settling is a run of its own, on its own connections, that counts nowhere`() {
        val found = run.measured.found
        found.engine shouldStartWith "wrk "
        run.connections shouldBe 20
        // At least one request on each connection of the settling, and at most 51 in its second and a little.
        found.answered shouldBeLessThan run.asked - 9
        run.seconds.first().at shouldBe 1.0
        run.seconds.first().answered shouldBe 0
        run.seconds.shouldHaveAtLeastSize(3)
        // What the kernel saw it write, less what may be under way.
        run.seconds[1].answered shouldBeInRange 1L..found.answered
    }

    @Test
    fun `the log says how wrk was called and what it said`() {
        run
        engine.pid shouldBe null
        log.readText() shouldContain "-t1 -c10 -d2s"
        log.readText() shouldContain "Requests/sec"
    }
}
