package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.OperationAnalysis
import bootdyno.analyse.OperationFigures
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Step
import bootdyno.report.format.renderCsv
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.github.optimumcode.json.schema.JsonSchema
import io.github.optimumcode.json.schema.ValidationError
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

class OperationsSectionTest {
    private fun latency(value: Double, censored: Boolean = false) =
        LatencyEstimate(Estimate(value, Interval(value * 0.9, value * 1.1).takeIf { !censored }, 6), censored)

    private val create = OperationAnalysis(
        name = "create",
        throughput = Estimate(208.8, Interval(204.6, 213.0), 6),
        latency = mapOf(Measure.MEAN to latency(4.5), Measure.P50 to latency(4.0), Measure.P99 to latency(12.0)),
        answered = 37_584,
        inFlight = 7,
        errors = mapOf(ErrorCause.STATUS to 12L, ErrorCause.BODY to 1000L, ErrorCause.RESET to 0L),
    )
    private val read =
        OperationAnalysis("read", null, mapOf(Measure.P99 to latency(30.0, censored = true)), 0, 0, emptyMap())

    private fun withOperations(cell: CellAnalysis) = cell.copy(
        cell = cell.cell.copy(
            workload = cell.cell.workload.copy(steps = listOf(Step("create", path = "/"), Step("read", path = "/"))),
        ),
        operations = listOf(create, read),
        trials = cell.trials.map {
            it.copy(operations = listOf(OperationFigures("create", 207.5, mapOf(Measure.P99 to latency(12.0)))))
        },
    )

    private val report = Fixture.small().let { small ->
        val cells = small.analysis.cells
        val published = small.analysis.published.first().copy(operation = "create")
        small.copy(
            analysis = small.analysis.copy(
                cells = listOf(withOperations(cells[0])) + cells.drop(1),
                published = listOf(published),
            ),
        )
    }

    @Test
    fun `each operation has a row, with its errors by cause`() {
        val markdown = renderMarkdown(page(report))
        markdown shouldContain "## Operations"
        markdown shouldContain
            "| tomcat/blockingIO | create | 209 ±2.0 % | 37,584 | 12 unexpected status, 1,000 unexpected body | 4.50 | 4.00 | – | 12.0 | – |"
        markdown shouldContain "|  | read | – | 0 | 0 | – | – | – | ≥30.0 | – |"
        renderTerminal(page(report), 120, colour = false, unicode = true) shouldContain "Operations"
        renderHtml(page(report)) shouldContain "12 unexpected status, 1,000 unexpected body"
    }

    @Test
    fun `the shares of a mix are named, and nothing is said of steps`() {
        val measured = report.analysis.cells.first()
        val steps = listOf(Step("create", path = "/", weight = 1.0), Step("read", path = "/", weight = 3.0))
        val mix = measured.cell.copy(workload = measured.cell.workload.copy(steps = steps, mix = true))
        val cells = listOf(measured.copy(cell = mix)) + report.analysis.cells.drop(1)
        val markdown = renderMarkdown(page(report.copy(analysis = report.analysis.copy(cells = cells))))
        markdown shouldContain "Requests of blockingIO are chosen at random: 25 % create and 75 % read."
        markdown shouldNotContain "A step starts"
    }

    @Test
    fun `a report without operations has no such section`() {
        renderMarkdown(page(Fixture.small())) shouldNotContain "Operations"
    }

    @Test
    fun `a published figure says which operation it is of`() {
        renderMarkdown(page(report)) shouldContain "| tomcat/blockingIO | create requests/s |"
    }

    @Test
    fun `JSON has every operation of a cell, and keeps its schema`() {
        val json = Json.parseToJsonElement(renderJson(report))
        val operation = json.jsonObject.getValue(
            "cells",
        ).jsonArray.first().jsonObject.getValue("operations").jsonArray.first().jsonObject
        operation.getValue("requests").toString() shouldBe "${37_584 + 7 + 1012}"
        operation.getValue("errors").jsonObject.getValue("total").toString() shouldBe "1012"
        json.jsonObject.getValue("published").jsonArray.first().jsonObject.getValue("operation").toString() shouldBe "\"create\""
        val problems = mutableListOf<ValidationError>()
        JsonSchema.fromDefinition(Files.readString(Path.of("../docs/report.schema.json"))).validate(json, problems::add)
        problems.shouldBeEmpty()
    }

    @Test
    fun `CSV names the operation before the measure`() {
        val lines = renderCsv(report).lines()
        (lines.count { ",create.throughput,207.5,1/s,false" in it } to lines.count { ",create.p99,12,ms,false" in it }) shouldBe
            (1 to 1)
    }

    @Test
    fun `a rate of chains is not called one of requests`() {
        describe(LoadProfile.Open(5.0), "chains") shouldBe "open, 5.00 chains/s, constant arrivals"
        describe(LoadProfile.Burst(10, 2)) shouldBe "burst, 10 users × 2 requests"
    }
}
