package bootdyno.report

import bootdyno.analyse.CapacityStep
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.analyse
import bootdyno.analyse.baseline
import bootdyno.analyse.experiment
import bootdyno.analyse.latencies
import bootdyno.analyse.other
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.OpenPointFound
import bootdyno.model.SearchCutOff
import bootdyno.report.format.Drawing
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.github.optimumcode.json.schema.JsonSchema
import io.github.optimumcode.json.schema.ValidationError
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

class CapacitySectionTest {
    private fun step(offered: Double, met: Int, notOffered: Int = 0) =
        CapacityStep(offered, met, 3, notOffered, mapOf(Measure.P99 to LatencyEstimate(Estimate(150.0, null, 3), false)))

    /** The small report, whose first cell was searched. */
    private fun report(capacity: LatencyEstimate?, vararg steps: CapacityStep): Report = Fixture.small().let { small ->
        val analysis = small.analysis
        val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))
        val plan = analysis.run.plan.run { copy(experiment = experiment.copy(capacity = objective)) }
        val searched = analysis.cells.first().copy(capacity = capacity, capacitySteps = steps.toList())
        val cells = listOf(searched) + analysis.cells.drop(1)
        small.copy(analysis = analysis.copy(run = analysis.run.copy(plan = plan), cells = cells))
    }

    private val found = report(LatencyEstimate(Estimate(391.0, Interval(385.0, 397.0), 3), false), step(389.0, 3), step(398.0, 0))

    private fun sentence(report: Report) = capacitySentences(report).single().substringAfter(' ')

    @Test
    fun `a capacity has its interval`() {
        capacitySentences(found).single() shouldBe
            "tomcat/blockingIO serves up to 391 requests/s with p99 < 200 ms (95 % interval 385 to 397, 3 rounds)."
    }

    @Test
    fun `a bound, an objective that no rate meets, and a search without a load generator are told apart`() {
        sentence(report(LatencyEstimate(Estimate(398.0, null, 3), true), step(398.0, 3))) shouldContain "It may serve more"
        sentence(report(null, step(100.0, 0), step(200.0, 0))) shouldContain "not even at 100/s, the lowest rate tried"
        // At 100/s the load generator was late in every trial.
        sentence(report(null, step(100.0, 0, notOffered = 3), step(200.0, 0))) shouldContain "not even at 200/s"
        sentence(report(null, step(100.0, 0, notOffered = 3))) shouldContain "the load generator could not offer any rate in time"
    }

    @Test
    fun `a capacity is the answer although no window counts`() {
        val windowless = found.copy(analysis = found.analysis.copy(ranking = emptyList()))
        answer(windowless).verdict shouldBe "tomcat/blockingIO serves up to 391/s with p99 < 200 ms."
    }

    @Test
    fun `a lower bound has its sign in the tile, and a capacity of one trial is not sure`() {
        answer(report(LatencyEstimate(Estimate(398.0, null, 3), true), step(398.0, 3))).run {
            tiles.first().figure shouldBe "≥ 398/s"
            certainty shouldBe Certainty.NOT_DECIDED
        }
        answer(report(LatencyEstimate(Estimate(391.0, null, 1), false), step(389.0, 1))).certainty shouldBe Certainty.NOT_DECIDED
    }

    /** Six rounds of two variants, whose searches found these rates. */
    private fun searched(base: Double, head: Double) = searched(List(6) { base }, List(6) { head })

    /** The rates of each round. */
    private fun searched(base: List<Double>, head: List<Double>): Report {
        fun trials(cell: CellId, ofRounds: List<Double>) = ofRounds.mapIndexed { nth, rate ->
            val rates = listOf(rate, rate * 1.023)
            testTrial(cell, nth + 1).run {
                val points = rates.map { OpenPointFound(perSecond = it, load = testLoad(it), searched = true) }
                val times = listOf(latencies(List(100) { 50L }), latencies(List(100) { 300L }))
                copy(record = record.copy(openPoints = points), openLatencies = times)
            }
        }
        val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))
        val run = testRun(trials(baseline, base) + trials(other, head), experiment = experiment().copy(capacity = objective))
        return Report(analyse(run), emptyList(), "runs/2026-11-20T101500-test")
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
        val report = report(null)
        val analysis = report.analysis
        val id = analysis.cells.first().cell.id
        val searched = testTrial(id).run { copy(record = record.copy(searchCutOff = SearchCutOff(447.0, "It ended."))) }
        val trials = listOf(searched)
        val cutOff = report.copy(analysis = analysis.copy(run = analysis.run.copy(trials = trials)))
        val expected = "No capacity of tomcat/blockingIO was found. The search stopped at 447/s. It ended."
        capacitySentences(cutOff) shouldBe listOf(expected)
        answer(cutOff).verdict shouldBe expected
    }

    @Test
    fun `the chart marks the capacity on the line of the objective`() {
        val drawing = Drawing.of(renderHtml(page(found)), "capacity")
        drawing.of("tomcat/blockingIO", "crossing").size shouldBe 1
        drawing.of("tomcat/blockingIO", "band").size shouldBe 1
        Drawing.of(renderHtml(page(report(null, step(100.0, 0)))), "capacity").of("tomcat/blockingIO", "crossing").size shouldBe 0
    }

    @Test
    fun `every format has the rates that were tried, and the document keeps the published schema`() {
        renderMarkdown(page(found)) shouldContain "3 of 3 trials"
        val json = Json.parseToJsonElement(renderJson(found))
        val problems = mutableListOf<ValidationError>()
        JsonSchema.fromDefinition(Files.readString(Path.of("../docs/report.schema.json"))).validate(json, problems::add)
        problems.shouldBeEmpty()
        val cell = json.jsonObject.getValue("cells").jsonArray.first().jsonObject
        cell.getValue("capacity").jsonObject.getValue("value").jsonPrimitive.content shouldBe "391"
        cell.getValue("capacitySteps").jsonArray.size shouldBe 2
        json.jsonObject.getValue("experiment").jsonObject.getValue("objective").jsonPrimitive.content shouldBe "p99 < 200 ms"
    }
}
