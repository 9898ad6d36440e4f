package bootdyno.report

import bootdyno.analyse.answering
import bootdyno.analyse.baseline
import bootdyno.analyse.commonCells
import bootdyno.analyse.compareRuns
import bootdyno.analyse.experiment
import bootdyno.analyse.failedTrial
import bootdyno.analyse.latencies
import bootdyno.analyse.other
import bootdyno.analyse.p99Below200
import bootdyno.analyse.rounds
import bootdyno.analyse.searching
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Operand
import bootdyno.model.RunFacts
import bootdyno.model.TrialFacts
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** What the pages of two builds and of two runs say where more than the throughput decides. */
class NewerSideTest {
    private val base = CellId("base/orders")
    private val head = CellId("head/orders")
    private val cells = listOf(testCell(base), testCell(head))
    private val old = rounds(base, 1000.0, 1001.0, 999.0, 1000.0, 1001.0, 999.0)

    private fun rule(measure: Measure, factor: Double) =
        Gate("${measure.word} by $factor", Operand(head, measure), atLeast = factor < 1, factor, Operand(base, measure))

    private val slower = rule(Measure.THROUGHPUT, 0.97)

    private fun screen(trials: List<TrialFacts>, vararg rules: Gate = arrayOf(slower)): FirstScreen {
        val asked = experiment(cells).copy(variants = cells.map { it.variant }, gates = rules.toList())
        return firstScreen(reportOf(testRun(trials, cells, asked)))
    }

    /** Each search found the objective met at this [rate], and not at the next one. */
    private fun searched(cell: CellId, rate: Double) =
        (1..3).map { testTrial(cell, it, 1000.0).searching(rate to 50, rate * 1.1 to 300) }

    @Test
    fun `of two builds that were searched the answer is whether the newer one is worse, not which capacity is the highest`() {
        val asked = experiment(cells).copy(variants = cells.map { it.variant }, gates = listOf(rule(Measure.CAPACITY, 0.95)))
        val run = testRun(searched(base, 200.0) + searched(head, 100.0), cells, asked.copy(capacity = p99Below200))
        val screen = firstScreen(reportOf(run))
        screen.verdict shouldBe "No: capacity 50 % lower."
        screen.badge.words shouldContain "✗ Worse"
        screen.line.first() shouldBe "compare"
    }

    private fun failing(errors: (Int) -> Long, rate: Double = 1000.0) = (1..6).map {
        testTrial(head, it, load = testLoad(rate + it % 3).copy(errors = mapOf(ErrorCause.RESET to errors(it))))
    }

    @Test
    fun `a build that serves as much and surely fails more is worse for its errors`() {
        screen(old + failing({ 500 })).verdict shouldBe "No: more requests fail."
        screen(old + failing({ 500 }, rate = 900.0)).verdict shouldBe "No: 9.9 % fewer requests/s and more requests fail."
    }

    @Test
    fun `a build that may fail more is not decided for its errors, which more rounds do not decide`() {
        val screen = screen(old + failing({ if (it == 1) 500 else 0 }))
        screen.verdict shouldBe "Not decided: one side fails more requests."
        screen.tiles.last().figure shouldBe "mend the failures"
    }

    private fun withMemory(trials: List<TrialFacts>, mebibytes: (Int) -> Double) = trials.mapIndexed { nth, it ->
        it.copy(series = series(mapOf(Metric.RSS to { _ -> mebibytes(nth) * 1024 * 1024 })))
    }

    @Test
    fun `the rule that is not decided is named, though the throughput is known`() {
        val noisy = listOf(300.0, 500.0, 350.0, 450.0, 320.0, 480.0)
        val same = rounds(head, 1000.0, 999.0, 1001.0, 1000.0, 999.0, 1001.0)
        val screen = screen(withMemory(old, { 400.0 }) + withMemory(same, noisy::get), slower, rule(Measure.RSS, 1.1))
        screen.verdict shouldContain Regex("^Not decided: RSS \\d+ % lower to \\d+ % higher\\.$")
    }

