package bootdyno.report

import bootdyno.analyse.analyse
import bootdyno.analyse.answering
import bootdyno.analyse.baseline
import bootdyno.analyse.burstCells
import bootdyno.analyse.evenBurst
import bootdyno.analyse.experiment
import bootdyno.analyse.failing
import bootdyno.analyse.other
import bootdyno.analyse.quietMachine
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.analyse.third
import bootdyno.analyse.threeCells
import bootdyno.analyse.twoCells
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.TrialFacts
import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class RankingAnswerTest {
    private fun report(trials: List<TrialFacts>, cells: List<Cell> = twoCells, baseline: CellId? = cells.first().id) =
        Report(analyse(testRun(trials, cells, experiment(cells).copy(baseline = baseline))), emptyList(), "runs/a")

    private fun said(report: Report) = firstScreen(report).run { "${badge.sign.word.drop(2)}: $verdict" }

    @Test
    fun `without a baseline a sole leader is sure, and several are not`() {
        val fast = rounds(other, 200.0, 201.0, 199.0)
        said(report(rounds(baseline, 100.0, 101.0, 99.0) + fast, baseline = null)) shouldBe
            "Sure: other serves the most: 200 requests/s."
        said(report(rounds(baseline, 200.0, 150.0, 250.0) + fast, baseline = null)) shouldContain "Not decided: "
    }

    // Both of the noisy cell's comparisons are undecided.
    @Test
    fun `a noisy cell beside two equal ones, or beside a faster one, may be as fast`() {
        val trials = rounds(baseline, 1000.0, 1001.0, 999.0, 1000.0, 1001.0, 999.0) +
            rounds(other, 1002.0, 1003.0, 1001.0, 1002.0, 1003.0, 1001.0) +
            rounds(third, 1100.0, 800.0, 1150.0, 850.0, 1100.0, 900.0)
        said(report(trials, threeCells)) shouldBe "Sure: other and base are equally fast; third may be as fast."
        val faster = rounds(baseline, 1000.0, 1001.0, 999.0, 1000.0, 1001.0, 999.0) +
            rounds(other, 2002.0, 2003.0, 2001.0, 2002.0, 2003.0, 2001.0) +
            rounds(third, 2200.0, 800.0, 2300.0, 850.0, 2200.0, 900.0)
        said(report(faster, threeCells)) shouldBe "Sure: other serves twice as many requests as base; third may be as fast."
        val first = faster.dropLast(6) + rounds(third, 6000.0, 900.0, 5500.0, 800.0, 5000.0, 1000.0)
        said(report(first, threeCells)) shouldBe "Sure: other serves twice as many requests as base; third may be as fast."
    }

    @Test
    fun `of several cells that are faster, the smallest and the largest difference are said`() {
        val trials = rounds(baseline, 1000.0, 1001.0, 999.0, 1000.0, 1001.0, 999.0) +
            rounds(other, 1075.0, 1076.0, 1074.0, 1075.0, 1076.0, 1074.0) +
            rounds(third, 1085.0, 1015.0, 1080.0, 1020.0, 1075.0, 1030.0)
        said(report(trials, threeCells)) shouldBe "Sure: other and third serve 5.0 to 7.5 % more requests than base."
    }

    @Test
    fun `after one round a cell that serves more and fails more is not called the best`() {
        said(report(rounds(baseline, 100.0) + failing(other, 1, 200.0, 500))) shouldBe
            "One round only: Not decided: other serves twice as many requests as base, but one of them fails more requests."
    }

    @Test
    fun `where one side fails more requests the next step is no further round, and the text says which side`() {
        val screen = firstScreen(report(rounds(baseline, 100.0, 101.0, 99.0) + failing(other, 3, 200.0, 500)))
        screen.tiles.last().figure shouldBe "mend the failures"
        val slower = report(failing(baseline, 3, 200.0, 500) + rounds(other, 100.0, 101.0, 99.0))
        renderMarkdown(page(slower)) shouldContain "base/work fails more requests"
        renderMarkdown(page(slower)) shouldNotContain "other/work fails more requests"
    }

    @Test
    fun `errors are the same share of all requests in the ranking and in the doubt`() {
        val stuck = (1..3).map {
            testTrial(baseline, it, load = testLoad(40.0).copy(errors = mapOf(ErrorCause.RESET to 100L), inFlight = 400))
        }
        val text = renderMarkdown(page(report(stuck, twoCells.take(1))))
        text shouldContain "11 % of 900 requests failed"
        text shouldContain "| 11 % |"
    }

    @Test
    fun `a ratio decides although the machines have different CPUs, of which no figure has an interval`() {
        val machines = listOf(listOf(1, 3, 5), listOf(2, 4, 6)).mapIndexed { nth, rounds ->
            quietMachine.copy(cpuModel = "$nth", rounds = rounds)
        }
        val trials = rounds(baseline, 100.0, 200.0, 101.0, 202.0, 99.0, 198.0) +
            rounds(other, 150.0, 301.0, 151.0, 302.0, 149.0, 297.0)
        val run = testRun(trials, environment = machines[0]).copy(otherMachines = machines.drop(1))
        said(Report(analyse(run), emptyList())) shouldBe "Sure: other serves 1.5 times as many requests as base."
    }

    @Test
    fun `a share that some bursts answered is not said to be never answered`() {
        val some = evenBurst(baseline, 1000, 1000) + evenBurst(baseline, 1000, 1000, 1000, unanswered = 5).last()
        said(report(some, burstCells().take(1))) shouldContain "No variant answered 99 % of the requests in every round."
    }

    @Test
    fun `a variant that did not answer 99 percent of each burst is not said to be perhaps as fast`() {
        val some = evenBurst(third, 1000, 1000) + evenBurst(third, 1000, 1000, 1000, unanswered = 5).last()
        said(report(evenBurst(baseline, 1000, 1010, 990) + evenBurst(other, 500, 505, 495) + some, burstCells())) shouldBe
            "Sure: other needs 50 % less time than base; third did not answer 99 % in every round."
        val two = burstCells().filter { it.id != other }
        said(report(evenBurst(baseline, 1000, 1010, 990) + some, two)) shouldBe
            "Not decided: base answers 99 % of the requests first, after 0.99 s; third did not answer 99 % in every round."
    }

    @Test
    fun `one burst of each variant tells those apart that differ by more than bursts of one do`() {
        said(report(evenBurst(baseline, 1000) + evenBurst(other, 1300), burstCells().take(2))) shouldBe
            "One round only: base is the first to answer 99 % of the requests: other needs 30 % more time."
        said(report(evenBurst(baseline, 1000) + evenBurst(other, 1020), burstCells().take(2))) shouldContain
            "Tie of base and other"
    }

    @Test
    fun `under open load, where all serve what is offered, the p99 is the answer`() {
        val cells = twoCells.map { testCell(it.id, LoadProfile.Open(100.0)) }
        val base = answering(baseline, 100, 101, 99)
        rankingSection(report(base + answering(other, 50, 51, 49), cells))?.lead.orEmpty() shouldContain
            "cannot be told apart by their requests/s"
        said(report(base + answering(other, 50, 51, 49), cells)) shouldBe "Sure: p99 50 % lower with other than with base."
        said(report(base + answering(other, 200, 201, 199), cells)) shouldBe "Sure: p99 100 % higher with other than with base."
        said(report(base + answering(other, 90, 115, 100), cells)) shouldContain "Not decided: Not decided: p99 "
        said(report(base.take(1) + answering(other, 50), cells)) shouldBe
            "One round only: p99 is 50 ms with other and 100 ms with base."
        // It does not serve the rate.
        said(report(base + rounds(other, 60.0, 61.0, 59.0), cells)) shouldContain "base serves the most"
    }

    @Test
    fun `the heading of the ranking is what its lead explains`() {
        val cells = listOf(CellId("shop/list"), CellId("shop/search"))
        val trials = cells.flatMap { rounds(it, 100.0, 101.0, 99.0) }
        val section = rankingSection(report(trials, cells.map { testCell(it) }))
        section?.lead.orEmpty() shouldContain "A cell is a variant"
        val heads = section?.blocks.orEmpty().filterIsInstance<Table>().single().columns.map { it.head }
        ("Cell" in heads) to ("Variant" in heads) shouldBe (true to false)
    }
}
