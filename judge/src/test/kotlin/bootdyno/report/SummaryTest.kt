package bootdyno.report

import bootdyno.model.CellId
import bootdyno.report.format.renderTerminal
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class SummaryTest {
    private fun lines(report: Report) =
        renderTerminal(summary(report), width = 100, colour = false, unicode = true).trimEnd().lines()

    /** Eight cells that do two kinds of work have two rankings. */
    @Test
    fun `a summary of one ranking has at most 40 lines, of two 45, and no line is wider than the terminal`() {
        val mostLines =
            mapOf(ofOneWork(Fixture.oneRound()) to 40, ofOneWork(Fixture.sixRounds()) to 40, Fixture.sixRounds() to 45)
        mostLines.forEach { (report, most) ->
            lines(report).size shouldBeLessThanOrEqual most
            lines(report).filter { it.length > 100 }.shouldBeEmpty()
        }
    }

    private fun ofOneWork(report: Report): Report {
        val other = CellId("tomcat/noop")
        val analysis = report.analysis
        return report.copy(
            analysis = analysis.copy(
                cells = analysis.cells.filter { it.cell.id != other },
                ranking = analysis.ranking.filter { it.cell != other },
            ),
        )
    }

    @Test
    fun `a summary has the answer, the ranking, one reason for each limit, doubts, and where the rest is`() {
        val lines = lines(Fixture.oneRound())
        lines.filter { it.isNotEmpty() && !it.startsWith(" ") }.drop(3) shouldBe
            listOf("Answer", "Ranking", "Why", "Doubts", "Report")
        lines.count { "The load limits " in it } shouldBe 1
        lines.last() shouldContain "./dyno report --verbose runs/2026-11-20T101500-blocking-io"
    }

    @Test
    fun `a long ranking is cut and says how many rows are left out`() {
        val whole = Fixture.oneRound()
        val last = whole.analysis.cells.last { it.throughput != null }
        val copies = (1..20).map { last.copy(cell = last.cell.copy(id = CellId("copy/$it"))) }
        val ranking = whole.analysis.ranking + copies.map { whole.analysis.ranking.last().copy(cell = it.cell.id) }
        val analysis = whole.analysis.copy(cells = whole.analysis.cells + copies, ranking = ranking)
        lines(whole.copy(analysis = analysis)).single { "more: --verbose" in it }.trim() shouldBe "… and 16 more: --verbose"
    }

    @Test
    fun `gates that fail and published claims are told in a line`() {
        val text = lines(Fixture.sixRounds()).joinToString("\n")
        text shouldContain "1 of 2 gates undecided."
        text shouldContain "1 of 2 published claims reproduced."
    }
}
