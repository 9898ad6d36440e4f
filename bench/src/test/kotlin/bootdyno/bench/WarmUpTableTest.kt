package bootdyno.bench

import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadFound
import bootdyno.model.Metric
import bootdyno.model.Phase
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUpFound
import bootdyno.run.WayToWarm
import bootdyno.run.WayToWarm.FAVOURED
import bootdyno.run.WayToWarm.LOAD_AND_REST
import bootdyno.run.WayToWarm.SATURATE
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import org.junit.jupiter.api.util.DefaultLocale

@Isolated("It sets the locale.")
class WarmUpTableTest {
    private fun turn(
        round: Int,
        way: WayToWarm,
        perSecond: Double,
        seconds: Double = 20.0,
        certified: Boolean = true,
        again: Boolean = false,
    ) = TurnFound.Warmed(
        WarmUpTurn(round, way, again),
        seconds,
        certified,
        seconds / 2,
        c2Seconds = 4.0,
        compilerShare = 0.005,
        perSecond,
    )

    private fun fast(vararg perSecond: Double) = perSecond.mapIndexed { index, value -> turn(index + 1, FAVOURED, value) }

    private fun fastAgain(vararg perSecond: Double) =
        perSecond.mapIndexed { index, value -> turn(index + 1, FAVOURED, value, again = true) }

    private fun slow(vararg perSecond: Double) = perSecond.mapIndexed { index, value -> turn(index + 1, SATURATE, value) }

    private fun verdict(found: List<TurnFound>): String {
        val lines = warmUpTable(found, budget = 180)
        return lines[lines.indexOfFirst { it.startsWith("  / saturating load alone") } + 1].trim()
    }

    // Seconds within rounds: 20 / 100 = 0.2; 22 / 120 = 0.183; 24 / 180, of which the 180 is a bound from below: at most 0.133.
    // Throughput where both were certified: 10,000 / 10,100 = 0.990 in rounds 1 and 2; beside load and rest 10,000 / 9,000 = 1.111.
    @Test
    @DefaultLocale("de-DE")
    fun `the table says how long, how much, and whether the ways end alike`() {
        val found = listOf(
            turn(1, FAVOURED, 10_000.0, 20.0), turn(2, FAVOURED, 10_000.0, 22.0), turn(3, FAVOURED, 10_000.0, 24.0),
            turn(1, FAVOURED, 10_000.0, 21.0, again = true), turn(2, FAVOURED, 10_000.0, 23.0, again = true),
            turn(3, FAVOURED, 10_000.0, 25.0, again = true),
            turn(1, LOAD_AND_REST, 9_000.0, 60.0), turn(2, LOAD_AND_REST, 9_000.0, 61.0),
            TurnFound.Failed(WarmUpTurn(3, LOAD_AND_REST), "the subject was killed"),
            turn(1, SATURATE, 10_100.0, 100.0), turn(2, SATURATE, 10_100.0, 120.0),
            turn(3, SATURATE, 8_000.0, 179.0, certified = false),
        )
        warmUpTable(found, budget = 180).joinToString("\n") shouldBe """
            Warm-up until certified, medians over the turns (lowest to highest):
              way                    certified  seconds                   compiler done, s     C2 CPU s till then  requests/s in the window   compiler's share of its CPU
              compiler favoured      6 of 6     22.5 (20.0 to 25.0)       11.3 (10.0 to 12.5)  4.0 (4.0 to 4.0)    10,000 (10,000 to 10,000)  0.5 % (0.5 % to 0.5 %)
              load and rest          2 of 2     60.5 (60.0 to 61.0)       30.3 (30.0 to 30.5)  4.0 (4.0 to 4.0)    9,000 (9,000 to 9,000)     0.5 % (0.5 % to 0.5 %)
              saturating load alone  2 of 3     120.0 (100.0 to ≥ 180.0)  60.0 (50.0 to 89.5)  4.0 (4.0 to 4.0)    10,100 (8,000 to 10,100)   0.5 % (0.5 % to 0.5 %)
            Seconds, compiler favoured / saturating load alone, within rounds: 0.183 (≤ 0.133 to 0.200), n = 3
            Seconds until the compiler was done, compiler favoured / saturating load alone, within rounds: 0.183 (0.134 to 0.200), n = 3
            Throughput of the window, compiler favoured / another way, within rounds in which both were certified:
              / itself, the machine's resolution: 1.000 [1.000, 1.000], n = 3
              / load and rest: 1.111 [1.111, 1.111], n = 2
                  not the same state: the fast way serves more than load and rest, beyond ±5.0 %
              / saturating load alone: 0.990 [0.990, 0.990], n = 2
                  the same steady state, within ±5.0 %
            1 of 12 turns failed; no figure contains them.
        """.trimIndent()
    }

    @Test
    fun `one round decides nothing`() {
        val found = fast(100.0) + fastAgain(100.0) + slow(100.0)
        verdict(found) shouldBe "undecided: one round has no interval"
        warmUpTable(found, budget = 180) shouldContain "  / saturating load alone: 1.000, no interval, n = 1"
    }

