package bootdyno.analyse

import bootdyno.analyse.ClaimOutcome.NOT_REPRODUCED
import bootdyno.analyse.ClaimOutcome.NOT_RUN
import bootdyno.analyse.ClaimOutcome.REPRODUCED
import bootdyno.analyse.ClaimOutcome.SAME_DIRECTION
import bootdyno.model.Assertion
import bootdyno.model.Claim
import bootdyno.model.ErrorCause
import bootdyno.model.Measure
import bootdyno.model.PublishedFigure
import bootdyno.model.Tendency
import bootdyno.model.TrialFacts
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.Zone
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PublishedTest {
    private fun interval(low: Double, value: Double, high: Double) = Figure(Estimate(value, Interval(low, high), 6), Bound.EXACT)

    private fun point(value: Double, bound: Bound = Bound.EXACT) = Figure(Estimate(value, null, 1), bound)

    private class Case(val published: Double, val measured: Figure?, val outcome: ClaimOutcome)

    // Tolerance 10 %: [1.80, 2.00] is widened to 1.62 to 2.20, the point 2.00 to 1.80 to 2.20.
    @Test
    fun `a ratio is reproduced inside the widened interval, else by direction`() {
        listOf(
            Case(1.63, interval(1.80, 1.90, 2.00), REPRODUCED),
            Case(2.19, interval(1.80, 1.90, 2.00), REPRODUCED),
            Case(2.21, interval(1.80, 1.90, 2.00), SAME_DIRECTION),
            Case(1.61, interval(1.80, 1.90, 2.00), SAME_DIRECTION),
            Case(0.90, interval(1.80, 1.90, 2.00), NOT_REPRODUCED),
            Case(1.02, interval(1.80, 1.90, 2.00), NOT_REPRODUCED),
            Case(1.94, interval(0.80, 1.20, 1.70), NOT_REPRODUCED),
            Case(1.94, interval(1.005, 1.01, 1.02), NOT_REPRODUCED),
            Case(0.32, interval(0.50, 0.55, 0.60), SAME_DIRECTION),
            Case(2.19, point(2.0), REPRODUCED),
            Case(2.21, point(2.0), SAME_DIRECTION),
            Case(0.50, point(2.0), NOT_REPRODUCED),
            Case(1.94, null, NOT_RUN),
        ).forEach {
            withClue("${it.published} beside ${it.measured}") {
                ratioOutcome(it.published, it.measured, 0.10, Zone(0.03)) shouldBe
                    it.outcome
            }
        }
    }

    @Test
    fun `a bound can agree in direction or contradict, never reproduce`() {
        listOf(
            Case(20.0, point(15.0, Bound.AT_LEAST), SAME_DIRECTION),
            Case(15.0, point(15.0, Bound.AT_LEAST), SAME_DIRECTION),
            Case(0.5, point(15.0, Bound.AT_LEAST), NOT_REPRODUCED),
            Case(3.0, point(0.8, Bound.AT_LEAST), NOT_RUN),
            Case(0.1, point(0.5, Bound.AT_MOST), SAME_DIRECTION),
            Case(2.0, point(0.5, Bound.AT_MOST), NOT_REPRODUCED),
            Case(2.0, point(2.0, Bound.UNKNOWN), NOT_RUN),
        ).forEach {
            withClue("${it.published} beside ${it.measured}") {
                ratioOutcome(it.published, it.measured, 0.10, Zone(0.03)) shouldBe
                    it.outcome
            }
        }
    }

    @Test
    fun `an absolute figure is reproduced or not, a direction it has none`() {
        listOf(
            Case(392.0, interval(395.0, 398.0, 401.0), REPRODUCED),
            Case(355.0, interval(395.0, 398.0, 401.0), NOT_REPRODUCED),
            Case(442.0, interval(395.0, 398.0, 401.0), NOT_REPRODUCED),
            Case(1030.0, point(1030.0, Bound.AT_LEAST), NOT_RUN),
            Case(1030.0, point(2000.0, Bound.AT_LEAST), NOT_REPRODUCED),
            Case(392.0, null, NOT_RUN),
        ).forEach {
            withClue("${it.published} beside ${it.measured}") {
                absoluteOutcome(it.published, it.measured, 0.10) shouldBe
                    it.outcome
            }
        }
    }

    private class Said(val tendency: Tendency, val measured: Figure?, val outcome: ClaimOutcome)

    @Test
    fun `more or less without a figure holds when our ratio is surely beyond what counts as no difference`() {
        listOf(
            Said(Tendency.LESS, interval(0.50, 0.60, 0.70), REPRODUCED),
            Said(Tendency.MORE, interval(0.50, 0.60, 0.70), NOT_REPRODUCED),
            Said(Tendency.LESS, interval(0.60, 0.90, 1.20), NOT_REPRODUCED),
            Said(Tendency.MORE, interval(1.005, 1.01, 1.02), NOT_REPRODUCED),
            Said(Tendency.MORE, point(1.04), REPRODUCED),
            Said(Tendency.MORE, point(1.02), NOT_REPRODUCED),
            Said(Tendency.MORE, point(15.0, Bound.AT_LEAST), REPRODUCED),
            Said(Tendency.LESS, point(15.0, Bound.AT_LEAST), NOT_REPRODUCED),
            Said(Tendency.LESS, point(0.5, Bound.AT_LEAST), NOT_RUN),
            Said(Tendency.MORE, point(2.0, Bound.UNKNOWN), NOT_RUN),
            Said(Tendency.MORE, null, NOT_RUN),
        ).forEach {
            withClue("${it.tendency} beside ${it.measured}") {
                differenceOutcome(it.tendency, it.measured, Zone(0.03)) shouldBe it.outcome
            }
        }
    }

    @Test
    fun `a claim without a figure has none, and says which way it went`() {
        val differs = Claim("is faster", "burst", Assertion.Difference(other, baseline, Measure.THROUGHPUT, Tendency.MORE), 0.1)
        val judged = analyse(
            run.copy(plan = run.plan.copy(experiment = run.plan.experiment.copy(claims = listOf(differs)))),
        ).claims.single()
        judged.published shouldBe null
        judged.tendency shouldBe Tendency.MORE
        judged.outcome shouldBe REPRODUCED
        judged.cells shouldContainExactly listOf(other, baseline)
    }

    // 30 of the 40 failed requests were refused; where none failed there is nothing to be a share of.
    @Test
    fun `the share of refused connections is one of the failures`() {
        val failing = testLoad().copy(errors = mapOf(ErrorCause.REFUSED to 30L, ErrorCause.TIMEOUT to 10L))
        val measured = Measurements(testRun(listOf(testTrial(load = failing), testTrial(other))))
        measured.figure(baseline, Measure.REFUSED).shouldNotBeNull().estimate.value shouldBe (0.75 plusOrMinus 1e-12)
        measured.figure(other, Measure.REFUSED) shouldBe null
        measured.figure(baseline, Measure.ANSWERED).shouldNotBeNull().estimate.value shouldBe (1000.0 plusOrMinus 1e-9)
    }

    private val run = testRun(
        rounds(baseline, 398.0, 399.0, 397.0) + rounds(other, 780.0, 782.0, 778.0),
        threeCells,
        experiment(threeCells).copy(
            published = listOf(
                PublishedFigure(baseline, Measure.THROUGHPUT, 392.0, "blocking-io"),
                PublishedFigure(other, Measure.THROUGHPUT, 760.0, "blocking-io"),
                PublishedFigure(other, Measure.P99, 599.0, "blocking-io"),
                PublishedFigure(third, Measure.THROUGHPUT, 125.0, "blocking-io"),
            ),
            claims = listOf(
                Claim("nearly doubles", "blocking-io", Assertion.Ratio(other, baseline, Measure.THROUGHPUT, 1.94), 0.05),
                Claim("200 / 500 ms", "blocking-io", Assertion.Figure(baseline, Measure.THROUGHPUT, 400.0), 0.05),
                Claim("64 / 500 ms", "blocking-io", Assertion.Figure(third, Measure.THROUGHPUT, 128.0), 0.05),
            ),
        ),
    )

    // 760 / 392 = 1.9388 beside 780 / 398 = 1.9598.
    @Test
    fun `figures are compared by ratio to the published baseline, its own row as it stands`() {
        val judged = analyse(run).published
        judged.map { it.outcome } shouldContainExactly listOf(REPRODUCED, REPRODUCED, NOT_RUN, NOT_RUN)
        judged[0].publishedRatio shouldBe null
        judged[0].measured.shouldNotBeNull().value shouldBe (398.0 plusOrMinus 0.01)
        judged[1].publishedRatio.shouldNotBeNull() shouldBe (1.9388 plusOrMinus 1e-4)
        judged[1].measuredRatio.shouldNotBeNull().value shouldBe (1.9598 plusOrMinus 1e-4)
        judged[3].publishedRatio.shouldNotBeNull() shouldBe (125.0 / 392 plusOrMinus 1e-9)
        judged[3].measuredRatio shouldBe null
    }

    @Test
    fun `that nothing failed is reproduced where nothing does, and has no ratio`() {
        val published = listOf(baseline, other).map { PublishedFigure(it, Measure.ERRORS, 0.0, "slow-downstream") }
        fun judged(trials: List<TrialFacts>) =
            analyse(testRun(trials, experiment = experiment().copy(published = published))).published
        val clean = rounds(baseline, 100.0) + rounds(other, 100.0)
        judged(clean).map { it.outcome } shouldContainExactly listOf(REPRODUCED, REPRODUCED)
        judged(clean).map { it.publishedRatio } shouldContainExactly listOf(null, null)
        val failing = testTrial(other, load = testLoad().copy(errors = mapOf(ErrorCause.TIMEOUT to 10L)))
        judged(rounds(baseline, 100.0) + failing).map { it.outcome } shouldContainExactly listOf(REPRODUCED, NOT_REPRODUCED)
    }

    @Test
    fun `requests in all are those answered or failed, the fastest and the slowest those of the distribution`() {
        val load = testLoad().copy(answered = 4, errors = mapOf(ErrorCause.TIMEOUT to 2L), inFlight = 3)
        val trial = testTrial(load = load, latencies = latencies(listOf(10, 20, 30, 40)))
        val published = listOf(Measure.REQUESTS to 6.0, Measure.MIN to 10.0, Measure.MAX to 40.0)
            .map { (measure, value) -> PublishedFigure(baseline, measure, value, "slow-downstream") }
        val judged = analyse(testRun(listOf(trial), experiment = experiment().copy(published = published))).published
        judged.map { it.outcome } shouldContainExactly listOf(REPRODUCED, REPRODUCED, REPRODUCED)
        judged.first().measured.shouldNotBeNull().value shouldBe 6.0
    }

    @Test
    fun `claims are judged with their own tolerance`() {
        val claims = analyse(run).claims
        claims.map { it.outcome } shouldContainExactly listOf(REPRODUCED, REPRODUCED, NOT_RUN)
        claims.map { it.published } shouldContainExactly listOf(1.94, 400.0, 128.0)
        val strict = run.plan.experiment.claims.map { it.copy(tolerance = 0.0001) }
        analyse(run.copy(plan = run.plan.copy(experiment = run.plan.experiment.copy(claims = strict)))).claims.map {
            it.outcome
        } shouldContainExactly
            listOf(SAME_DIRECTION, REPRODUCED, NOT_RUN)
    }
}
