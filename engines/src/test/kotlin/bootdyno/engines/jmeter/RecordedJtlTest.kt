package bootdyno.engines.jmeter

import bootdyno.engine.BurstTimingKit
import bootdyno.engine.CLOSED_20_MS
import bootdyno.engine.ClosedTimingKit
import bootdyno.engine.EngineContext
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.NEVER_ANSWERED
import bootdyno.engine.RecordedTimes
import bootdyno.engine.driveKeeping
import bootdyno.engine.faultsInTurn
import bootdyno.engine.millis
import bootdyno.model.EngineKind
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.time.Duration

/** What a real JMeter wrote, with its usual warm-up, read by a drive whose process has ended. */
class RecordedJtlTest :
    RecordedTimes(),
    ClosedTimingKit,
    BurstTimingKit,
    JMeterTraits {
    override val kind: EngineKind get() = JMETER_KIND

    override fun record(order: LoadOrder, into: Path): List<Path> {
        val options = mapOf("warm" to "5 s", "heap" to "512m")
        return JMeterForTests.engine(into.resolve("engine.log"), options, temporary = into).use {
            listOf(it.driveKeeping(RESULTS, order, into))
        }
    }

    override fun read(order: LoadOrder, from: Path): LoadMeasured {
        val context = EngineContext(emptyList(), from.resolve("engine.log"), from)
        return GeneratedPlan(order, 1).prepare(from, warm = Duration.ZERO).use { plan ->
            GeneratorProcess.start(context, listOf("true"), from).use {
                JMeterDrive(order, plan, it, JMeterConsole(), from, context) {}.measure("JMeter")
            }
        }
    }

    @Test
    fun `every user is under way as a closed window ends`() {
        val (found, latencies) = measured(CLOSED_20_MS)
        found.windowSeconds shouldBe 1.0
        // By a clock of whole milliseconds a user may be between two requests.
        found.inFlight shouldBeInRange 5L..10L
        latencies.unanswered.totalCount shouldBe found.inFlight
    }

    @Test
    fun `what is never answered is in flight when the window ends, with its age`() {
        val (found, latencies) = measured(NEVER_ANSWERED)
        found.inFlight shouldBe 7
        found.answered shouldBe 0
        latencies.unanswered.totalCount shouldBe 7
        latencies.unanswered.millis(100.0) shouldBe (500.0 plusOrMinus 200.0)
    }

    @Test
    fun `a timeout is an observation cut off at its limit`() {
        val unanswered = measured(faultsInTurn()).latencies.unanswered
        unanswered.totalCount shouldBe 10
        unanswered.millis(50.0) shouldBe (500.0 plusOrMinus 200.0)
    }
}
