package bootdyno.analyse

import bootdyno.model.LoadFound
import bootdyno.model.Measure
import bootdyno.model.OpenPointFound
import bootdyno.model.OpenRate
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class OpenPointsTest {
    private fun found(share: Double, perSecond: Double, due: Long) =
        OpenPointFound(share, perSecond, testLoad(perSecond).let { load: LoadFound -> load.copy(due = due) })

    private fun analysed(vararg points: OpenPointFound): List<OpenPoint> {
        val facts = testTrial(perSecond = 100.0).recorded { copy(openPoints = points.toList()) }
            .copy(openLatencies = points.map { latencies(listOf(5, 6, 7)) })
        return analyse(testRun(listOf(facts))).cells.first().openPoints
    }

    @Test
    fun `each share has its latency and its rate`() {
        val points = analysed(found(0.5, 50.0, 500), found(0.8, 80.0, 800))
        points.map { it.share }.shouldContainExactly(0.5, 0.8)
        points.last().offered.shouldNotBeNull().value shouldBe (80.0 plusOrMinus 1e-9)
        points.first().latency.getValue(Measure.P50).estimate.value shouldBe (6.0 plusOrMinus 0.01)
    }

    /** Rounds of both cells at 80 % of the capacity; the other cell is slower by [factor], and answers [served] of the 80 requests/s. */
    private fun compared(factor: Double, served: Double = 80.0): Analysis {
        val cells = twoCells.map { it.copy(latencyAt = listOf(OpenRate.Share(0.8))) }
        val trials = (1..6).flatMap { round ->
            listOf(baseline to 1.0, other to factor).map { (cell, times) ->
                val load = testLoad(if (cell == other) served else 80.0).copy(due = 800, inFlight = 3)
                val millis = (1..100).map { (it * (10 + round) * times).toLong() }
                val trial = testTrial(cell, round, latencies = latencies(listOf(500L + round)))
                val point = OpenPointFound(0.8, 80.0, load)
                trial.recorded { copy(openPoints = listOf(point)) }.copy(openLatencies = listOf(latencies(millis)))
            }
        }
        return analyse(testRun(trials, cells))
    }

    @Test
    fun `response times are compared at the common rate, and not in the windows of closed load`() {
        val comparisons = compared(1.5).comparisons
        comparisons.filter { it.at == null }.map { it.measure }.shouldContainExactly(Measure.THROUGHPUT)
        val atRate = comparisons.filter { it.at == ComparedRate(0.8, 80.0) }
        atRate.map { it.measure }.shouldContainExactly(Measure.P50, Measure.P99, Measure.P999)
        atRate.map { it.verdict }.distinct().shouldContainExactly(Verdict.SLOWER)
        atRate.first().ratio.value shouldBe (1.5 plusOrMinus 0.02)
        compared(1.0).comparisons.filter { it.at != null }.map { it.verdict }.distinct().shouldContainExactly(Verdict.EQUIVALENT)
    }

    @Test
    fun `a cell that cannot serve the rate gets no verdict, and says so`() {
        val analysis = compared(1.5, served = 75.0)
        analysis.comparisons.filter { it.at != null }.shouldBeEmpty()
        val point = analysis.cells.last().openPoints.single()
        point.threats.map { it.kind }.shouldContainExactly(Threat.Kind.SATURATED)
        point.threats.single().sentence shouldContain "75/s of 80/s"
        analysis.cells.first().openPoints.single().threats.shouldBeEmpty()
    }

    @Test
    fun `shares of each trial's own capacity, as in older runs, are shown and not compared`() {
        val old = compared(1.5).run.let { run ->
            run.copy(plan = run.plan.copy(cells = run.plan.cells.map { it.copy(latencyAt = listOf(OpenRate.OwnShare(0.8))) }))
        }
        analyse(old).run {
            comparisons.filter { it.at != null }.shouldBeEmpty()
            cells.last().openPoints.single().share shouldBe 0.8
        }
    }

    @Test
    fun `p99,9 has no verdict where the load generator itself was late`() {
        fun late(ms: Double) = compared(1.5).run.let { run ->
            val trials = run.trials.map { trial ->
                val point = trial.record.openPoints.single()
                val generator = point.load.generator.copy(lagP99Ms = 0.1, lagP999Ms = ms, lagMaxMs = ms)
                trial.recorded { copy(openPoints = listOf(point.copy(load = point.load.copy(generator = generator)))) }
            }
            analyse(run.copy(trials = trials))
        }
        // p99.9 is from 1,100 ms on: 1 % is 11 ms.
        late(10.0).comparisons.mapNotNull { c -> c.measure.takeIf { c.at != null } } shouldContainExactly
            listOf(Measure.P50, Measure.P99, Measure.P999)
        val analysis = late(30.0)
        analysis.comparisons.mapNotNull { c -> c.measure.takeIf { c.at != null } } shouldContainExactly
            listOf(Measure.P50, Measure.P99)
        val threat = analysis.cells.first().openPoints.single().threats.single()
        threat.kind shouldBe Threat.Kind.GENERATOR_LAG
        threat.sentence shouldContain "up to 30 ms late: no verdict on p99.9 and maximum."
    }

    @Test
    fun `a point whose rate the generator missed does not count, and says so`() {
        val point = analysed(found(0.8, 80.0, 1_000)).single()
        point.latency.keys.shouldBeEmpty()
        point.threats.map { it.kind }.shouldContainExactly(Threat.Kind.LOAD_GENERATOR)
    }
}