    @Test
    fun `a rule that holds is no proof that a build without a rule about it is as fast`() {
        val less = rounds(head, 900.0, 901.0, 899.0, 900.0, 901.0, 899.0)
        val alike = withMemory(old, { 400.0 }) + withMemory(less, { 400.0 })
        screen(alike, rule(Measure.RSS, 1.1)).verdict shouldBe "No rule fails: 10 % fewer requests/s."
    }

    @Test
    fun `a build that serves less is not said to be as fast, though no rule fails and the difference may be too small`() {
        val less = rounds(head, 970.0, 960.0, 980.0, 975.0, 965.0, 970.0)
        screen(old + less, rule(Measure.THROUGHPUT, 0.9)).verdict shouldContain Regex("^No rule fails: 3(\\.0)? % fewer")
    }

    @Test
    fun `a worse build beside a failed trial ends with the exit code of the failed trial`() {
        val worse = rounds(head, 900.0, 901.0, 899.0, 900.0, 901.0)
        screen(old + worse + testTrial(head, 6, 900.0)).badge.detail shouldContain "exit code 3"
        screen(old + worse + failedTrial(head, 6)).badge.detail shouldContain "exit code 1"
    }

    @Test
    fun `a gate that was not measured has not failed`() {
        val unmeasured = Gate("startup", Operand(head, Measure.STARTUP), atLeast = false, 1.0, right = null)
        val detail = screen(old + rounds(head, 1000.0, 1001.0, 999.0), slower, unmeasured).badge.detail
        detail shouldContain "1 of 2 gates not measured"
        detail shouldNotContain "gates failed"
    }

    private fun page(base: RunFacts, head: RunFacts, names: RunNames = RunNames("runs/a", "runs/b")): Page {
        val side = Operand(baseline, Measure.THROUGHPUT)
        val gate = Gate("rule", side, atLeast = true, 0.97, side)
        return page(compareRuns(base, head, commonCells(base, head), listOf(gate)), names)
    }

    @Test
    fun `a newer run that answers nothing is worse, though nothing can be divided`() {
        val page = page(testRun(rounds(baseline, 100.0, 101.0, 99.0)), testRun(rounds(baseline, 0.0, 0.0, 0.0)))
        page.first?.verdict shouldBe "No: throughput more than 3 % lower."
        page.first?.badge?.words shouldBe "✗ Worse · exit code 3"
    }

    @Test
    fun `only a command with a rule ends with an exit code`() {
        val (old, new) = listOf(100.0, 50.0).map { testRun(rounds(baseline, it, it + 1, it - 1)) }
        fun badge(names: RunNames) = page(old, new, names).first?.badge?.words
        badge(RunNames("a", "b")) shouldBe "✗ Worse · exit code 3"
        badge(RunNames("a", "b", fails = false)) shouldBe "✗ Worse · 2 variants compared"
    }

    @Test
    fun `of several cells the verdict names whose ratio it is`() {
        val one = testRun(rounds(baseline, 100.0, 101.0, 99.0) + rounds(other, 100.0, 101.0, 99.0))
        val two = testRun(rounds(baseline, 100.0, 101.0, 99.0) + rounds(other, 80.0, 81.0, 79.0))
        val gates = listOf(baseline, other).map { cell ->
            Operand(cell, Measure.THROUGHPUT).let { Gate("$cell", it, atLeast = true, 0.97, it) }
        }
        val screen = page(compareRuns(one, two, commonCells(one, two), gates), RunNames("a", "b")).first
        screen?.verdict shouldBe "No: other/work 20 % fewer requests/s."
        screen?.tiles?.first()?.text.orEmpty() shouldContain "other/work, "
    }

    /** Open load: each round serves what is offered, with one response time. */
    private fun openRun(vararg millis: Long): RunFacts =
        testRun(answering(baseline, *millis), listOf(testCell(baseline, LoadProfile.Open(100.0))))

