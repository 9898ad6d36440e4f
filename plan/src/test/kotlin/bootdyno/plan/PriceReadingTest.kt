package bootdyno.plan

import bootdyno.model.Prices
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PriceReadingTest {
    private fun file(lines: String) = "$SMALL\n$lines"

    @Test
    fun `prices and headroom are read, and read again from the text of the plan`() {
        val plan = readTwice(file("headroom: 30 %\nprices: { cpu-hour: 0.04, gib-hour: 0.005, currency: EUR }"))
        plan.experiment.headroom shouldBe 0.3
        plan.experiment.prices shouldBe Prices(cpuHour = 0.04, gibHour = 0.005, currency = "EUR")
        sound(file("prices: { instance-hour: 0.1 }")).experiment.prices shouldBe Prices(instanceHour = 0.1)
        sound(SMALL).experiment.run { listOf(headroom, prices) } shouldBe listOf(0.0, null)
    }
}
