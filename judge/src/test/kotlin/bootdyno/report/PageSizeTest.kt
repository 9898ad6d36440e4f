package bootdyno.report

import bootdyno.analyse.experiment
import bootdyno.analyse.latencies
import bootdyno.analyse.limitsFound
import bootdyno.analyse.protocol
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Diagnosis
import bootdyno.model.Metric
import bootdyno.model.Profile
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.StackTable
import bootdyno.model.StackWeight
import bootdyno.model.TrialFacts
import bootdyno.report.format.SCRIPT
import bootdyno.report.format.renderHtml
import io.kotest.matchers.ints.shouldBeLessThan
import org.junit.jupiter.api.Test
import kotlin.random.Random

/** Pages are sent by mail and opened from archives of a CI server: a page of any run stays small. */
class PageSizeTest {
    @Test
    fun `a page of six cells is below 300 kB, one of a hundred below 1200 kB`() {
        sizeOf(6) shouldBeLessThan 300_000
        sizeOf(100) shouldBeLessThan 1_200_000
    }

    @Test
    fun `the script stays small`() {
        SCRIPT.length shouldBeLessThan 25_000
    }

    private fun sizeOf(cells: Int): Int = renderHtml(page(reportOf(run(cells)))).encodeToByteArray().size

    /** Six rounds, each trial with all its seconds, its latencies and its profile. */
    private fun run(count: Int) = Random(1).let { random ->
        val cells = List(count) { testCell(CellId("variant-with-a-name-$it/orders")) }
        val trials = (1..ROUNDS).flatMap { round -> cells.mapIndexed { nth, cell -> trial(random, cell, nth, round) } }
        testRun(trials, cells, experiment(cells, protocol(ROUNDS)))
    }

    private fun trial(random: Random, cell: Cell, nth: Int, round: Int): TrialFacts {
        val rate = (400.0 + 10 * nth) * (1 + 0.01 * random.nextDouble())
        return testTrial(
            cell.id,
            round,
            rate,
            latencies = latencies(List(1000) { 100 + random.nextLong(1 + random.nextLong(400)) }),
            load = testLoad(rate),
            series = series(random, rate),
            limits = limitsFound(),
        ).copy(diagnosis = diagnosis(random))
    }

    /** Of a minute: warm-up, window, diagnosis. */
    private fun series(random: Random, rate: Double) = Series(
        (0..60).map { second ->
            val values = Metric.entries.associateWith { metric ->
                if (metric.kind == Metric.Kind.GAUGE) rate * (100 + random.nextDouble()) else second * rate / 1000
            }
            SeriesRow(second.toDouble(), values)
        },
    )

    private fun diagnosis(random: Random): Diagnosis {
        val stacks = List(STACKS) { nth -> List(DEPTH) { depth -> method(nth, DEPTH - 1 - depth) } }
        val frames = List(METHODS) { "com.example.shop.part${it % 9}.ServiceOf$it.method$it(:$it)" }
        val cpu = stacks.indices.map { StackWeight(it, 1.0 + random.nextInt(20)) }
        return Diagnosis(
            from = 20.0,
            to = 25.0,
            stacks = StackTable(frames, stacks),
            profile = Profile(cpu, "jdk.CPUTimeSample", allocation = cpu.take(STACKS / 2)),
        )
    }

    /** Of stack [nth] so many calls below its thread: twice as many branches every four calls, as frameworks have long common callers. */
    private fun method(nth: Int, depth: Int): Int = (depth * 7 + nth % (1 shl ((depth - COMMON).coerceAtLeast(0) / 4))) % METHODS

    private companion object {
        const val ROUNDS = 6
        const val STACKS = 150
        const val DEPTH = 40
        const val COMMON = 15
        const val METHODS = 400
    }
}
