package bootdyno.analyse

import bootdyno.model.LoadFound
import bootdyno.model.Measure
import bootdyno.model.OpenPointFound
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class OpenPointsTest {
    private fun found(share: Double, perSecond: Double, due: Long) =
        OpenPointFound(share, perSecond, testLoad(perSecond).let { load: LoadFound -> load.copy(due = due) })

    private fun analysed(vararg points: OpenPointFound): List<OpenPoint> {
        val trial = testTrial(perSecond = 100.0)
        val facts = trial.copy(
            record = trial.record.copy(openPoints = points.toList()),
            openLatencies = points.map { latencies(listOf(5, 6, 7)) },
        )
        return analyse(testRun(listOf(facts))).cells.first().openPoints
    }

    @Test
    fun `each share has its latency and its rate`() {
        val points = analysed(found(0.5, 50.0, 500), found(0.8, 80.0, 800))
        points.map { it.share }.shouldContainExactly(0.5, 0.8)
        points.last().offered.shouldNotBeNull().value shouldBe (80.0 plusOrMinus 1e-9)
        points.first().latency.getValue(Measure.P50).estimate.value shouldBe (6.0 plusOrMinus 0.01)
    }

    @Test
    fun `a point whose rate the generator missed does not count, and says so`() {
        val point = analysed(found(0.8, 80.0, 1_000)).single()
        point.latency.keys.shouldBeEmpty()
        point.threats.map { it.kind }.shouldContainExactly(Threat.Kind.LOAD_GENERATOR)
    }
}
