package bootdyno.report

import bootdyno.analyse.SweptRun
import bootdyno.analyse.latencies
import bootdyno.analyse.rounds
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.PublishedFigure
import bootdyno.model.Stack
import bootdyno.model.TrialFacts

/** Sweeps of few and of many lines, and forty cells of different work. */
internal object FixtureSweep {
    val limits = listOf(100, 400, 1000, 4000, 20_000, 300_000)

    /** The baseline, two lines that cross it, and one that is equal at the first limit only. */
    val few = listOf("tomcat/work", "virtual/work", "webflux/work", "coroutines/work")

    /** More than there are colours. */
    val many = (1..22).map { "variant$it/work" }

    private val fewLines = swept(few, "limit", limits).rerun {
        val published = plan.cells.filter { it.line == few[1] }.take(5).map {
            PublishedFigure(it.id, Measure.THROUGHPUT, 800.0, "source")
        }
        copy(plan = plan.copy(experiment = plan.experiment.copy(published = published)))
    }

    private val manyLines = swept(many, "threads", limits.take(2))

    private fun swept(lines: List<String>, axis: String, values: List<Int>): Report {
        val variants = lines.map { it.substringBefore('/') }
        val cells = variants.map { variant -> values.map { SweptRun.cell(variant, "work", it, Stack.TOMCAT, axis) } }
        val trials = cells.flatMapIndexed { nth, line -> line.zip(values).flatMap { (cell, at) -> roundsOf(cell, nth, at) } }
        return reportOf(testRun(trials, cells.flatten()))
    }

    /** Three rounds; the third line has requests without a response at the last limit. */
    private fun roundsOf(cell: Cell, nth: Int, limit: Int): List<TrialFacts> {
        val rate = when {
            nth != few.lastIndex -> rateOf(nth, limit)
            limit == limits.first() -> rateOf(0, limit)
            else -> 1.5 * rateOf(0, limit)
        }
        val noise = if (nth % 2 == 0) 0.002 else -0.002
        val unanswered = if (nth == 2 && limit == limits.last()) List(10) { 30_000L } else emptyList()
        return rounds(cell.id, rate, rate * (1 + noise), rate * (1 - noise)).mapIndexed { round, trial ->
            trial.copy(latencies = latencies(List(100) { (400_000 / rate).toLong() + round }, unanswered))
        }
    }

    /** Limited by the limit at first, by the CPU later: later, and higher, from line to line. */
    private fun rateOf(nth: Int, limit: Int): Double = 1 / ((1 + nth * 0.6) / (2.0 * limit) + 1 / (4000 * (1 + nth * 0.35)))

    private val forty: Report = List(40) { nth ->
        val variant = listOf("tomcat-virtual", "webflux", "webflux-io", "tomcat")[nth % 4]
        testCell(CellId("$variant/workload${nth + 1}"))
            .run { copy(workload = workload.copy(parameters = mapOf("size" to "$nth"))) }
    }.let { cells -> reportOf(testRun(cells.mapIndexed { nth, cell -> trial(cell, nth) }, cells)) }

    /** The fourth has requests without a response, the eighth failed ones. */
    private fun trial(cell: Cell, nth: Int): TrialFacts {
        val errors = if (nth == 7) 1.0 else 0.0
        val times = List(997) { 100L + 5 * nth + it / 20 }
        return testTrial(
            cell.id,
            latencies = if (nth == 3) latencies(List(900) { 100L }, List(97) { 200L }) else latencies(times),
            series = series(mapOf(Metric.ANSWERED to { 10 * it }, Metric.ERRORS to { errors * it }, Metric.CPU to { 0.0 })),
        )
    }

    fun page(): Page = Page(
        "An invented sweep",
        "Who is faster from which limit on?",
        emptyList(),
        listOfNotNull(
            sweepSection(fewLines),
            sweepSection(manyLines)?.copy(id = "many"),
            latencySection(forty),
            timelineSection(forty),
        ),
    )
}
