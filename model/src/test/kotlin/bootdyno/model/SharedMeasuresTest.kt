package bootdyno.model

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class SharedMeasuresTest {
    private val metrics = listOf(Metric.RSS, Metric.HEAP_USED, Metric.HEAP_COMMITTED, Metric.COMPILER_CPU)
    private val series = Series(listOf(0.0, 10.0).map { at -> SeriesRow(at, metrics.associateWith { 5.0 + at }) })
    private val own = TrialRecord(
        trial = Trial(1, 1, CellId("a/x")),
        ending = Ending.Measured,
        startedAt = "2026-11-27T10:00:00Z",
    )

    private fun known(record: TrialRecord): List<Measure> = Measure.resources.filter { measure ->
        val readings = TrialReadings(record, WindowReadings(series, 0.0, 10.0))
        (measure.source as ResourceUse).value(readings) != null
    }

    @Test
    fun `memory is measured of a process, and not of one of several trials that it serves`() {
        known(own).shouldContainExactlyInAnyOrder(Measure.RSS, Measure.HEAP, Measure.HEAP_COMMITTED, Measure.COMPILER_CPU)
        known(own.copy(shared = SharedProcessFound(1, mapOf("server.tomcat.threads.max" to "50")))) shouldBe emptyList()
    }
}
