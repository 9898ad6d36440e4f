package bootdyno.report

import bootdyno.analyse.baseline
import bootdyno.analyse.limitsFound
import bootdyno.analyse.recorded
import bootdyno.analyse.series
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.CellId
import bootdyno.model.Metric
import bootdyno.model.Series
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class UnsteadyReportTest {
    private val virtual = CellId("tomcat-virtual/blockingIO")
    private val tomcat = CellId("tomcat/blockingIO")

    /** The report [of] a run in which these cells, until round [last], use a full CPU, 14 % of it for compiling. */
    private fun cold(of: Report, cells: List<CellId>, last: Int = 6): Report =
        of.planned { copy(profile = profile.copy(certified = true)) }.remeasured {
            val rows = series.rows.map {
                it.copy(values = it.values + mapOf(Metric.CPU to it.at, Metric.COMPILER_CPU to it.at * 0.14))
            }
            if (record.trial.cell in cells && record.trial.round <= last) copy(series = Series(rows)) else this
        }

    @Test
    fun `an answer with a figure of a cell that was not warm says so`() {
        answerLines(cold(Fixture.sixRounds, listOf(virtual, tomcat))).first() shouldBe
            "tomcat-virtual/blockingIO (not warmed up) and webflux/monoIO2 serve twice as many requests as " +
            "tomcat/blockingIO (not warmed up)."
        answerLines(cold(Fixture.small, listOf(tomcat))).first() shouldContain "not warmed up"
        answerLines(cold(Fixture.oneRound, listOf(virtual))).first() shouldContain "${virtual.text} (not warmed up)"
    }

    @Test
    fun `some trials that were not warm are counted`() {
        val report = cold(Fixture.sixRounds, listOf(virtual), last = 2)
        unsteadyWords(report.cell(virtual)) shouldBe "not warmed up in 2 of 6 trials"
    }

    @Test
    fun `verdicts, claims and the ranking name the cells that were not warm`() {
        val report = cold(Fixture.sixRounds, listOf(virtual, tomcat))
        listOf(verdictsSection(report), rankingSection(report), claimsSection(report)).forEach { section ->
            withClue(section?.heading) { section.shouldNotBeNull().blocks.toString() shouldContain "not warmed up" }
        }
        // Only their own rows.
        val ranking = rankingSection(report).shouldNotBeNull().blocks.filterIsInstance<Table>().first()
        val marked = ranking.rows.map { it.entries[2] }.filterIsInstance<Words>().filter { it.beside == "not warmed up" }
        marked.map { it.text } shouldBe listOf(virtual.text, tomcat.text)
    }

    // A tenth of the CPU time is the compiler's, and three quarters of both CPUs are idle.
    @Test
    fun `the CPUs of instances are an upper bound where the compiler worked`() {
        val series = series(mapOf(Metric.CPU to { it / 2 }, Metric.COMPILER_CPU to { it / 20 }))
        val trials = (1..2).map { testTrial(baseline, it, series = series, limits = limitsFound(cpus = 2.0)) }
        val section = instancesSection(reportOf(testRun(trials))).shouldNotBeNull()
        val row = section.blocks.filterIsInstance<Table>().single().rows.single().entries.filterIsInstance<Words>()
        row.map { it.text } shouldContain "≤5.00"
    }

    @Test
    fun `repeated trials are listed with their figure and the reason`() {
        val plain = Fixture.small
        repeatedSection(plain).shouldBeNull()
        val report = plain.rerun {
            val second = trials.first { it.record.trial.round == 2 && it.record.trial.cell == tomcat }
            val first = second.recorded { copy(clocksApartSeconds = 3.0) }
            copy(trials = trials - second + first + second.recorded { copy(trial = trial.copy(attempt = 2)) })
        }
        val item = repeatedSection(report).shouldNotBeNull().blocks.filterIsInstance<Bullets>().single().items.single()
        item.text shouldBe "tomcat/blockingIO, trial 5 of round 2: 393/s."
        item.detail shouldContain "The clocks of the machine moved apart by 3 s: it slept, or one was set."
        page(report).sections.map { it.id } shouldContain "repeated"
    }
}
