package bootdyno.cli

import bootdyno.measure.ExitCode
import bootdyno.measure.OpenedRun
import bootdyno.measure.RunToMeasure
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.store.SampleRun
import bootdyno.store.SoundRun
import bootdyno.store.TrialOutcome
import bootdyno.store.keep
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** What the commands answer where a run folder is damaged. */
class DamagedRunTest(@param:TempDir private val parent: Path) {
    private val time = LocalDateTime.of(2026, 11, 20, 10, 15, 0)

    private val plan = SampleRun.plan.run { copy(experiment = experiment.copy(gates = emptyList())) }
    private val folder = SampleRun.folder(parent, "run", plan).apply { keep(SoundRun.outcome()) }
    private val trial = folder.path.resolve("trials").listDirectoryEntries().single()

    private fun dyno(vararg words: String): CliktCommandTestResult = dyno(Home(parent)).test(words.toList())

    @Test
    fun `report lists a damaged trial in every form and ends with 1`() {
        dyno("report", "${folder.path}").statusCode shouldBe ExitCode.FINE
        trial.resolve("latency.hlog").deleteExisting()

        listOf("terminal", "html", "md", "json").forEach { format ->
            val said = dyno("report", "${folder.path}", "--format", format)
            withClue(format) {
                said.statusCode shouldBe ExitCode.TRIAL_FAILED
                said.stdout shouldContain "latency.hlog"
                said.stdout.replace(Regex("\\s+"), " ") shouldContain "the file is missing"
            }
        }
        dyno("report", "${folder.path}", "--format", "csv").statusCode shouldBe ExitCode.TRIAL_FAILED
        dyno("report", "${folder.path}").stderr shouldContain "./dyno resume"
    }

    @Test
    fun `report and resume refuse a run folder without a sound plan or environment with 2 and no stack trace`() {
        listOf("plan.json", "environment.json").forEach { name ->
            val file = folder.path.resolve(name)
            val sound = file.readText()
            listOf("report", "resume").forEach { command ->
                file.writeText("")
                val said = dyno(command, "${folder.path}")
                said.statusCode shouldBe ExitCode.INPUT
                said.stderr shouldContain "$name: it is empty"
                said.stderr shouldNotContain "Exception"
            }
            file.writeText(sound)
        }
    }

    @Test
    fun `a file, a folder without a plan and a name that is not there are no run folders`() {
        val file = parent.resolve("file").apply { writeText("") }
        listOf("report", "resume").forEach { command ->
            dyno(command, "$file").statusCode shouldBe ExitCode.INPUT
            dyno(command, "$file").stderr shouldContain "it is a file"
            listOf("$parent/none", "$parent").forEach { dyno(command, it).statusCode shouldBe ExitCode.INPUT }
        }
    }

    @Test
    fun `a report that cannot be written is printed all the same`() {
        // Not even root writes a file over a folder.
        folder.path.resolve("report.html").createDirectory().resolve("mine").writeText("")

        val said = dyno("report", "${folder.path}")

        said.statusCode shouldBe ExitCode.FINE
        said.stdout shouldContain "Waiting 500 ms"
        said.stderr shouldContain "The report's files are missing or old."
    }

    @Test
    fun `a new run that is refused before its first trial leaves no folder, and one that began keeps it`() {
        val refused = RunToMeasure { OpenedRun(RunFolder.create(parent, "refused", time), emptyList(), fresh = true) }
        val made = refused.use { it.open().folder.path.also { path -> path.exists() shouldBe true } }
        made.exists() shouldBe false
        refused.kept.shouldBeNull()

        val begun = RunToMeasure { OpenedRun(RunFolder.create(parent, "begun", time), emptyList(), fresh = true) }
        begun.use {
            it.open()
            it.begin()
        }.folder.path.exists() shouldBe true
        begun.kept?.path?.exists() shouldBe true

        val resumed = RunToMeasure { OpenedRun(folder, folder.read().trials, fresh = false) }
        resumed.use { it.open() }
        folder.path.exists() shouldBe true
        resumed.kept shouldBe folder
    }

    @Test
    fun `a run of which nothing was measured begins again when it is resumed, and keeps its old trials aside`() {
        val failed = SampleRun.folder(parent, "failed", plan).apply { keep(TrialOutcome(SampleRun.failedRecord)) }
        val said = mutableListOf<String>()

        reopened(failed, said::add).already.shouldBeEmpty()

        failed.read().trials.shouldBeEmpty()
        failed.path.resolve("trials/.damaged").listDirectoryEntries() shouldHaveSize 1
        said.single() shouldContain "No trial was measured so far."
        reopened(folder, said::add).already shouldHaveSize 1
        said shouldHaveSize 1
    }

    @Test
    fun `a damaged attempt is not said to be measured again where the other one counts`() {
        folder.keep(SoundRun.outcome(SoundRun.record.copy(trial = SoundRun.trial.copy(attempt = 2))))
        trial.resolve("latency.hlog").deleteExisting()
        val said = mutableListOf<String>()

        reopened(folder, said::add).already shouldHaveSize 1

        said.single() shouldContain "moved to trials/.damaged, and its other attempt counts."
    }

    @Test
    fun `a resumed run may measure until it has all rounds that adaptive stopping may add`() {
        val plan = SampleRun.plan
        val repetition = plan.experiment.repetition.copy(rounds = 1, maxRounds = 2)
        val adaptive = plan.copy(experiment = plan.experiment.copy(repetition = repetition))
        val facts = folder.read().trials.first()
        fun finished(number: Int) = facts.copy(record = facts.record.copy(trial = facts.record.trial.copy(number = number)))
        fun mayMeasure(already: Set<Int>) = RunToMeasure { OpenedRun(folder, already.map(::finished), fresh = false) }.use {
            it.open()
            it.mayMeasure(adaptive)
        }
        val first = adaptive.numbersOf(1).toSet()
        mayMeasure(first - first.first()) shouldBe true
        mayMeasure(first) shouldBe true
        mayMeasure(first + adaptive.numbersOf(2)) shouldBe false
    }

    @Test
    fun `a run that cannot be made because the machine is taken makes no folder`() {
        val never = RunToMeasure { error("it is opened when the machine is free") }

        shouldThrow<RunFolderException> { never.use { throw RunFolderException("another measurement is running here") } }
        never.kept.shouldBeNull()
    }
}
