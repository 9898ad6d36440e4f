package bootdyno.report

import bootdyno.model.CellId
import bootdyno.model.DamagedTrial
import bootdyno.model.Ending
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test

class DamagedSectionTest {
    private val cell = CellId("webflux/blockingIO")
    private val named =
        DamagedTrial(7, cell, "trials/0007-webflux--blockingIO--x/series.csv", "line 3: threads is -5, which is impossible")
    private val stray = DamagedTrial(null, null, "trials/copy/trial.json", "the file is missing")

    /** The small run without its failed trials. */
    private fun report(vararg damaged: DamagedTrial): Report = Fixture.small.rerun {
        copy(trials = trials.filter { it.record.ending is Ending.Measured }, damaged = damaged.toList())
    }

    @Test
    fun `every form lists each damaged trial with its file, the reason and what to do`() {
        val report = report(named, stray)
        val page = page(report)

        listOf(
            renderTerminal(page, width = 300, colour = false, unicode = true),
            renderMarkdown(page),
            renderHtml(page),
        ).forEach { text ->
            listOf("Damaged trials", named.file, "threads is -5", stray.file, "the file is missing", "./dyno resume").forEach {
                text shouldContain it
            }
        }
        val json = Json.parseToJsonElement(renderJson(report)).jsonObject.getValue("damaged").jsonArray
        json shouldHaveSize 2
        json.first().jsonObject.getValue("file").toString() shouldBe "\"${named.file}\""
        json.last().jsonObject.getValue("trial").toString() shouldBe "null"
    }

    @Test
    fun `many damaged trials are one doubt, and folded on the page`() {
        val many = report(*Array(156) { stray.copy(file = "trials/$it/trial.json") })
        worstDoubts(many).count { "trial.json" in it.text } shouldBe 1
        worstDoubts(many).first().text shouldBe "trials/0/trial.json: ${stray.reason} (156 trials are damaged)"
        renderHtml(page(many)) shouldContain "<summary>156 damaged trials</summary>"
    }

    @Test
    fun `a cell with damaged trials only is labelled damaged, not not-run`() {
        val text = renderTerminal(page(report(named)), width = 200, colour = false, unicode = true)

        val row = text.lines().first { "webflux/blockingIO" in it }
        row shouldContain "damaged"
        row shouldNotContain "not run"
        firstScreen(report(named)).badge.detail shouldContain "1 trial damaged"
    }

    @Test
    fun `a round with a damaged trial is counted, as incomplete`() {
        val six = Fixture.sixRounds
        six.rounds shouldBe "6 rounds"
        val five = without(six, round = 6)
        five.rounds shouldBe "6 rounds, 1 of them incomplete"
        five.indicative shouldBe false
        without(Fixture.oneRound, round = 1).rounds shouldBe "1 round, incomplete"
    }

    /** The last trial of [round] is damaged. */
    private fun without(report: Report, round: Int): Report = report.rerun {
        val last = trials.last { it.record.trial.round == round }.record.trial
        val sound = trials.filter { it.record.trial != last }
        copy(trials = sound, damaged = listOf(stray.copy(number = last.number, cell = last.cell)))
    }

    @Test
    fun `a sound run has no such section`() {
        page(report()).sections.map { it.heading }.contains("Damaged trials") shouldBe false
    }
}
