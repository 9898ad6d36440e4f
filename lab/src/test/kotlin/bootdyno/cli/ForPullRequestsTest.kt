package bootdyno.cli

import bootdyno.analyse.HISTORY_COLUMNS
import bootdyno.launch.standInJar
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.model.Trial
import bootdyno.model.csvRecords
import bootdyno.report.Report
import bootdyno.report.summary
import bootdyno.store.SampleRun
import bootdyno.store.keep
import com.github.ajalt.clikt.testing.test
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

class ForPullRequestsTest(@param:TempDir private val folder: Path) {
    private val said = mutableListOf<String>()

    private fun report(day: Int): Report {
        val run = SampleRun.folder(folder.resolve("runs"), "x", day = day)
        val trial = Trial(1, 1, SampleRun.plan.cells.first().id)
        run.keep(SampleRun.outcome(SampleRun.measuredRecord.copy(trial = trial)))
        return judge(run) {}
    }

    @Test
    fun `the history grows by the figures of each run, once`() {
        val file = folder.resolve("history.csv")
        val first = report(20)
        repeat(2) { appendHistory(first, file, said::add) }
        appendHistory(report(21), file, said::add)
        val records = csvRecords(file.readText()).map { it.fields.toList() }.toList()
        records.first().shouldContainExactly(HISTORY_COLUMNS)
        records.map { it.size }.distinct().shouldContainExactly(HISTORY_COLUMNS.size)
        records.drop(1).map { it[1] }.distinct().shouldContainExactly("2026-11-20T101500-x", "2026-11-21T101500-x")
        records.count { it[5] == "throughput" } shouldBe 2
        said.shouldContainExactly("$file has the run 2026-11-20T101500-x already.")
    }

    @Test
    fun `another file is not changed, and a folder that is not there is said`() {
        val other = folder.resolve("notes.csv").apply { writeText("a,b\n") }
        shouldThrow<InputProblem> { appendHistory(report(20), other, said::add) }.message shouldContain
            "is no history of Boot Dyno"
        other.readText() shouldBe "a,b\n"
        shouldThrow<InputProblem> {
            appendHistory(report(21), folder.resolve("none/history.csv"), said::add)
        }.message shouldContain "cannot be written"
    }

    @Test
    fun `a run folder that cannot be made is refused with the flag for another`() {
        val file = folder.resolve("runs").apply { writeText("") }
        shouldThrow<InputProblem> { newRun(file, SampleRun.plan, SampleRun.environment) }.message shouldContain
            "choose another folder with --out"
    }

    @Test
    fun `a history that cannot be written is refused before the measurement`() {
        val jar = standInJar(folder)
        val history = folder.resolve("none/history.csv")
        val refusal = dyno(Home(folder)).test("run", "$jar", "--path", "/x", "--out", "$folder/new", "--history", "$history")
        refusal.statusCode shouldBe ExitCode.INPUT
        refusal.stderr shouldContain "The history $history cannot be written: it is not there."
        folder.resolve("new").exists() shouldBe false
    }

    @Test
    fun `the summary is appended to the page of the job, and a page that cannot be written is only said`() {
        val page = folder.resolve("summary.md").apply { writeText("# Before\n") }
        val summary = summary(report(20))
        writeStepSummary(summary, said::add, "$page")
        page.readText() shouldStartWith "# Before\n# Waiting 500 ms"
        said.shouldBeEmpty()
        writeStepSummary(summary, said::add, null)
        writeStepSummary(summary, said::add, "$folder")
        said.single() shouldContain "GITHUB_STEP_SUMMARY"
        folder.resolve("none").exists() shouldBe false
    }
}
