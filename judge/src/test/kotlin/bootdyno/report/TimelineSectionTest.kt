package bootdyno.report

import bootdyno.analyse.baseline
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.Metric
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import org.junit.jupiter.api.Test

class TimelineSectionTest {
    private fun lines(metrics: Map<Metric, (Double) -> Double>): List<String> {
        val trial = testTrial(baseline, series = series(metrics))
        val report = reportOf(testRun(listOf(trial), listOf(testCell(baseline))))
        val chart = timelineSection(report).shouldNotBeNull().blocks.single() as Chart
        val plot = chart.plot as TimelinePlot
        return plot.timelines.single().lines.map { "${plot.panels[it.panel]}: ${it.name} ${it.points.last().y}" }
    }

    @Test
    fun `p50 and p99 of each second stand in one panel`() {
        lines(mapOf(Metric.P50 to { 20.0 }, Metric.P99 to { 30.0 })) shouldContainExactly
            listOf("Response time, ms: p99 30.0", "Response time, ms: p50 20.0")
    }

    @Test
    fun `a run that an older version measured has p99 only`() {
        lines(mapOf(Metric.P99 to { 30.0 })) shouldContainExactly listOf("Response time, ms: p99 30.0")
    }
}