    @Test
    fun `where the slow way never came to a steady state there is none to compare`() {
        val slow = (1..3).map { turn(it, SATURATE, 50.0, certified = false) }
        verdict(fast(100.0, 100.0, 100.0) + fastAgain(100.0, 100.0, 100.0) + slow) shouldBe
            "undecided: in no round were both certified within 180 s"
    }

    // ln 1.04 and -ln 1.04 in turn: mean 0, deviation 0.04529, n = 4, t of 90 %: 2.353 · 0.04529 / 2 = 0.0533 > ln 1.05 = 0.0488; with n = 5
    // 2.132 · 0.04529 / √5 = 0.0432.
    @Test
    fun `an interval that reaches beyond 5 percent is undecided, with the number of rounds to expect`() {
        val found = fast(104.0, 100.0, 104.0, 100.0) + fastAgain(104.0, 100.0, 104.0, 100.0) + slow(100.0, 104.0, 100.0, 104.0)
        verdict(found) shouldBe "undecided within ±5.0 %; expect about 1 more rounds"
    }

    @Test
    fun `without the permission there is no fast way to compare`() {
        val lines = warmUpTable(slow(100.0, 100.0), budget = 180)
        lines shouldContain "No turn favoured the compiler: there is no fast way to compare."
        lines.none { it.startsWith("Seconds,") } shouldBe true
    }

    @Test
    fun `a turn's line says how it ended`() {
        turnLine(turn(1, FAVOURED, 12_345.0, 20.04, again = true), 5, 180) shouldBe
            "round 1 of 5: compiler favoured (again) certified after 20.0 s, then 12,300/s"
        turnLine(turn(2, SATURATE, 12_345.0, 178.0, certified = false), 5, 180) shouldBe
            "round 2 of 5: saturating load alone     not certified within 180 s, then 12,300/s"
        turnLine(TurnFound.Failed(WarmUpTurn(2, LOAD_AND_REST), "no answer"), 5, 180) shouldBe
            "round 2 of 5: load and rest             failed: no answer"
    }

    @Test
    fun `each round takes every way once and the fast one twice, in an order of its own`() {
        turnsOfRound(1, mayFavour = true).shouldContainExactlyInAnyOrder(
            WarmUpTurn(1, FAVOURED),
            WarmUpTurn(1, FAVOURED, again = true),
            WarmUpTurn(1, LOAD_AND_REST),
            WarmUpTurn(1, SATURATE),
        )
        turnsOfRound(1, mayFavour = false).map { it.way } shouldNotContain FAVOURED
        val orders = (1..10).map { round -> turnsOfRound(round, mayFavour = true).map { it.way to it.again } }
        orders shouldBe (1..10).map { round -> turnsOfRound(round, mayFavour = true).map { it.way to it.again } }
        orders.map { it.first() }.distinct() shouldHaveSize 4
    }

    // The warm-up ends at 30 s: 4.5 s of C2 by then. In the window, 40 to 50 s, the compiler's 0.5 s are 5 % of 10 s.
    @Test
    fun `a turn's figures come from the trial's record and series`() {
        turnFound(WarmUpTurn(1, SATURATE), facts(SATURATE.method)) shouldBe
            TurnFound.Warmed(
                WarmUpTurn(1, SATURATE),
                25.0,
                certified = true,
                steadyAfter = 20.0,
                c2Seconds = 4.5,
                compilerShare = 0.05,
                perSecond = 500.0,
            )
        turnFound(WarmUpTurn(1, FAVOURED), facts(LOAD_AND_REST.method)) shouldBe
            TurnFound.Failed(WarmUpTurn(1, FAVOURED), "it was warmed otherwise (certified, load and rest)")
        val died = Ending.Failed(Stage.READY, "no answer", emptyList())
        turnFound(WarmUpTurn(1, SATURATE), facts(SATURATE.method, died)) shouldBe
            TurnFound.Failed(WarmUpTurn(1, SATURATE), "no answer")
    }

    private fun facts(method: String, ending: Ending = Ending.Measured): TrialFacts {
        val record = TrialRecord(
            trial = Trial(1, 1, CellId("servlet/noop")),
            ending = ending,
            startedAt = "2026-11-20T10:15:00Z",
            phases = listOf(Phase(Stage.WARM_UP, 5.0, 30.0), Phase(Stage.WINDOW, 40.0, 50.0)),
            warmUp = WarmUpFound(method, 25.0, certified = true, steadyAfter = 20.0),
            load = LoadFound("fake", 10.0, 5000, emptyMap(), 4, null, GeneratorFound(0.1, 1.0, null), 0, 0, 0.0),
        )
        fun row(at: Double, cpu: Double, c2: Double) =
            SeriesRow(at, mapOf(Metric.CPU to cpu, Metric.C2_CPU to c2, Metric.COMPILER_CPU to c2 + 1))
        val rows =
            listOf(row(6.0, 3.0, 1.0), row(29.9, 28.0, 4.5), row(31.0, 29.0, 4.6), row(40.5, 40.0, 5.0), row(49.5, 50.0, 5.5))
        return TrialFacts(record, null, Series(rows))
    }
}
