package bootdyno.run

import bootdyno.model.CellId
import bootdyno.model.OpenPointFound
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.model.Trial
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class OpenRatesTest {
    private val a = CellId("a/wait")
    private val b = CellId("b/wait")

    private fun plan(vararg rates: OpenRate): Plan =
        twoCellPlan().let { plan -> plan.copy(cells = plan.cells.map { it.copy(latencyAt = rates.toList()) }) }

    private fun served(perSecond: Double) = loadFound((perSecond * 10).toLong())

    private fun OpenRates.after(round: Int, cell: CellId, perSecond: Double, again: Boolean = false) =
        after(Trial(1, round, cell, again), served(perSecond)).map { it.perSecond }

    @Test
    fun `all cells of the same work get a share of the lowest capacity among them, the same in all rounds`() {
        val rates = OpenRates(plan(OpenRate.Share(0.5), OpenRate.PerSecond(300.0)))
        rates.after(1, a, 1000.0).shouldBeEmpty()
        rates.after(1, b, 123.4).shouldBeEmpty()
        rates.after(1, a, 990.0, again = true).shouldContainExactly(61.7, 300.0)
        rates.after(1, b, 100.0, again = true).shouldContainExactly(61.7, 300.0)
        rates.after(2, b, 90.0).shouldContainExactly(61.7, 300.0)
    }

    @Test
    fun `a cell that answers nothing does not set the rate`() {
        val rates = OpenRates(plan(OpenRate.Share(0.5)))
        rates.after(1, b, 0.0).shouldBeEmpty()
        rates.after(1, a, 100.0).shouldBeEmpty()
        rates.after(1, a, 100.0, again = true).shouldContainExactly(50.0)
    }

    @Test
    fun `a resumed run goes on at its rates`() {
        fun record(trial: Trial, perSecond: Double, vararg points: OpenPointFound) =
            measuredRecord(trial, served(perSecond), points.toList())
        val plan = plan(OpenRate.Share(0.5), OpenRate.Share(0.8))
        val measured = listOf(
            record(Trial(2, 1, b), 80.0),
            record(Trial(1, 1, a), 100.0),
            record(Trial(3, 1, a, again = true), 70.0, OpenPointFound(0.5, 41.0, served(41.0))),
        )
        OpenRates(plan, measured).after(1, b, 90.0, again = true).shouldContainExactly(41.0, 64.0)
    }

    @Test
    fun `plans of older versions keep shares of the trial's own capacity`() {
        val plan = plan(OpenRate.OwnShare(0.5))
        plan.numbersOf(1) shouldBe 1..2
        OpenRates(plan).run {
            after(1, a, 1000.0).shouldContainExactly(500.0)
            after(1, b, 100.0).shouldContainExactly(50.0)
        }
    }
}
