package bootdyno.schedule

import bootdyno.model.WarmUp
import bootdyno.plan.SMALL
import bootdyno.plan.sound
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class TimingTest {
    @Test
    fun `no load settles before a burst`() {
        val burst = sound(SMALL.replace("closed: 10", "burst: 10000 x 100")).cells.first()
        val steady = sound(SMALL).cells.first()
        settling(burst, WarmUp.Certified(1.seconds, 1.seconds)) shouldBe 0.seconds
        settling(steady, WarmUp.Certified(1.seconds, 1.seconds)) shouldBe 2.seconds
        settling(steady, WarmUp.Cold) shouldBe 0.seconds
        // Until those of the beginning are answered, and those after them are spread.
        val slow = steady.copy(workload = steady.workload.copy(holds = 2.seconds))
        settling(slow, WarmUp.Certified(1.seconds, 1.seconds)) shouldBe 4.seconds
    }

    @Test
    fun `a rate is measured for 5,000 requests, from 10 s to 30 s`() {
        listOf(100.0, 250.0, 5_000.0).map { searchWindow(it).inWholeSeconds } shouldBe listOf(30L, 20L, 10L)
    }
}
