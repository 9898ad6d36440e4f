package bootdyno.report

import bootdyno.analyse.Threat
import bootdyno.analyse.baseline
import bootdyno.analyse.other
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.analyse.third
import bootdyno.analyse.threeCells
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.TrialFacts
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class DoubtsTest {
    private fun lines(trials: List<TrialFacts>, kind: Threat.Kind = Threat.Kind.ERRORS): List<String> =
        doubts(reportOf(testRun(trials, threeCells + testCell(CellId("fourth/work"))))).filter { it.kind == kind }.map { it.line }

    private fun failing(cell: CellId, failed: Long, of: Long = 10_000, cause: ErrorCause = ErrorCause.RESET, round: Int = 1) =
        testTrial(cell, round, load = testLoad().copy(answered = of - failed, errors = mapOf(cause to failed)))

    @Test
    fun `a doubt of several cells has the figures of all`() {
        val unlike = lines(listOf(failing(baseline, 790), failing(other, 2400), failing(third, 850, of = 9000))).single()
        unlike shouldContain Regex("^7\\.9 to 24 % of 9,000 to 10,000 requests failed \\(790 to 2,400 connection reset\\)")
        unlike shouldEndWith " (base/work, other/work and third/work)."
        lines(listOf(failing(baseline, 790), failing(other, 790))).single() shouldContain "^7\\.9 % of 10,000 requests".toRegex()
        val often = (1..3).flatMap { round ->
            listOf(failing(baseline, if (round == 1) 0 else 790, round = round), failing(other, 790, round = round))
        }
        lines(often).single() shouldContain "^In 2 to 3 of 3 trials: 7\\.9 % of 10,000 requests failed".toRegex()
    }

    @Test
    fun `of doubts of one kind that differ in words, two are shown, and the cells of the others are named`() {
        val causes = listOf(ErrorCause.RESET, ErrorCause.BODY, ErrorCause.PROTOCOL)
        val lines = lines(threeCells.zip(causes) { cell, cause -> failing(cell.id, 100, cause = cause) })
        lines.size shouldBe 2
        lines[0] shouldEndWith " (base/work)."
        lines[1] shouldEndWith " (other/work). The same, with other figures: third/work."
    }

    @Test
    fun `of a single trial a doubt of several cells says nothing`() {
        val oneFar = arrayOf<Double?>(1000.0, 1030.0, 970.0, 1010.0, 990.0, 1500.0)
        lines(rounds(other, *oneFar), Threat.Kind.NOISY).single() shouldContain "; trial 6 is far from the others: 1,500/s"
        lines(rounds(other, *oneFar) + rounds(third, *oneFar), Threat.Kind.NOISY).single() shouldNotContain "is far from"
    }

    @Test
    fun `a doubt of the whole run stands before those of its cells`() {
        val twice = rounds(baseline, 1000.0, 1001.0, 999.0, 1000.0, 1001.0, 999.0) +
            rounds(baseline, 1050.0, 1060.0, 1040.0, 1050.0, 1060.0, 1040.0, again = true)
        val lines = lines(twice + rounds(other, 1000.0, 1300.0, 900.0, 1250.0, 800.0, 1100.0), Threat.Kind.NOISY)
        lines.map { it.substringBefore(" by ") } shouldBe listOf("The baseline differs from itself", "Trials differ")
        lines[1] shouldEndWith " (other/work)."
    }
}
