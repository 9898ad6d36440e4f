package bootdyno.report

import bootdyno.analyse.analyse
import bootdyno.analyse.baseline
import bootdyno.analyse.burstCells
import bootdyno.analyse.evenBurst
import bootdyno.analyse.other
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.model.CellId
import bootdyno.model.Preset
import bootdyno.model.TrialFacts
import bootdyno.report.format.renderMarkdown
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** The sentences of the answer: the verdict, its cause, and what else it says. */
internal fun answerLines(report: Report): List<String> =
    answerSection(report).blocks.filterIsInstance<Paragraph>().drop(1).map { it.text }

class AnswerSectionTest {
    @Test
    fun `the answer is that of the first screen`() {
        Kinds.all.forEach { (kind, report) ->
            val screen = firstScreen(report)
            val blocks = answerSection(report).blocks
            withClue(kind) {
                (blocks.first() as Paragraph).text shouldBe screen.badge.words
                answerLines(report).take(2) shouldBe listOfNotNull(screen.verdict, screen.cause)
                blocks.filterIsInstance<Facts>().single().facts.map { it.name } shouldBe screen.tiles.map { it.heading }
            }
        }
    }

    @Test
    fun `the variants are compared in each workload`() {
        val rates = mapOf("old/list" to 100.0, "new/list" to 200.0, "old/create" to 1000.0, "new/create" to 900.0)
        val trials = rates.flatMap { (cell, rate) -> rounds(CellId(cell), rate, rate * 1.01, rate * 0.99) }
        val report = Report(analyse(testRun(trials, rates.keys.map { testCell(CellId(it)) })), emptyList())
        answerLines(report) shouldContain "new/list serves twice as many requests as old/list."
        answerLines(report) shouldContain "old/create serves the most: new/create serves 10 % fewer requests."
        report.analysis.groups.map { report.title(it) } shouldBe listOf("list", "create")
    }

    @Test
    fun `what one round cannot decide is said once, with the command of a longer preset or of more rounds`() {
        val quick = Kinds.oneRound
        val open = "One round cannot separate the best 3. To decide: ./dyno run " +
            "runs/2026-11-20T101500-blocking-io/experiment.yaml"
        openAfterOneRound(quick, emptyList()) shouldBe "$open --preset standard"
        val standard = quick.asked { copy(repetition = repetition.copy(preset = Preset.STANDARD)) }
        openAfterOneRound(standard, emptyList()) shouldBe "$open --rounds 6"
        // Where no change is known, the next step says it.
        val unchangeable = quick.copy(explanations = quick.explanations.map { it.copy(next = null) })
        openAfterOneRound(unchangeable, firstScreen(unchangeable).tiles) shouldBe null
        openAfterOneRound(Kinds.run, emptyList()) shouldBe null
    }

    @Test
    fun `a run in which everything failed can still be shown`() {
        page(Kinds.failed).sections.map { it.id } shouldBe
            listOf("answer", "failures", "trust", "reproduce", "environment", "where")
    }

    private fun burst(trials: List<TrialFacts>) = Report(analyse(testRun(trials, burstCells().take(2))), emptyList())

    // The 50th, 90th, 99th and 100th of 100 requests, one after the other.
    @Test
    fun `a burst is answered for by the time until 99 percent are answered`() {
        val report = burst(evenBurst(baseline, 4000, 4000, 4000) + evenBurst(other, 1000, 1000, 1000))
        answerLines(report).first() shouldBe "other needs 75 % less time than base."
    }

    @Test
    fun `a burst whose baseline never answers 99 percent says so instead of a ratio`() {
        val report = burst(evenBurst(baseline, 1000, 1000, 1000, unanswered = 20) + evenBurst(other, 4000, 4000, 4000))
        answerLines(report).first() shouldBe "other answers 99 % of the requests first, after 3.96 s."
        val page = renderMarkdown(page(report))
        page shouldContain "not reached"
        page shouldNotContain "requests/s"
    }

    @Test
    fun `a share that only some bursts answer is not always answered`() {
        val some =
            evenBurst(baseline, 1000, 1000, 1000).dropLast(1) + evenBurst(baseline, 1000, 1000, 1000, unanswered = 5).last()
        renderMarkdown(page(burst(some + evenBurst(other, 500, 500, 500)))) shouldContain "reached in 2 of 3"
    }

    @Test
    fun `where no cell of a burst answers 99 percent nothing is called first`() {
        val report = burst(evenBurst(baseline, 1000, 1000, unanswered = 5) + evenBurst(other, 4000, 4000, unanswered = 5))
        answerLines(report).first() shouldBe "No variant answered 99 % of the requests."
    }
}
