package bootdyno.report

import bootdyno.analyse.seen
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.OperationFound
import bootdyno.model.Step
import bootdyno.model.Workload
import bootdyno.report.format.renderCsv
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import bootdyno.report.format.schemaProblems
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test

class OperationsSectionTest {
    private val cell = CellId("tomcat/blockingIO")
    private val steps = listOf(Step("create", path = "/"), Step("read", path = "/"))

    private val report = withSteps { copy(steps = this@OperationsSectionTest.steps) }.remeasured(cell) {
        val errors = mapOf(ErrorCause.STATUS to 6L, ErrorCause.BODY to 500L, ErrorCause.RESET to 0L)
        val operations = listOf(OperationFound("create", 6264, errors, inFlight = 3), OperationFound("read", 0, emptyMap()))
        val times = mapOf("create" to seen(*LongArray(98) { 4 }, 12, 12))
        copy(
            record = record.copy(load = record.load?.copy(operations = operations)),
            latencies = latencies?.copy(operations = times, unansweredOperations = mapOf("read" to seen(30_000))),
        )
    }.asked { copy(published = published.map { it.copy(operation = "create") }) }

    private fun withSteps(of: Report = Fixture.small, change: Workload.() -> Workload): Report =
        of.planned { if (id == cell) copy(workload = workload.change()) else this }

    @Test
    fun `each operation has a row, with its errors by cause`() {
        val markdown = renderMarkdown(page(report))
        markdown shouldContain "## Operations"
        markdown shouldContain
            "| tomcat/blockingIO | create | 209 ±0 % | 12,528 | 12 unexpected status, 1,000 unexpected body | 4.16 | 4.00 | 4.00 | 12.0 | 12.0 |"
        markdown shouldContain "|  | read | 0 ±0 | 0 | 0 | ≥30,000 | ≥30,000 | ≥30,000 | ≥30,000 | ≥30,000 |"
        renderTerminal(page(report), 120, colour = false, unicode = true) shouldContain "Operations"
        renderHtml(page(report)) shouldContain "12 unexpected status, 1,000 unexpected body"
    }

    @Test
    fun `the shares of a mix are named, and nothing is said of steps`() {
        val mix = withSteps(report) {
            copy(steps = steps.zip(listOf(1.0, 3.0)) { step, weight -> step.copy(weight = weight) }, mix = true)
        }
        val markdown = renderMarkdown(page(mix))
        markdown shouldContain "Requests of blockingIO are chosen at random: 25 % create and 75 % read."
        markdown shouldNotContain "A step starts"
    }

    @Test
    fun `a report without operations has no such section`() {
        renderMarkdown(page(Fixture.small)) shouldNotContain "Operations"
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
        operation.getValue("requests").toString() shouldBe "${2 * (6264 + 3 + 506)}"
        operation.getValue("errors").jsonObject.getValue("total").toString() shouldBe "1012"
        json.jsonObject.getValue("published").jsonArray.first().jsonObject.getValue("operation").toString() shouldBe "\"create\""
        schemaProblems(renderJson(report)).shouldBeEmpty()
    }

    @Test
    fun `CSV names the operation before the measure`() {
        val lines = renderCsv(report).lines()
        (lines.count { ",create.throughput,208.8,1/s,false" in it } to lines.count { ",create.p99," in it }) shouldBe (2 to 2)
    }

    @Test
    fun `a rate of chains is not called one of requests`() {
        describe(LoadProfile.Open(5.0), "chains") shouldBe "open, 5.00 chains/s, constant arrivals"
        describe(LoadProfile.Burst(10, 2)) shouldBe "burst, 10 users × 2 requests"
    }
}
