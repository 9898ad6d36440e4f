package bootdyno.engines.k6

import bootdyno.engine.LiveRun
import bootdyno.engine.LiveRunKit
import bootdyno.engine.LoadEngine
import bootdyno.engine.liveRun
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Files
import kotlin.io.path.readText

@Tag("live")
class K6LiveTest : LiveRunKit {
    private val log = Files.createTempFile("k6", ".log").also { it.toFile().deleteOnExit() }
    override val engine: LoadEngine by lazy { K6ForTests.engine(log) }
    override val run: LiveRun by lazy { liveRun(engine) }

    @BeforeAll
    fun k6IsInstalled() = K6ForTests.assumed()

    @Test
    fun `each user keeps one connection, and the window is as long as it should be`() {
        run.connections shouldBe 10
        val found = run.measured.found
        found.engine shouldStartWith "k6 "
        found.windowSeconds shouldBe 2.0
        found.inFlight shouldBeInRange 0L..10L
        found.generator.cpuSeconds shouldBeGreaterThan 0.0
        found.printed shouldContain ("requests of the whole run" to run.asked.toDouble())
        run.seconds.map { it.inWindow }.distinct() shouldContainExactly listOf(false, true)
        run.seconds.last().answered shouldBe run.asked
        engine.pid shouldBe null
    }

    @Test
    fun `the log says how k6 was called`() {
        run
        log.readText() shouldContain "run --quiet --no-color"
    }
}
