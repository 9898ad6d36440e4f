package bootdyno.engine

import bootdyno.model.LoadProfile
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Files
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A rate that no engine can offer. */
@Tag("live")
@Tag("full")
internal class TooFastScheduleTest {
    @Test
    fun `a schedule that is faster than the engine ends with its window, and its counts say that the rate was missed`() {
        val found = ForkedEngine.start(emptyList(), Files.createTempFile("engine", ".log")).use { engine ->
            TruthServer.start { it.answerAfter(Duration.ZERO, good) }.use {
                engine.drive(order(it.port, LoadProfile.Open(5_000_000.0), window = 2.seconds)).found
            }
        }
        found.answered shouldBeGreaterThan 0
        found.due.shouldNotBeNull() shouldBeLessThan 9_900_000
        // From 1 ms on, such a trial does not count.
        found.generator.lagP99Ms.shouldNotBeNull() shouldBeGreaterThan 1.0
    }
}
