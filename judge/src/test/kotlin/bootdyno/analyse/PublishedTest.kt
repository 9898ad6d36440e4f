package bootdyno.analyse

import bootdyno.analyse.ClaimOutcome.INDICATIVE
import bootdyno.analyse.ClaimOutcome.NOT_REPRODUCED
import bootdyno.analyse.ClaimOutcome.NOT_RUN
import bootdyno.analyse.ClaimOutcome.NO_VERDICT
import bootdyno.analyse.ClaimOutcome.REPRODUCED
import bootdyno.analyse.ClaimOutcome.SAME_DIRECTION
import bootdyno.analyse.ClaimOutcome.UNDECIDED
import bootdyno.model.Assertion
import bootdyno.model.Claim
import bootdyno.model.ErrorCause
import bootdyno.model.Measure
import bootdyno.model.PublishedFigure
import bootdyno.model.Tendency
import bootdyno.model.TrialFacts
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.roundToInt

class PublishedTest {
    private fun comparison(ratio: Estimate, bound: Bound = Bound.EXACT) =
        Comparison(baseline, other, Measure.THROUGHPUT, ratio, null, null, 0.03, bound)

    private fun interval(low: Double, high: Double) = comparison(Estimate((low + high) / 2, Interval(low, high), 6))

    private fun point(value: Double, bound: Bound = Bound.EXACT) = comparison(Estimate(value, null, 1), bound)

    private fun bounds(value: Double, bound: Bound, ofBounds: Interval = Interval(value, value)) =
        comparison(Estimate(value, null, 3), bound).copy(ofBounds = ofBounds.beyond(bound))

    @Test
    fun `a claim is not refuted against a side that fails more requests`() {
        val near = interval(0.98, 1.05)
        ratioOutcome(1.94, near, 0.10) shouldBe NOT_REPRODUCED
        ratioOutcome(1.94, near.copy(failsMore = baseline), 0.10) shouldBe UNDECIDED
        ratioOutcome(1.94, near.copy(failsMore = other), 0.10) shouldBe NOT_REPRODUCED
        ratioOutcome(0.50, near.copy(failsMore = other), 0.10) shouldBe UNDECIDED
    }

    // Of a bound there is no verdict that could be undone.
    @Test
    fun `a bound neither agrees with nor contradicts a claim by a side that fails more requests`() {
        val more = bounds(15.0, Bound.AT_LEAST)
        fun outcomes(of: Comparison) =
            listOf(ratioOutcome(20.0, of, 0.10), ratioOutcome(0.5, of, 0.10)) + Tendency.entries.map { differenceOutcome(it, of) }
        outcomes(more.copy(failsMore = baseline)) shouldBe outcomes(more)
        outcomes(more.copy(failsMore = other)) shouldBe List(4) { UNDECIDED }
    }

    private class Case(val published: Double, val measured: Comparison?, val outcome: ClaimOutcome)

    private fun judge(case: Case) = withClue("${case.published} beside ${case.measured}") {
        ratioOutcome(case.published, case.measured, 0.10) shouldBe case.outcome
    }

    // Tolerance 10 %: 1.94 stands for 1.746 to 2.134, 2.23 for 2.007 to 2.453, 1.05 for 0.945 to 1.155, 1.02 for 0.918 to 1.122.
    @Test
    fun `a ratio is reproduced by an interval that excludes 1, meets the published one and is narrower than its effect`() {
        listOf(
            Case(1.94, interval(1.80, 2.00), REPRODUCED),
            Case(1.94, interval(1.60, 1.75), REPRODUCED),
            Case(2.23, interval(1.80, 2.00), SAME_DIRECTION),
            Case(1.94, interval(1.04, 1.08), SAME_DIRECTION),
            Case(1.94, interval(1.01, 2.20), UNDECIDED),
            Case(1.94, interval(0.80, 2.50), UNDECIDED),
            Case(1.94, interval(0.80, 1.70), NOT_REPRODUCED),
            Case(1.94, interval(1.005, 1.02), NOT_REPRODUCED),
            Case(0.90, interval(1.80, 2.00), NOT_REPRODUCED),
            Case(1.05, interval(0.95, 0.99), NOT_REPRODUCED),
            Case(0.32, interval(0.50, 0.60), SAME_DIRECTION),
            Case(1.02, interval(0.95, 1.05), REPRODUCED),
            Case(1.02, interval(0.80, 1.05), UNDECIDED),
            Case(1.02, interval(1.80, 2.00), NOT_REPRODUCED),
            Case(2.00, point(2.0), INDICATIVE),
            Case(1.94, null, NOT_RUN),
        ).forEach(::judge)
    }

