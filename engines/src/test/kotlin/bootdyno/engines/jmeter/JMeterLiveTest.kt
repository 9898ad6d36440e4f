package bootdyno.engines.jmeter

import bootdyno.engine.LiveRun
import bootdyno.engine.LiveRunKit
import bootdyno.engine.LoadEngine
import bootdyno.engine.liveRun
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Files

@Tag("live")
class JMeterLiveTest : LiveRunKit {
    private val log = Files.createTempFile("jmeter", ".log").also { it.toFile().deleteOnExit() }
    override val engine: LoadEngine by lazy { JMeterForTests.engine(log, mapOf("warm" to "1 s")) }
    override val run: LiveRun by lazy { liveRun(engine) }

    @BeforeAll
    fun jmeterIsThere() {
        JMeterForTests.assumed()
    }

    @Test
    fun `warmed on a server of its own it asks the subject not once more, and its own figures are about the subject`() {
        val (found, latencies) = run.measured
        found.engine shouldBe "JMeter ${JMeterForTests.home.version}"
        found.windowSeconds shouldBe 2.0
        found.inFlight shouldBeInRange 0L..10L
        latencies.unanswered.totalCount shouldBe found.inFlight
        found.operations.shouldBeEmpty()
        found.generator.cpuSeconds shouldBeGreaterThan 0.0
        found.printed.getValue("requests") shouldBe run.asked.toDouble()
        found.printed.getValue("min ms") shouldBeGreaterThanOrEqual 20.0
        run.seconds.last().answered shouldBe run.asked
        run.seconds.any { it.inWindow } shouldBe true
        (null in run.pids) shouldBe false
        engine.pid shouldBe null
    }
}