    @Test
    fun `runs of open load are compared by their p99, for the throughput is what was offered`() {
        val old = openRun(100, 101, 99)
        val noisy = checkNotNull(page(old, openRun(90, 115, 100)).first)
        noisy.verdict shouldContain Regex("^Not decided: p99 \\d+ % lower to \\d+ % higher\\.$")
        noisy.badge.sign.word shouldBe "? Not decided"
        val slower = checkNotNull(page(old, openRun(200, 201, 199)).first)
        slower.verdict shouldContain Regex("^No rule fails: .*p99 (99|100) % higher")
        slower.tiles.first().figure shouldContain Regex("^(1\\.99|2\\.0)")
        val common = commonCells(old, old)
        val later = listOf(openRun(200, 201, 199), openRun(100, 100, 100)).map { compareRuns(old, it, common, emptyList(), 2) }
        page(later, listOf("a", "b", "c")).title shouldContain Regex("run 2 is slower .* run 3 is as fast")
    }

    // Their interval, 17 to 5 % lower, excludes 1.
    @Test
    fun `a measure without a rule that two groups of rounds leave undecided is said as the groups`() {
        val old = openRun(1000, 1010, 990, 1000, 1005, 995)
        page(old, openRun(*TWO_STATES.map { it.toLong() }.toLongArray())).first?.verdict.orEmpty() shouldContain
            Regex("^Not decided: 0\\.\\d+× the p99 of the older run in 6 rounds and 1(\\.\\d+)?× in 2\\.$")
    }

    @Test
    fun `a response time that some requests never had is a lower bound in both runs`() {
        renderMarkdown(page(stuck(unanswered = 0), stuck(unanswered = 50))) shouldContain "| p99 | 100 ms | ≥900 ms |"
        renderMarkdown(page(stuck(unanswered = 50), stuck(unanswered = 50))) shouldContain "| p99 | ≥900 ms | ≥900 ms |"
    }

    private fun stuck(unanswered: Int): RunFacts {
        val open = listOf(testCell(baseline, LoadProfile.Open(100.0)))
        val times = latencies(List(50) { 100L }, List(unanswered) { 900L })
        return testRun((1..3).map { testTrial(baseline, it, latencies = times) }, open)
    }

    @Test
    fun `a ratio of which only a bound is known is said as a bound, and its rounds are not one`() {
        val bounded = checkNotNull(page(stuck(unanswered = 0), stuck(unanswered = 50)).first)
        bounded.verdict shouldContain Regex("^Not decided: p99 ≥(8\\.9|9\\.0)\\d*×\\.$")
        bounded.tiles.first().figure shouldContain "≥"
        checkNotNull(page(stuck(unanswered = 50), stuck(unanswered = 50)).first).tiles.first().figure shouldBe "–"
        val old = stuck(unanswered = 0)
        val later = List(2) { stuck(unanswered = 50).let { compareRuns(old, it, commonCells(old, it), emptyList(), 2) } }
        val several = checkNotNull(page(later, listOf("a", "b", "c")).first)
        several.badge.sign.word shouldBe "? Not decided"
        several.tiles.first().run { figure + text } shouldContain Regex("≥.*Run \\d: ≥")
    }

    @Test
    fun `a rule that two groups of rounds leave undecided says so, on the page and in JSON`() {
        val sides = listOf(doubleArrayOf(1000.0, 1010.0, 990.0, 1000.0, 1005.0, 995.0), TWO_STATES)
            .map { testRun(rounds(baseline, *it.toTypedArray())) }
        renderMarkdown(page(sides[0], sides[1])) shouldContain "undecided two groups of rounds"
        val operand = Operand(baseline, Measure.THROUGHPUT)
        val gate = Gate("rule", operand, atLeast = true, 0.97, operand)
        val runs = compareRuns(sides[0], sides[1], commonCells(sides[0], sides[1]), listOf(gate))
        renderJson(runs, RunNames("a", "b")) shouldContain "\"twoGroups\": true"
    }

    private companion object {
        val TWO_STATES = doubleArrayOf(800.0, 805.0, 1000.0, 795.0, 1002.0, 798.0, 803.0, 796.0)
    }
}