    @Test
    fun `a bound can agree in direction or contradict, never reproduce`() {
        listOf(
            Case(20.0, bounds(15.0, Bound.AT_LEAST), SAME_DIRECTION),
            Case(15.0, bounds(15.0, Bound.AT_LEAST), SAME_DIRECTION),
            Case(0.5, bounds(15.0, Bound.AT_LEAST), NOT_REPRODUCED),
            Case(3.0, bounds(0.8, Bound.AT_LEAST), UNDECIDED),
            Case(0.1, bounds(0.5, Bound.AT_MOST), SAME_DIRECTION),
            Case(2.0, bounds(0.5, Bound.AT_MOST), NOT_REPRODUCED),
            Case(2.0, bounds(2.0, Bound.UNKNOWN), UNDECIDED),
            Case(20.0, bounds(15.0, Bound.AT_LEAST, Interval(0.8, 20.0)), UNDECIDED),
            Case(2.0, bounds(0.5, Bound.AT_MOST, Interval(0.1, 3.0)), UNDECIDED),
            Case(15.0, point(15.0, Bound.AT_LEAST), INDICATIVE),
        ).forEach(::judge)
    }

    @Test
    fun `a figure of other hardware has no verdict, unless arithmetic fixes it`() {
        fun figure(low: Double, high: Double) = Figure(Estimate((low + high) / 2, Interval(low, high), 6), Bound.EXACT)
        fun bound(value: Double) = Figure(Estimate(value, null, 1), Bound.AT_LEAST)
        fun outcome(published: Double, figure: Figure?, isFixed: Boolean = true) =
            absoluteOutcome(published, figure, 0.10, isFixed)
        outcome(392.0, figure(395.0, 401.0)) shouldBe REPRODUCED
        outcome(355.0, figure(395.0, 401.0)) shouldBe NOT_REPRODUCED
        outcome(392.0, figure(300.0, 500.0)) shouldBe UNDECIDED
        outcome(392.0, Figure(Estimate(395.0, null, 1), Bound.EXACT)) shouldBe INDICATIVE
        outcome(1030.0, bound(1030.0)) shouldBe UNDECIDED
        outcome(1030.0, bound(2000.0)) shouldBe NOT_REPRODUCED
        outcome(392.0, null) shouldBe NOT_RUN
        outcome(392.0, figure(395.0, 401.0), isFixed = false) shouldBe NO_VERDICT
    }

    private class Said(val tendency: Tendency, val measured: Comparison?, val outcome: ClaimOutcome)

    @Test
    fun `more or less without a figure is reproduced by an interval on that side of 1`() {
        listOf(
            Said(Tendency.LESS, interval(0.50, 0.70), REPRODUCED),
            Said(Tendency.MORE, interval(1.005, 1.10), REPRODUCED),
            Said(Tendency.MORE, interval(0.50, 0.70), NOT_REPRODUCED),
            Said(Tendency.LESS, interval(0.60, 1.20), UNDECIDED),
            Said(Tendency.MORE, interval(1.005, 1.02), NOT_REPRODUCED),
            Said(Tendency.MORE, point(1.04), INDICATIVE),
            Said(Tendency.MORE, bounds(15.0, Bound.AT_LEAST), REPRODUCED),
            Said(Tendency.MORE, point(1.01, Bound.AT_LEAST), INDICATIVE),
            Said(Tendency.LESS, bounds(15.0, Bound.AT_LEAST), NOT_REPRODUCED),
            Said(Tendency.LESS, bounds(0.5, Bound.AT_LEAST), UNDECIDED),
            Said(Tendency.MORE, bounds(2.0, Bound.UNKNOWN), UNDECIDED),
            Said(Tendency.MORE, null, NOT_RUN),
        ).forEach {
            withClue("${it.tendency} beside ${it.measured}") { differenceOutcome(it.tendency, it.measured) shouldBe it.outcome }
        }
    }

