package bootdyno.analyse

import bootdyno.model.Metric
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.WindowReadings
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class WindowReadingsTest {
    private fun cpu(vararg readings: Pair<Double, Double>) = Series(
        readings.map { (at, value) ->
            SeriesRow(at, mapOf(Metric.CPU to value))
        },
    )

    private fun rss(vararg readings: Pair<Double, Double>) = Series(
        readings.map { (at, value) ->
            SeriesRow(at, mapOf(Metric.RSS to value))
        },
    )

    // Only 10.5 and 19.5 lie inside: grown by 6 in 9 s, not in the 10 s of the window, and not by what came before.
    @Test
    fun `a counter is its growth inside the window over the time between its readings`() {
        val window = WindowReadings(cpu(9.5 to 100.0, 10.5 to 103.0, 19.5 to 109.0, 20.5 to 150.0), 10.0, 20.0)
        window.summary(Metric.CPU).shouldNotBeNull() shouldBe (6.0 / 9.0 plusOrMinus 1e-12)
    }

    // 10 for 9 s (mean of 10 and 10), then up to 30 within 1 s (mean 20): (90 + 20) / 10.
    @Test
    fun `a gauge is averaged over time, not over readings`() {
        WindowReadings(rss(10.0 to 10.0, 19.0 to 10.0, 20.0 to 30.0), 10.0, 20.0).summary(Metric.RSS) shouldBe 11.0
    }

    @Test
    fun `a window that does not overlap is missing, not zero`() {
        WindowReadings(cpu(1.0 to 1.0, 2.0 to 2.0), 10.0, 20.0).summary(Metric.CPU) shouldBe null
        WindowReadings(rss(1.0 to 1.0, 2.0 to 2.0), 10.0, 20.0).summary(Metric.RSS) shouldBe null
        WindowReadings(Series(emptyList()), 10.0, 20.0).summary(Metric.CPU) shouldBe null
    }

    @Test
    fun `one reading of a counter is no growth, one of a gauge is its value`() {
        WindowReadings(cpu(15.0 to 1.0), 10.0, 20.0).summary(Metric.CPU) shouldBe null
        WindowReadings(rss(15.0 to 7.0), 10.0, 20.0).summary(Metric.RSS) shouldBe 7.0
    }

    @Test
    fun `a counter that fell was not the same counter`() {
        WindowReadings(cpu(11.0 to 5.0, 12.0 to 1.0), 10.0, 20.0).summary(Metric.CPU) shouldBe null
    }

    // What happens in the window's first half second lies between the readings at 9.5 and 10.5, in its last between 19.5 and 20.5.
    @Test
    fun `what happens at the window's edges is in a counter's growth around it`() {
        val window =
            WindowReadings(cpu(8.5 to 90.0, 9.5 to 100.0, 10.5 to 103.0, 19.5 to 109.0, 20.5 to 150.0, 21.5 to 170.0), 10.0, 20.0)
        window.grown(Metric.CPU) shouldBe 50.0
        WindowReadings(cpu(9.5 to 100.0, 19.5 to 109.0), 10.0, 20.0).grown(Metric.CPU) shouldBe 9.0
        WindowReadings(cpu(10.5 to 100.0, 19.5 to 109.0), 10.0, 20.0).grown(Metric.CPU) shouldBe null
        WindowReadings(cpu(9.5 to 100.0), 10.0, 20.0).grown(Metric.CPU) shouldBe null
        WindowReadings(cpu(9.5 to 100.0, 15.0 to 1.0), 10.0, 20.0).grown(Metric.CPU) shouldBe null
    }

    @Test
    fun `the most of a gauge is that of the window, and its rise that above the least before it`() {
        val window = WindowReadings(rss(1.0 to 40.0, 9.0 to 60.0, 12.0 to 900.0, 14.0 to 700.0, 21.0 to 5000.0), 10.0, 20.0)
        window.most(Metric.RSS) shouldBe 900.0
        window.mostAboveBefore(Metric.RSS) shouldBe 860.0
        WindowReadings(rss(12.0 to 900.0), 10.0, 20.0).mostAboveBefore(Metric.RSS) shouldBe null
    }

    // PERIODS misses the reading at 20: the share is taken from 10 to 19, 9 of 90, and not 10 of 90.
    @Test
    fun `two counters are joined by time`() {
        val rows = (10..20).map { second ->
            val both = mapOf(Metric.THROTTLED_PERIODS to second.toDouble(), Metric.PERIODS to second * 10.0)
            SeriesRow(second.toDouble(), if (second == 20) both - Metric.PERIODS else both)
        }
        val window = WindowReadings(Series(rows), 10.0, 20.0)
        window.share(Metric.THROTTLED_PERIODS, Metric.PERIODS).shouldNotBeNull() shouldBe (0.1 plusOrMinus 1e-12)
        window.share(Metric.THROTTLED_PERIODS, Metric.CPU) shouldBe null
    }
}
