package bootdyno.analyse

import bootdyno.model.LatencyFacts
import bootdyno.model.Measure
import io.kotest.matchers.collections.shouldBeSortedBy
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Histograms keep three digits: a value of some hundred ms is right to 0.1 %. */
class LatencyTest {
    // Four connections: 1, 1, 2 and 1000 ms; their mean is 251.
    @Test
    fun `times to connect are apart from the response times, and empty where the engine cannot tell`() {
        val times = latencies(listOf(10L, 20L)).copy(connect = seen(1, 1, 2, 1000))
        val cell = analyse(testRun(listOf(testTrial(latencies = times)))).cell(baseline).shouldNotBeNull()
        cell.connect.getValue(Measure.MEAN).estimate.value shouldBe (251.0 plusOrMinus 1.0)
        cell.connect.getValue(Measure.MAX).estimate.value shouldBe (1000.0 plusOrMinus 1.0)
        cell.connectCurve.last().milliseconds shouldBe (1000.0 plusOrMinus 1.0)
        cell.latency.getValue(Measure.MAX).estimate.value shouldBe (20.0 plusOrMinus 0.1)
        val unknown = analyse(testRun(listOf(testTrial(latencies = latencies(listOf(10L)))))).cell(baseline).shouldNotBeNull()
        unknown.connect shouldBe emptyMap()
        unknown.connectCurve shouldBe emptyList()
    }

    private fun analysed(vararg trials: LatencyFacts) = analyse(
        testRun(trials.mapIndexed { index, it -> testTrial(round = index + 1, latencies = it) }),
    ).cell(baseline).shouldNotBeNull()

    private val hundred = (1L..100L).toList()

    @Test
    fun `percentiles of one trial are the values that were there, in ms`() {
        val cell = analysed(latencies(hundred))
        val expected = mapOf(
            Measure.MIN to 1.0,
            Measure.MEAN to 50.5,
            Measure.P50 to 50.0,
            Measure.P90 to 90.0,
            Measure.P99 to 99.0,
            Measure.P999 to 100.0,
            Measure.MAX to 100.0,
        )
        expected.forEach { (point, value) ->
            cell.latency[point].shouldNotBeNull().estimate.value shouldBe (value plusOrMinus value * 0.001)
            cell.latency[point].shouldNotBeNull().censored shouldBe false
            cell.latency[point].shouldNotBeNull().estimate.interval shouldBe null
        }
    }

    // p50 of the trials 100 and 400: geometric mean 200, n = 2, not the median of the pooled requests.
    @Test
    fun `the percentile of each trial is the sample`() {
        val p50 = analysed(
            latencies(List(10) { 100L }),
            latencies(List(1000) { 400L }),
        ).latency[Measure.P50].shouldNotBeNull().estimate
        p50.value shouldBe (200.0 plusOrMinus 0.2)
        p50.n shouldBe 2
    }

    // 90 answered at 100 ms, 10 unanswered after 5000 ms: the survivors stay at 0.1, so p90 is 100 and p99 at least 5000.
    @Test
    fun `a percentile among the unanswered is a bound without an interval`() {
        val stuck = latencies(List(90) { 100L }, List(10) { 5000L })
        val cell = analysed(stuck, latencies(hundred))
        cell.latency[Measure.P90].shouldNotBeNull().censored shouldBe false
        val p99 = cell.latency[Measure.P99].shouldNotBeNull()
        p99.censored shouldBe true
        p99.estimate.interval shouldBe null
        analysed(stuck).latency[Measure.P99].shouldNotBeNull().estimate.value shouldBe (5000.0 plusOrMinus 5.0)
    }

    // Of the 95 answered 90 took 100 ms: their p90 is 100. Of all 105 only 86 % were done by then: p90 is one of the slow ones.
    @Test
    fun `the unanswered are not left out of the percentiles of the answered`() {
        val cell = analysed(latencies(List(90) { 100L } + List(5) { 9000L }, List(10) { 8000L }))
        cell.latency[Measure.P90].shouldNotBeNull().estimate.value shouldBe (9000.0 plusOrMinus 9.0)
    }

    @Test
    fun `the curve is merged over trials and rises to 99,99 percent`() {
        val curve = analysed(latencies(List(100) { 10L }), latencies(List(100) { 500L })).curve
        curve.size shouldBeInRange 70..90
        curve.shouldBeSortedBy { it.percentile }
        curve.shouldBeSortedBy { it.milliseconds }
        curve.first().milliseconds shouldBe (10.0 plusOrMinus 0.01)
        curve.last().percentile shouldBe (99.99 plusOrMinus 1e-9)
        curve.last().milliseconds shouldBe (500.0 plusOrMinus 0.5)
        // Half of all requests took 10 ms: the step is at 50 %.
        curve.last { it.milliseconds < 100 }.percentile shouldBe (48.0 plusOrMinus 5.0)
    }
}
