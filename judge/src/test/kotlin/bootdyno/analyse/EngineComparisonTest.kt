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

    private fun sides(generatorCpuOfWrk: Double): List<EngineSide> {
        val trials = cells.flatMap { rounds(it.id, 100.0, 102.0, 98.0) }.map { facts ->
            val load = facts.record.load.shouldNotBeNull()
            val cpu = if (facts.record.trial.cell == cells[1].id) generatorCpuOfWrk * load.windowSeconds else 0.0
            val found = load.copy(generator = GeneratorFound(cpu, cpus = 1.0, lagP99Ms = null), printed = mapOf("p99 ms" to 3.0))
            facts.copy(record = facts.record.copy(load = found))
        }
        return analyse(testRun(trials, cells, experiment(cells).copy(baseline = cells[0].id))).engineComparisons.single().sides
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
    fun `one engine alone is compared with nothing`() {
        val alone = listOf(cells[0])
        analyse(testRun(rounds(alone[0].id, 1.0, 1.0), alone, experiment(alone))).engineComparisons.shouldBeEmpty()
    }
}
