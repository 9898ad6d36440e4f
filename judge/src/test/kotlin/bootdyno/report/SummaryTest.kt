package bootdyno.report

import bootdyno.report.format.Screen
import bootdyno.report.format.renderSummary
import bootdyno.report.format.renderSvg
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class SummaryTest {
    private fun lines(report: Report, width: Int = 100) =
        renderSummary(report, Screen(width, colour = false, unicode = true)).trimEnd().lines()

    @Test
    fun `the end of each kind of run fits a terminal of 24 rows and 80 columns`() {
        Kinds.all.forEach { (kind, report) ->
            withClue(kind) {
                lines(report, width = 80).size shouldBeLessThanOrEqual 24
                lines(report, width = 80).filter { it.length > 80 }.shouldBeEmpty()
            }
        }
    }

    @Test
    fun `at 80 and 120 columns the end says the same with and without colours`() {
        Kinds.all.forEach { (kind, report) ->
            fun shown(width: Int, colour: Boolean) = renderSummary(report, Screen(width, colour, unicode = true))
            withClue(kind) {
                listOf(80, 120).forEach { width ->
                    shown(width, colour = true).replace(Regex("\u001B\\[[0-9;]*m"), "") shouldBe shown(width, colour = false)
                    shown(width, colour = false) shouldNotContain "\u001B"
                }
                lines(report, width = 120).filter { it.length > 120 }.shouldBeEmpty()
            }
        }
    }

    @Test
    fun `the verdict is the last line, after bars, reason, doubt, next step and the report`() {
        val lines = lines(Kinds.run)
        lines.last().trim() shouldBe firstScreen(Kinds.run).verdict
        lines.single { "Virtual threads " in it && "█" in it } shouldContain "██████████████████  779 ±0.7 %"
        lines.map { it.trim().substringBefore("  ") }.filter { it in setOf("Why", "Doubt", "Next", "Report") } shouldBe
            listOf("Why", "Doubt", "Next", "Report")
    }

    // Its closed window served 392/s.
    @Test
    fun `the bars of a search show what was searched, not the closed load before it`() {
        val lines = lines(Kinds.capacity)
        lines.single { "█" in it } shouldContain "393 ±2.9 %"
        lines.single { "capacity/s" in it } shouldNotContain "p99"
        renderSvg(Kinds.capacity) shouldContain "393/s ±2.9 %"
    }

    @Test
    fun `a doubt that is cut leaves no bracket open`() {
        val cells = (1..9).joinToString { "webflux/monoIO$it" }
        shortened("The hypervisor gave 14 % of a CPU to other machines ($cells).") shouldBe
            "The hypervisor gave 14 % of a CPU to other machines …"
        shortened("short (whole)") shouldBe "short (whole)"
    }

    @Test
    fun `a long ranking is cut and says how many rows are left out`() {
        lines(Fixture.oneRound.withCopies(20)).single { "more: --verbose" in it }.trim() shouldBe
            "… and 23 more: --verbose"
    }

    @Test
    fun `undecided gates are counted beside the certainty`() {
        lines(Fixture.sixRounds).joinToString("\n") shouldContain "1 of 2 gates undecided"
    }
}
