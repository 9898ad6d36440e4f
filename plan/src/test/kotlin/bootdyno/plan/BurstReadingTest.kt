package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Preset
import bootdyno.model.Tendency
import bootdyno.schedule.Timing
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.minutes

class BurstReadingTest {
    private val crowd = SMALL.replace("closed: 10", "burst: 10000 x 100")

    @Test
    fun `no preset or protocol shortens the window of a burst`() {
        fun windows(text: String, preset: Preset) =
            sound(text + "\nprotocol: [ article, cold, steady ]", Overrides(preset = preset)).cells.map {
                it.profile.window
            }.distinct()
        Preset.entries.forEach { windows(crowd, it).shouldContainExactly(Timing.BURST_WINDOW) }
        windows(crowd.replace("x 100", "x 100, window: 2 min"), Preset.QUICK).shouldContainExactly(2.minutes)
    }

    private val claiming = """
        $SMALL
        source: { key: s, title: S }
        claims:
          - { text: A, ratio: [ b/noop, a/noop ], measure: mean, published: less }
          - { text: B, ratio: [ b/noop, a/noop ], measure: answered, published: more }
          - { text: C, ratio: [ b/noop, a/noop ], measure: live-threads, published: 0.18 }
    """.lines().joinToString("\n") {
        it.removePrefix("        ")
    }

    @Test
    fun `a claim without a figure says more or less, and is written as it was read`() {
        val plan = sound(claiming)
        val (b, a) = CellId("b/noop") to CellId("a/noop")
        plan.experiment.claims.map { it.assertion }.shouldContainExactly(
            Assertion.Difference(b, a, Measure.MEAN, Tendency.LESS),
            Assertion.Difference(b, a, Measure.ANSWERED, Tendency.MORE),
            Assertion.Ratio(b, a, Measure.LIVE_THREADS, 0.18),
        )
        sound(planText(plan)).experiment.claims shouldBe plan.experiment.claims
    }
}
