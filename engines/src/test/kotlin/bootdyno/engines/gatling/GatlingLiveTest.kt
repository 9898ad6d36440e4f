package bootdyno.engines.gatling

import bootdyno.engine.LiveRun
import bootdyno.engine.LiveRunKit
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadSecond
import bootdyno.engine.liveRun
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Files

@Tag("live")
class GatlingLiveTest : LiveRunKit {
    private val log = Files.createTempFile("gatling", ".log").also { it.toFile().deleteOnExit() }
    private val gatling by lazy { GatlingForTests.engine(log, options = mapOf("warm" to "1 s")) }
    override val engine: LoadEngine get() = gatling
    override val run: LiveRun by lazy { liveRun(gatling) }

    @BeforeAll
    fun gatlingIsThere() {
        GatlingForTests.assumed()
    }

    @AfterAll
    fun end() = gatling.close()

    @Test
    fun `each user keeps one connection, the load begins when the lab is ready, and warming up asks the subject nothing`() {
        run.connections shouldBe 10
        val found = run.measured.found
        found.windowSeconds shouldBe 2.0
        // Of each user the request at the window's end and, where Gatling stamped its end late, the next one.
        found.inFlight shouldBeInRange 0L..20L
        found.generator.cpuSeconds shouldBeGreaterThan 0.0
        found.printed shouldContain ("requests of the whole run" to run.asked.toDouble())
        run.seconds.first() shouldBe LoadSecond(0.0, false, 0, 0, 0, null)
        run.askedBefore shouldBe 0
        run.seconds.last().answered shouldBe run.asked
        (null in run.pids) shouldBe false
        gatling.pid shouldBe null
    }
}
