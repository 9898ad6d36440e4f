package bootdyno.analyse

import bootdyno.model.AxisPoint
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.Measure
import bootdyno.stats.Passing
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test

class SweepsTest {
    private val analysis = analyse(SweptRun.run())
    private val sweep = analysis.sweeps.single()

    @Test
    fun `each variant and workload is a curve along the axis`() {
        sweep.axis shouldBe "limit"
        sweep.lines.map {
            it.name
        }.shouldContainExactly("tomcat/plain", "tomcat/pool", "virtual/plain", "netty/plain", "netty/pool")
        sweep.lines.first().points.map { it.value }.shouldContainExactly(100.0, 10_000.0)
    }

    @Test
    fun `each is compared with the plain handler of its own stack`() {
        sweep.lines.map { it.baseline }.shouldContainExactly(null, "tomcat/plain", "tomcat/plain", null, "netty/plain")
        val pool = sweep.lines[1].against.find { it.measure == Measure.THROUGHPUT }.shouldNotBeNull()
        pool.ratios.map { it.ratio.value }.zip(listOf(0.5, 2.0)).forEach { (ratio, truth) ->
            ratio shouldBe (truth plusOrMinus 0.01)
        }
    }

    @Test
    fun `the only one of its stack is compared with the declared baseline`() {
        val run = SweptRun.run()
        val cells = run.plan.cells.filterNot { it.id.text.startsWith("netty/pool") }
        val lines = analyse(run.copy(plan = run.plan.copy(cells = cells))).sweeps.single().lines
        lines.last().name shouldBe "netty/plain"
        lines.last().baseline shouldBe "tomcat/plain"
        lines.last().against.first().ratios.map { it.ratio.value }.single() shouldBe (2.0 plusOrMinus 0.01)
    }

    @Test
    fun `where it pays is the crossing, with its interval`() {
        val pays = sweep.lines[1].against.first().pays.shouldBeInstanceOf<Passing.At>()
        pays.x shouldBe (1000.0 plusOrMinus 30.0)
        val reach = pays.reach.shouldNotBeNull()
        (reach.low.shouldNotBeNull() < pays.x && pays.x < reach.high.shouldNotBeNull()) shouldBe true
    }

    // From 0.97 to 1.02: it passes 1, but by less than counts as a difference.
    @Test
    fun `a gain within what is no difference pays nowhere`() {
        val near = SweptRun.run(pool = 10.2, poolAtFirst = 970.0, noise = 0.012).let { analyse(it).sweeps.single() }
        near.lines[1].against.first().pays shouldBe Passing.Nowhere
    }

    @Test
    fun `where the last value is undecided, so is whether it pays`() {
        val noisy = SweptRun.run(pool = 10.4, noise = 0.08).let { analyse(it) }
        noisy.comparisons.single {
            it.candidate.text == "tomcat/pool+limit=10000" && it.measure == Measure.THROUGHPUT
        }.verdict shouldBe Verdict.UNDECIDED
        noisy.sweeps.single().lines[1].against.first().pays shouldBe Passing.Undecided
    }

    @Test
    fun `a line that fails more requests at the last value does not pay`() {
        val run = SweptRun.run()
        val trials = run.trials.map { trial ->
            if (trial.record.trial.cell.text != "tomcat/pool+limit=10000") return@map trial
            val load = trial.record.load?.run { copy(errors = mapOf(ErrorCause.RESET to answered)) }
            trial.copy(record = trial.record.copy(load = load))
        }
        analyse(run.copy(trials = trials)).sweeps.single().lines[1].against.first().pays shouldBe Passing.Undecided
    }

    @Test
    fun `what was not measured at two values passes nowhere`() {
        sweep.lines.last().against.first().pays.shouldBeNull()
        sweep.lines[2].against.shouldBeEmpty()
    }

    @Test
    fun `verdicts compare at the same value of the axis`() {
        val comparison = analysis.comparisons.find { it.candidate.text == "tomcat/pool+limit=10000" }.shouldNotBeNull()
        comparison.baseline.text shouldBe "tomcat/plain+limit=10000"
        comparison.verdict shouldBe Verdict.FASTER
    }

    /** Of two variants, at each number of [connections]. */
    private fun swept(vararg connections: Int) = listOf("base", "other").flatMap { variant ->
        connections.map { number ->
            val cell = testCell(CellId("$variant/work@load+connections=$number"), profile = "load+connections=$number")
            val point = AxisPoint("load", "connections", number.toDouble())
            cell.copy(profile = cell.profile.copy(point = point, declared = "load"))
        }
    }

    private fun pays(vararg other: Double?, times: Int = 3): Passing? {
        val cells = swept(10, 100, 1000)
        val trials = cells.zip(listOf(100.0, 200.0, 300.0) + other).flatMap { (cell, rate) ->
            rounds(cell.id, *List(times) { rate }.toTypedArray())
        }
        return analyse(testRun(trials, cells)).sweeps.single().lines.last().against.first().pays
    }

    @Test
    fun `a line that was not measured at the far end is not said to pay`() {
        pays(90.0, 400.0, 600.0).shouldBeInstanceOf<Passing.At>()
        pays(90.0, 400.0, null).shouldBeNull()
    }

    @Test
    fun `one round within 5 percent does not show whether there is a gain`() {
        pays(90.0, 200.0, 312.0, times = 1) shouldBe Passing.Undecided
        pays(90.0, 200.0, 280.0, times = 1) shouldBe Passing.Nowhere
        pays(90.0, 200.0, 330.0, times = 1).shouldBeInstanceOf<Passing.At>()
        pays(103.0, 210.0, 330.0, times = 1) shouldBe Passing.At(10.0, reach = null)
        pays(110.0, 220.0, 330.0, times = 1) shouldBe Passing.Everywhere
    }

    @Test
    fun `a swept load makes lines of the same workload, compared with the declared variant`() {
        val cells = swept(10, 100)
        val trials = cells.zip(listOf(100.0, 200.0, 90.0, 400.0)).flatMap { (cell, rate) -> rounds(cell.id, rate, rate) }
        val sweep = analyse(testRun(trials, cells)).sweeps.single()
        listOf(sweep.axis, sweep.profile) shouldBe listOf("connections", "load, steady")
        sweep.lines.map { it.name }.shouldContainExactly("base/work", "other/work")
        sweep.lines.map { it.baseline }.shouldContainExactly(null, "base/work")
        sweep.lines.last().against.first().ratios.map { it.ratio.value }.zip(listOf(0.9, 2.0)).forEach { (ratio, truth) ->
            ratio shouldBe (truth plusOrMinus 1e-9)
        }
    }

    @Test
    fun `a run without an axis has no sweep`() {
        analyse(testRun(rounds(baseline, 100.0))).sweeps.shouldBeEmpty()
    }
}