    // 6.1 % measured of 122 % published, and 10 % of 50 %.
    @Test
    fun `the same direction states the share of the published effect`() {
        ClaimJudged("", "", 2.22, Estimate(1.061, null, 6), SAME_DIRECTION).effect.shouldNotBeNull() shouldBe
            (0.05 plusOrMinus 1e-9)
        ClaimJudged("", "", 0.5, Estimate(0.9, null, 6), SAME_DIRECTION).effect.shouldNotBeNull() shouldBe (0.2 plusOrMinus 1e-9)
        ClaimJudged("", "", 400.0, Estimate(390.0, null, 6), NO_VERDICT, isRatio = false).effect shouldBe null
    }

    @Test
    fun `a claim that only failures leave undecided says so`() {
        val more = Claim("is faster", "test", Assertion.Difference(other, baseline, Measure.THROUGHPUT, Tendency.MORE), 0.1)
        fun judged(trials: List<TrialFacts>) =
            analyse(testRun(trials, experiment = experiment().copy(claims = listOf(more)))).claims.single().run {
                outcome to
                    moreErrors
            }
        val base = rounds(baseline, 100.0, 101.0, 99.0)
        judged(base + failing(other, 3, 200.0, 500)) shouldBe (UNDECIDED to true)
        judged(base + rounds(other, 60.0, 200.0, 80.0)) shouldBe (UNDECIDED to false)
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
        judged.map { it.outcome } shouldContainExactly listOf(NO_VERDICT, REPRODUCED, NOT_RUN, NOT_RUN)
        judged[0].publishedRatio shouldBe null
        judged[0].measured.shouldNotBeNull().value shouldBe (398.0 plusOrMinus 0.01)
        judged[1].publishedRatio.shouldNotBeNull() shouldBe (1.9388 plusOrMinus 1e-4)
        judged[1].measuredRatio.shouldNotBeNull().value shouldBe (1.9598 plusOrMinus 1e-4)
        judged[3].publishedRatio.shouldNotBeNull() shouldBe (125.0 / 392 plusOrMinus 1e-9)
        judged[3].measuredRatio shouldBe null
    }

    @Test
    fun `that nothing failed has no ratio`() {
        val published = listOf(baseline, other).map { PublishedFigure(it, Measure.ERRORS, 0.0, "slow-downstream") }
        val trials = rounds(baseline, 100.0) + rounds(other, 100.0)
        val judged = analyse(testRun(trials, experiment = experiment().copy(published = published))).published
        judged.map { it.publishedRatio } shouldContainExactly listOf(null, null)
        judged.map { it.measured?.value } shouldContainExactly listOf(0.0, 0.0)
    }

    @Test
    fun `requests in all are those answered or failed, the fastest and the slowest those of the distribution`() {
        val load = testLoad().copy(answered = 4, errors = mapOf(ErrorCause.TIMEOUT to 2L), inFlight = 3)
        val trial = testTrial(load = load, latencies = latencies(listOf(10, 20, 30, 40)))
        val published = listOf(Measure.REQUESTS to 6.0, Measure.MIN to 10.0, Measure.MAX to 40.0)
            .map { (measure, value) -> PublishedFigure(baseline, measure, value, "slow-downstream") }
        val judged = analyse(testRun(listOf(trial), experiment = experiment().copy(published = published))).published
        judged.map { it.measured?.value?.roundToInt() } shouldContainExactly listOf(6, 10, 40)
    }

    @Test
    fun `claims are judged with their own tolerance`() {
        val claims = analyse(run).claims
        claims.map { it.outcome } shouldContainExactly listOf(REPRODUCED, NO_VERDICT, NOT_RUN)
        claims.map { it.published } shouldContainExactly listOf(1.94, 400.0, 128.0)
        val strict = run.plan.experiment.claims.map { it.copy(tolerance = 0.0001) }
        analyse(run.copy(plan = run.plan.copy(experiment = run.plan.experiment.copy(claims = strict)))).claims.map {
            it.outcome
        } shouldContainExactly listOf(SAME_DIRECTION, NO_VERDICT, NOT_RUN)
    }
}
