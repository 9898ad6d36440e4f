package bootdyno.plan

import bootdyno.model.CellId
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ForecastTest {
    private val quick = sound(builtIn("quick").orEmpty(), file = "quick.yaml")
    private val elastic = quick.cell(CellId("webflux/monoIO1"))

    @Test
    fun `a trial is start-up, warm-up, two drains, window and stop`() {
        val forecast = forecast(quick, elastic)
        forecast shouldBe
            TrialForecast(startUp = 9.seconds, warmUp = 4.seconds, drains = 1.seconds, window = 10.seconds, stop = 1.seconds)
        forecast.total shouldBe 25.seconds
    }

    @Test
    fun `a slow cell drains as long as its queue takes`() {
        // 400 connections at 20 a second: 20 s, before and after.
        forecast(quick, elastic) { 20.0 }.drains shouldBe 40.seconds
        // Never believed to be longer than a minute each.
        forecast(quick, elastic) { 0.1 }.drains shouldBe 120.seconds
    }

    @Test
    fun `a cost-like cell may need its whole budget of warm-up`() {
        val noop = sound(builtIn("blocking-io").orEmpty()).let { plan -> forecast(plan, plan.cell(CellId("tomcat/noop"))) }
        noop.warmUp shouldBe 60.seconds
        noop.drains shouldBe 0.milliseconds
    }

    @Test
    fun `the whole is the rounds that are certain`() {
        expectedDuration(quick) shouldBe 25.seconds * 6
        val two = quick.copy(experiment = quick.experiment.copy(protocol = quick.experiment.protocol.copy(rounds = 2)))
        expectedDuration(two) shouldBe 25.seconds * 12
    }
}
