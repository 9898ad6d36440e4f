package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.EngineSpec
import bootdyno.model.GeneratorFound
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class EngineComparisonTest {
    private fun by(engine: String): Cell {
        val cell = testCell(CellId("$baseline@$engine"), profile = engine)
        return cell.copy(profile = cell.profile.copy(engine = EngineSpec(engine), declared = "load"))
    }

    private val cells = listOf(by("dyno"), by("wrk"))

    /** In the rounds [limited], wrk had no CPU left, and sent a third less. */
    private fun sides(generatorCpuOfWrk: Double, limited: IntRange = IntRange.EMPTY): List<EngineSide> {
        val trials = cells.flatMap { rounds(it.id, 100.0, 102.0, 98.0) }.map { facts ->
            val (round, cell) = facts.record.trial.run { round to cell }
            val isLimited = cell == cells[1].id && round in limited
            val load = facts.record.load.shouldNotBeNull().run { if (isLimited) copy(answered = answered * 2 / 3) else this }
            val share = if (isLimited) 0.95 else generatorCpuOfWrk
            val cpu = if (cell == cells[1].id) share * load.windowSeconds else 0.0
            val found = load.copy(generator = GeneratorFound(cpu, cpus = 1.0, lagP99Ms = null), printed = mapOf("p99 ms" to 3.0))
            facts.copy(record = facts.record.copy(load = found))
        }
        return analyse(testRun(trials, cells, experiment(cells).copy(baseline = cells[0].id))).engineComparisons.single()
    }

    @Test
    fun `a cell asked by two engines is compared within rounds, with what each printed`() {
        val sides = sides(generatorCpuOfWrk = 0.5)
        sides.map { it.engine.name }.shouldContainExactly("dyno", "wrk")
        sides[0].ratio shouldBe null
        sides[1].ratio.shouldNotBeNull().value shouldBe 1.0
        sides[1].generatorCpu.shouldNotBeNull().value shouldBe 0.5
        sides[1].ownLimit shouldBe false
        sides[1].printed shouldBe mapOf("p99 ms" to 3.0)
    }

    @Test
    fun `the figure of a generator at its own limit is shown as its own`() {
        val wrk = sides(generatorCpuOfWrk = 0.95)[1]
        wrk.ownLimit shouldBe true
        wrk.throughput.shouldNotBeNull()
        wrk.ratio.shouldNotBeNull().n shouldBe 3
    }

    @Test
    fun `the ratio of an engine is of the trials that count, as its figure is`() {
        val wrk = sides(generatorCpuOfWrk = 0.5, limited = 3..3)[1]
        wrk.ownLimit shouldBe false
        wrk.ratio.shouldNotBeNull().run { value to n } shouldBe (1.0 to 2)
    }

    @Test
    fun `one engine alone is compared with nothing`() {
        val alone = listOf(cells[0])
        analyse(testRun(rounds(alone[0].id, 1.0, 1.0), alone, experiment(alone))).engineComparisons.shouldBeEmpty()
    }
}
