package bootdyno.report

import bootdyno.analyse.Rank
import bootdyno.analyse.Verdict
import bootdyno.analyse.analyse
import bootdyno.analyse.baseline
import bootdyno.analyse.burstCells
import bootdyno.analyse.evenBurst
import bootdyno.analyse.other
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.model.CellId
import bootdyno.model.Preset
import bootdyno.model.TrialFacts
import bootdyno.report.format.renderMarkdown
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.TwoGroups
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class HeadlineSectionTest {
    private val small = Fixture.small()
    private val tomcat = CellId("tomcat/blockingIO")
    private val mono = CellId("webflux/monoIO1")

    @Test
    fun `a leading baseline is compared with the next one`() {
        headline(small) shouldBe listOf(
            "tomcat/blockingIO (the baseline) serves the most requests: 392 requests/s (95 % interval 391 to 393, 6 rounds).",
            "webflux/monoIO1 is second with 0.0500× the throughput of the baseline (95 % interval 0.0480 to 0.0520, 2 rounds).",
        )
    }

    @Test
    fun `cells that may be the best are named together`() {
        headline(Fixture.sixRounds()) shouldBe listOf(
            "tomcat-virtual/blockingIO and webflux/monoIO2 may be the best, with no measurable difference: " +
                "775 to 779 requests/s.",
            "tomcat-virtual/blockingIO serves 1.99× the requests of the baseline tomcat/blockingIO " +
                "(95 % interval 1.97 to 2.01, 6 rounds).",
        )
    }

    @Test
    fun `the variants are compared in each workload`() {
        val rates = mapOf("old/list" to 100.0, "new/list" to 200.0, "old/create" to 1000.0, "new/create" to 900.0)
        val trials = rates.flatMap { (cell, rate) -> rounds(CellId(cell), rate, rate * 1.01, rate * 0.99) }
        val report = Report(analyse(testRun(trials, rates.keys.map { testCell(CellId(it)) })), emptyList())
        headline(report).map { it.substringBefore(" (9") } shouldBe listOf(
            "new/list serves the most requests: 200 requests/s",
            "new/list serves 2.00× the requests of the baseline old/list",
            "new/create serves 0.900× the requests of the baseline old/create",
        )
        report.analysis.groups.map { report.title(it) } shouldBe listOf("list", "create")
    }

    @Test
    fun `an undecided leader is not called faster`() {
        headline(judged(Estimate(1.02, Interval(0.97, 1.07), 2), Verdict.UNDECIDED, 4)).last() shouldBe
            "Not decided: webflux/monoIO1 is 3.0 % slower to 7.0 % faster than the baseline tomcat/blockingIO: 1.020× " +
            "(95 % interval 0.970 to 1.070, 2 rounds). About 4 more rounds would decide."
    }

    @Test
    fun `a leader of two states is told in both`() {
        val report = judged(Estimate(1.12, Interval(1.01, 1.24), 8), Verdict.UNDECIDED, null)
        val comparison = report.analysis.comparisons.single().copy(groups = TwoGroups(3, 0.997, 5, 1.2))
        headline(report.copy(analysis = report.analysis.copy(comparisons = listOf(comparison)))).last() shouldBe
            "Not decided: webflux/monoIO1 has 0.997× the throughput of the baseline tomcat/blockingIO in 3 rounds and 1.2× in 5."
    }

    @Test
    fun `a tie with the baseline is judged once`() {
        headline(judged(Estimate(1.02, Interval(0.97, 1.07), 2), Verdict.UNDECIDED, 4, tied = true)) shouldBe listOf(
            "webflux/monoIO1 and tomcat/blockingIO (the baseline) serve 19.6 to 392 requests/s.",
            "Not decided: webflux/monoIO1 is 3.0 % slower to 7.0 % faster than the baseline tomcat/blockingIO: 1.020× " +
                "(95 % interval 0.970 to 1.070, 2 rounds). About 4 more rounds would decide.",
        )
    }

    @Test
    fun `an equivalent leader is called equivalent`() {
        headline(judged(Estimate(1.01, Interval(1.0, 1.02), 2), Verdict.EQUIVALENT, null)).last() shouldBe
            "webflux/monoIO1 and the baseline tomcat/blockingIO are equally fast: 1.01× (95 % interval 1.00 to 1.02, 2 rounds)."
    }

    @Test
    fun `one round is always labelled indicative`() {
        headline(Fixture.oneRound()) shouldBe listOf(
            "200 Tomcat threads allow 400/s (tomcat/blockingIO: 392/s).",
            "tomcat-virtual/blockingIO, webflux/monoIO2 and tomcat/completableFutureIO lift this limit: " +
                "758 to 779 requests/s (1.99×), all that 400 clients can ask for.",
            "One round cannot decide which of the 3 is fastest. To decide: `./dyno run blocking-io --preset standard`.",
        )
    }

    @Test
    fun `for a verdict it names what the run did not have, a longer preset or more rounds`() {
        val quick = Fixture.oneRound()
        val run = quick.analysis.run
        val protocol = run.plan.experiment.repetition.copy(preset = Preset.STANDARD)
        val plan = run.plan.copy(experiment = run.plan.experiment.copy(repetition = protocol))
        headline(quick).last() shouldBe
            "One round cannot decide which of the 3 is fastest. To decide: `./dyno run blocking-io --preset standard`."
        headline(quick.copy(analysis = quick.analysis.copy(run = run.copy(plan = plan)))).last() shouldBe
            "One round cannot decide which of the 3 is fastest. To decide: `./dyno run blocking-io --rounds 6`."
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
        headline(nothing) shouldBe listOf("Nothing was measured: 1 trial failed.")
        page(nothing).sections.map { it.id } shouldBe
            listOf("answer", "failures", "claims", "gates", "trust", "reproduce", "environment", "where")
    }

    /** Mono first, or tied with the baseline, compared as told. */
    private fun judged(ratio: Estimate, verdict: Verdict, furtherRounds: Int?, tied: Boolean = false): Report {
        val comparison = small.analysis.comparisons.first().copy(ratio = ratio, verdict = verdict, furtherRounds = furtherRounds)
        return small.copy(
            analysis = small.analysis.copy(
                ranking = listOf(Rank("a", true, mono), Rank(if (tied) "a" else "b", tied, tomcat)),
                comparisons = listOf(comparison),
            ),
        )
    }

    private fun burst(trials: List<TrialFacts>) = Report(analyse(testRun(trials, burstCells().take(2))), emptyList())

    // The 50th, 90th, 99th and 100th of 100 requests, one after the other.
    @Test
    fun `a burst is answered for by the time until 99 percent are answered, and shows how far it came when`() {
        val report = burst(evenBurst(baseline, 4000, 4000, 4000) + evenBurst(other, 1000, 1000, 1000))
        headline(report) shouldBe listOf(
            "other/work answers 99 % of the requests first, after 0.990 s (95 % interval 0.990 to 0.990, 3 rounds).",
            "other/work needs 0.250× the time of the baseline base/work (95 % interval 0.250 to 0.250, 3 rounds).",
            "other/work answered 50 % after 500 ms, 90 % after 900 ms, 99 % after 990 ms, 100 % after 1 s; 0 % failed.",
            "base/work answered 50 % after 2 s, 90 % after 3.6 s, 99 % after 3.96 s, 100 % after 4 s; 0 % failed.",
        )
    }

    @Test
    fun `a burst whose baseline never answers 99 percent says so instead of a ratio`() {
        val report = burst(evenBurst(baseline, 1000, 1000, 1000, unanswered = 20) + evenBurst(other, 4000, 4000, 4000))
        headline(report) shouldBe listOf(
            "other/work answers 99 % of the requests first, after 3.96 s (95 % interval 3.96 to 3.96, 3 rounds).",
            "other/work answered 50 % after 2 s, 90 % after 3.6 s, 99 % after 3.96 s, 100 % after 4 s; 0 % failed.",
            "base/work answered 50 % after 500 ms, 90 % never, 99 % never, 100 % never; 20 % failed.",
        )
        val page = renderMarkdown(page(report))
        page shouldContain "not reached"
        page shouldNotContain "requests/s"
    }

    @Test
    fun `a share that only some bursts answer is not always answered`() {
        val some =
            evenBurst(baseline, 1000, 1000, 1000).dropLast(1) + evenBurst(baseline, 1000, 1000, 1000, unanswered = 5).last()
        val report = burst(some + evenBurst(other, 500, 500, 500))
        headline(report).last() shouldBe
            "base/work answered 50 % after 500 ms, 90 % after 900 ms, 99 % not always, 100 % not always; 1.7 % failed."
        renderMarkdown(page(report)) shouldContain "reached in 2 of 3"
    }

    @Test
    fun `where no cell of a burst answers 99 percent nothing is called first`() {
        val report = burst(evenBurst(baseline, 1000, 1000, unanswered = 5) + evenBurst(other, 4000, 4000, unanswered = 5))
        headline(report).first() shouldBe "No variant answered 99 % of the requests."
    }
}
