package bootdyno.report

import bootdyno.analyse.baseline
import bootdyno.analyse.experiment
import bootdyno.analyse.limited
import bootdyno.analyse.other
import bootdyno.analyse.p99Below200
import bootdyno.analyse.recorded
import bootdyno.analyse.searching
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.CellId
import bootdyno.model.SearchCutOff
import bootdyno.report.format.Drawing
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.schemaProblems
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test

class CapacitySectionTest {
    private val found = Kinds.capacity

    private fun sentence(report: Report) = capacitySentences(report).single().substringAfter(' ')

    @Test
    fun `a capacity has its interval`() {
        capacitySentences(found).single() shouldBe
            "tomcat/blockingIO serves up to 393 requests/s with p99 < 900 ms (95 % interval 382 to 405, 3 rounds)."
    }

    @Test
    fun `a bound, an objective that no rate meets, and a search without a load generator are told apart`() {
        sentence(Kinds.searched(398.0 to 650)) shouldContain "It may serve more"
        sentence(Kinds.searched(100.0 to 1300, 200.0 to 1300)) shouldContain "not even at 100/s, the lowest rate tried"
        sentence(Kinds.searched(100.0 to 1300, 200.0 to 1300).late(100.0)) shouldContain "not even at 200/s"
        sentence(Kinds.searched(100.0 to 1300).late(100.0)) shouldContain "the load generator could not offer any rate in time"
    }

    @Test
    fun `a capacity is the answer although no window counts`() {
        val windowless = found.remeasured { limited() }
        windowless.analysis.ranking.shouldBeEmpty()
        answer(windowless).verdict shouldBe "It serves up to 393/s with p99 < 900 ms."
    }

    @Test
    fun `a lower bound has its sign in the tile, and a capacity of one trial is not sure`() {
        answer(Kinds.searched(398.0 to 650)).run {
            tiles.first().figure shouldBe "≥ 398/s"
            certainty shouldBe Certainty.NOT_DECIDED
        }
        answer(Kinds.searched(389.0 to 650, 398.0 to 1300, rounds = 1)).certainty shouldBe Certainty.ONE_ROUND
    }

    @Test
    fun `if the load generator could not offer a higher rate, the next step is to give it CPUs, not to measure more rounds`() {
        val bound = Kinds.searched(389.0 to 650, 398.0 to 650)
        val limited = bound.remeasured {
            recorded { copy(openPoints = openPoints.dropLast(1) + openPoints.last().run { copy(load = load.copy(due = 5)) }) }
        }
        fun next(report: Report) = answer(report.copy(explanations = emptyList())).tiles.last().figure
        next(bound) shouldBe "more rounds"
        next(limited) shouldBe "give the load generator more CPUs"
    }

    /** Six rounds of two variants, whose searches found these rates. */
    private fun searched(base: Double, head: Double) = searched(List(6) { base }, List(6) { head })

    /** The rates of each round. */
    private fun searched(base: List<Double>, head: List<Double>): Report {
        fun trials(cell: CellId, ofRounds: List<Double>) =
            ofRounds.mapIndexed { nth, rate -> testTrial(cell, nth + 1).searching(rate to 50, rate * 1.023 to 300) }
        val run = testRun(trials(baseline, base) + trials(other, head), experiment = experiment().copy(capacity = p99Below200))
        return reportOf(run)
    }

    @Test
    fun `of several variants the one with the highest capacity is named, and those that may serve as many`() {
        answer(searched(100.0, 200.0)).verdict shouldBe "other serves up to 202/s with p99 < 200 ms."
        answer(searched(100.0, 101.0)).verdict shouldBe "other serves up to 102/s with p99 < 200 ms; base may serve as many."
    }

    // In the first rounds, in which both were measured, the machine was twice as fast.
    @Test
    fun `the highest capacity is that of the cell that is better within rounds, whatever the means are`() {
        val verdict = answer(searched(List(3) { 200.0 } + List(3) { 100.0 }, List(3) { 150.0 })).verdict
        verdict shouldBe "base serves up to 143/s with p99 < 200 ms."
    }

    @Test
    fun `a search that was cut off before any rate was met says where and why`() {
        val cutOff = Kinds.searched().remeasured { copy(record = record.copy(searchCutOff = SearchCutOff(447.0, "It ended."))) }
        val expected = "No capacity of tomcat/blockingIO was found. The search stopped at 447/s. It ended."
        capacitySentences(cutOff) shouldBe listOf(expected)
        answer(cutOff).verdict shouldBe expected
    }

    @Test
    fun `the chart marks the capacity on the line of the objective`() {
        val drawing = Drawing.of(renderHtml(page(found)), "capacity")
        drawing.of("tomcat/blockingIO", "crossing").size shouldBe 1
        drawing.of("tomcat/blockingIO", "band").size shouldBe 1
        Drawing.of(renderHtml(page(Kinds.noCapacity)), "capacity").of("tomcat/blockingIO", "crossing").size shouldBe 0
    }

    @Test
    fun `every format has the rates that were tried, and the document keeps the published schema`() {
        renderMarkdown(page(found)) shouldContain "3 of 3 trials"
        val text = renderJson(found)
        val json = Json.parseToJsonElement(text)
        schemaProblems(text).shouldBeEmpty()
        val cell = json.jsonObject.getValue("cells").jsonArray.first().jsonObject
        cell.getValue("capacity").jsonObject.getValue("value").jsonPrimitive.content shouldBe "393.474"
        cell.getValue("capacitySteps").jsonArray.size shouldBe 3
        json.jsonObject.getValue("experiment").jsonObject.getValue("objective").jsonPrimitive.content shouldBe "p99 < 900 ms"
    }
}
