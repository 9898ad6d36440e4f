package bootdyno.schedule

import bootdyno.model.CellId
import bootdyno.model.DiagnosedTrials
import bootdyno.model.RuntimeForm
import bootdyno.plan.SMALL
import bootdyno.plan.builtIn
import bootdyno.plan.sound
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ForecastTest {
    private val quick = sound(builtIn("quick").orEmpty(), file = "quick.yaml")
    private val elastic = quick.cell(CellId("webflux/monoIO1"))

    @Test
    fun `a trial is start-up, warm-up, settling, window, drain, diagnosis and stop`() {
        val forecast = forecast(quick, elastic)
        forecast shouldBe TrialForecast(
            startUp = 9.seconds,
            warmUp = 20.seconds,
            settle = 2.seconds,
            window = 10.seconds,
            drain = 500.milliseconds,
            latencyAt = Duration.ZERO,
            diagnosis = 7.5.seconds,
            stop = 1.seconds,
        )
        forecast.total shouldBe 50.seconds
    }

    @Test
    fun `a slow cell drains as long as its queue takes, and no longer than a trial waits`() {
        // 400 connections at 200 a second: 2 s; at 20 a second it would be 20 s.
        forecast(quick, elastic) { 200.0 }.drain shouldBe 2.seconds
        forecast(quick, elastic) { 20.0 }.drain shouldBe Timing.DRAIN_AFTER
    }

    @Test
    fun `what a cell calls starts before it, and under a load that makes it cost-like it may need the whole budget`() {
        val plan = sound(builtIn("slow-downstream").orEmpty())
        fun of(id: String) = forecast(plan, plan.cell(CellId(id)))
        of("webflux/downstream@article").let { listOf(it.startUp, it.warmUp) } shouldBe listOf(10.seconds, 20.seconds)
        of("webflux/downstream@clients+connections=2000").warmUp shouldBe 60.seconds
    }

    @Test
    fun `a cost-like cell may need its whole budget of warm-up`() {
        val noop = sound(builtIn("blocking-io").orEmpty()).let { plan -> forecast(plan, plan.cell(CellId("tomcat/noop"))) }
        noop.warmUp shouldBe 60.seconds
        noop.drain shouldBe 0.milliseconds
    }

    @Test
    fun `each variant is prepared once, not once per round`() {
        val plan = sound(SMALL.replace("a: { subject: servlet }", "a: { subject: servlet, runtime: aot-cache }"))
        val plain = sound(SMALL)
        // Extracted in 2 s, started in 6 s, trained for 10 s, written in 10 s.
        expectedDuration(plan) shouldBe expectedDuration(plain) + 28.seconds
        preparing(RuntimeForm.SPRING_AOT) shouldBe Duration.ZERO
    }

    @Test
    fun `in containers each jar is put into an image once, whatever it is run as`() {
        val two = SMALL.replace(
            "b: { subject: reactive }",
            "b: { subject: servlet, runtime: spring-aot }\n  c: { subject: reactive }",
        )
        expectedDuration(sound("$two\nin: docker")) shouldBe expectedDuration(sound(two)) + 12.seconds * 2
    }

    @Test
    fun `the whole is the rounds that are certain, and each cell is diagnosed in the first, of several with changed limits`() {
        fun with(rounds: Int, diagnose: DiagnosedTrials) = expectedDuration(
            quick.copy(
                experiment = quick.experiment.copy(
                    repetition = quick.experiment.repetition.copy(rounds = rounds, maxRounds = rounds, diagnose = diagnose),
                ),
            ),
        )
        expectedDuration(quick) shouldBe 50.seconds * 6
        with(rounds = 2, DiagnosedTrials.ONCE) shouldBe 70.seconds * 6 + 42.5.seconds * 6
        with(rounds = 2, DiagnosedTrials.OBSERVE) shouldBe 50.seconds * 6 + 42.5.seconds * 6
        with(rounds = 2, DiagnosedTrials.OFF) shouldBe 42.5.seconds * 12
        with(rounds = 2, DiagnosedTrials.ALWAYS) shouldBe 70.seconds * 6 + 50.seconds * 6
        expectedDuration(quick, rounds = listOf(3)) shouldBe 42.5.seconds * 6
    }

    // 990,000 requests at 5,500 a second for the one CPU.
    @Test
    fun `a burst is expected to end by itself`() {
        val crowd = SMALL.replace("closed: 10", "burst: 9900 x 100")
        val plan = sound(crowd)
        val forecast = forecast(plan, plan.cell(CellId("a/noop"))) { 1e9 }
        forecast.window shouldBe 180.seconds
        forecast.settle shouldBe Duration.ZERO
        forecast.drain shouldBe Duration.ZERO
        val short = sound(crowd.replace("x 100", "x 100, window: 30 s"))
        forecast(short, short.cell(CellId("a/noop"))).window shouldBe 30.seconds
    }
}
