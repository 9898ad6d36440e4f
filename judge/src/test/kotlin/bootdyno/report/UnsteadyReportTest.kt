package bootdyno.report

import bootdyno.analyse.RepeatedTrial
import bootdyno.analyse.Unsteady
import bootdyno.analyse.analyse
import bootdyno.analyse.baseline
import bootdyno.analyse.limitsFound
import bootdyno.analyse.series
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.CellId
import bootdyno.model.Metric
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
    private val why = "14 % of its CPU time was the compiler's"

    /** The report [of] a run in which these cells were not warm. */
    private fun cold(of: Report, cells: List<CellId>): Report {
        val changed = of.analysis.cells.map {
            if (it.cell.id in cells) it.copy(unsteady = Unsteady(it.counted.size, "not warmed up", why)) else it
        }
        return of.copy(analysis = of.analysis.copy(cells = changed))
    }

    @Test
    fun `an answer with a figure of a cell that was not warm says so`() {
        answerLines(cold(Fixture.sixRounds(), listOf(virtual, tomcat))).first() shouldBe
            "tomcat-virtual/blockingIO (not warmed up) and webflux/monoIO2 serve twice as many requests as " +
            "tomcat/blockingIO (not warmed up)."
        answerLines(cold(Fixture.small(), listOf(tomcat))).first() shouldContain "not warmed up"
        answerLines(cold(Fixture.oneRound(), listOf(virtual))).first() shouldContain "${virtual.text} (not warmed up)"
    }

    @Test
    fun `some trials that were not warm are counted`() {
        val report = cold(Fixture.sixRounds(), listOf(tomcat))
        val some = report.cell(tomcat).run { copy(unsteady = unsteady?.copy(trials = 2)) }
        unsteadyWords(some) shouldBe "not warmed up in 2 of ${some.counted.size} trials"
    }

    @Test
    fun `verdicts, claims and the ranking name the cells that were not warm`() {
        val report = cold(Fixture.sixRounds(), listOf(virtual, tomcat))
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
        val section = instancesSection(Report(analyse(testRun(trials)), emptyList())).shouldNotBeNull()
        val row = section.blocks.filterIsInstance<Table>().single().rows.single().entries.filterIsInstance<Words>()
        row.map { it.text } shouldContain "≤5.00"
    }

    @Test
    fun `repeated trials are listed with their figure and the reason`() {
        val plain = Fixture.small()
        repeatedSection(plain).shouldBeNull()
        val trial = RepeatedTrial(7, 2, tomcat, 380.0, listOf("Other processes used 0.4 CPUs during the measurement."))
        val report = plain.copy(analysis = plain.analysis.copy(repeated = listOf(trial)))
        val item = repeatedSection(report).shouldNotBeNull().blocks.filterIsInstance<Bullets>().single().items.single()
        item.text shouldBe "tomcat/blockingIO, trial 7 of round 2: 380/s."
        item.detail shouldContain "Other processes used 0.4 CPUs during the measurement."
        page(report).sections.map { it.id } shouldContain "repeated"
    }
}
