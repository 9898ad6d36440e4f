package bootdyno.rules

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class MovingSlicesTest {
    private fun slices(
        up: Double? = 20.0,
        down: Double? = 8.0,
        held: Duration = 100.milliseconds,
        time: Duration = 20.seconds,
        inHaste: Boolean = false,
    ) = movingSlices(10.0, up, down, held, time, inHaste)

    @Test
    fun `the original value and both others take turns, the larger first`() {
        checkNotNull(slices()).run {
            values.shouldContainExactly(10.0, 20.0, 10.0, 8.0, 10.0, 20.0, 10.0, 8.0, 10.0)
            transition shouldBe 500.milliseconds
            measured shouldBe 800.milliseconds
            length shouldBe 12.7.seconds
        }
        slices(up = null)?.values shouldBe List(5) { listOf(10.0, 8.0) }.flatten() + 10.0
        slices(down = null)?.values shouldBe listOf(10.0, 20.0, 10.0, 20.0, 10.0)
        // Nothing has to grow.
        slices(up = null)?.length shouldBe 14.3.seconds
        slices(up = null, down = null) shouldBe null
    }

    @Test
    fun `a slice is a multiple of the time for which a request holds a unit, after one and a half of it`() {
        checkNotNull(slices(held = 500.milliseconds)).run {
            transition shouldBe 750.milliseconds
            measured shouldBe 1.seconds
        }
        checkNotNull(slices(held = 700.milliseconds)).measured shouldBe 700.milliseconds
        checkNotNull(slices(held = Duration.ZERO)).measured shouldBe 800.milliseconds
        slices(held = 3.seconds) shouldBe null
    }

    @Test
    fun `where time is short there are fewer slices, and none for less than a pair`() {
        slices(time = 4.seconds, inHaste = true)?.values shouldBe listOf(10.0, 20.0, 10.0, 20.0)
        slices(time = 2.seconds, inHaste = true)?.values shouldBe listOf(10.0, 20.0)
        slices(time = 1.seconds, inHaste = true) shouldBe null
        // The observation took longer than it may.
        slices(time = (-5).seconds, inHaste = true) shouldBe null
        slices(time = 8.seconds)?.values shouldBe listOf(10.0, 20.0, 10.0, 20.0, 10.0)
    }
}
