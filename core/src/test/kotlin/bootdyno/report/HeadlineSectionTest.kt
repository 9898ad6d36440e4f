package bootdyno.report

import bootdyno.analyse.Rank
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Preset
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class HeadlineSectionTest {
    private val small = Fixture.small()
    private val tomcat = CellId("tomcat/blockingIO")
    private val mono = CellId("webflux/monoIO1")

    @Test
    fun `a leading baseline is compared with the next one`() {
        headline(small) shouldBe listOf(
            "tomcat/blockingIO (the baseline) serves the most: 392 requests/s [391, 393].",
            "Next is webflux/monoIO1 at 0.0500× [0.0480, 0.0520] the baseline's throughput (95 % interval, 2 rounds).",
        )
    }

    @Test
    fun `leaders that share the first rank are named together`() {
        headline(Fixture.sixRounds()) shouldBe listOf(
            "tomcat-virtual/blockingIO and webflux/monoIO2 serve the most and cannot be told apart: 775 to 779 requests/s.",
            "tomcat-virtual/blockingIO is 1.99× [1.97, 2.01] the baseline, tomcat/blockingIO (95 % interval, 6 rounds).",
        )
    }

    @Test
    fun `an undecided leader is not called faster`() {
        headline(judged(Estimate(1.02, Interval(0.97, 1.07), 2), Verdict.UNDECIDED, 4)).last() shouldBe
            "Whether that differs from the baseline, tomcat/blockingIO, is undecided: 1.020× [0.970, 1.070] (95 % interval, " +
            "2 rounds); about 4 more rounds would decide."
    }

    @Test
    fun `an equivalent leader is called equivalent`() {
        headline(judged(Estimate(1.01, Interval(1.0, 1.02), 2), Verdict.EQUIVALENT, null)).last() shouldBe
            "That is equivalent to the baseline, tomcat/blockingIO: 1.01× [1.00, 1.02] (95 % interval, 2 rounds)."
    }

    @Test
    fun `one round is indicative whatever it says`() {
        headline(Fixture.oneRound()).first() shouldBe
            "Indicative, no interval (one round): tomcat-virtual/blockingIO serves the most: 779 requests/s. " +
            "That is 1.99× the baseline, tomcat/blockingIO."
    }

    @Test
    fun `for a verdict it names what the run did not have, a longer preset or more rounds`() {
        val quick = Fixture.oneRound()
        val run = quick.analysis.run
        val protocol = run.plan.experiment.protocol.copy(preset = Preset.STANDARD)
        val plan = run.plan.copy(experiment = run.plan.experiment.copy(protocol = protocol))
        headline(quick).last() shouldBe "For a verdict, run it again with --preset standard."
        headline(quick.copy(analysis = quick.analysis.copy(run = run.copy(plan = plan)))).last() shouldBe
            "For a verdict, run it again with --rounds 6."
    }

    @Test
    fun `a run in which everything failed says so and can still be shown`() {
        val nothing = small.copy(
            analysis = small.analysis.copy(
                cells = small.analysis.cells.takeLast(1),
                ranking = emptyList(),
                comparisons = emptyList(),
                published = emptyList(),
            ),
        )
        headline(nothing) shouldBe listOf("Nothing was measured. The failures below say where each trial ended.")
        page(nothing).sections.map { it.id } shouldBe
            listOf("answer", "claims", "gates", "failures", "trust", "reproduce", "environment", "where")
    }

    /** Mono first, compared as told. */
    private fun judged(ratio: Estimate, verdict: Verdict, furtherRounds: Int?): Report {
        val comparison = small.analysis.comparisons.first().copy(ratio = ratio, verdict = verdict, furtherRounds = furtherRounds)
        return small.copy(
            analysis = small.analysis.copy(
                ranking = listOf(Rank(1, false, mono), Rank(2, false, tomcat)),
                comparisons = listOf(comparison),
            ),
        )
    }
}
