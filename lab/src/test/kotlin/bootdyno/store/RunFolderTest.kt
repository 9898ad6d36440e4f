package bootdyno.store

import bootdyno.model.Bytes
import bootdyno.model.HIDDEN
import bootdyno.model.OpenPointFound
import bootdyno.model.Series
import bootdyno.model.Service
import bootdyno.model.Source
import bootdyno.model.TrialFacts
import bootdyno.model.facts
import bootdyno.system.withoutInterrupts
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.concurrent.thread
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

class RunFolderTest(@param:TempDir private val parent: Path) {
    private val folder = SampleRun.folder(parent.resolve("deep/runs"))
    private val trials = folder.path.resolve("trials")

    private fun finishBoth() {
        folder.keep(TrialOutcome(SampleRun.failedRecord))
        folder.keep(SampleRun.outcome())
    }

    private fun shouldEqual(facts: TrialFacts, expected: TrialFacts) {
        facts.record shouldBe expected.record
        facts.series shouldBe expected.series
        facts.latencies shouldBe expected.latencies
    }

    @Test
    fun `what was written is read back, in order of the trials`() {
        finishBoth()

        val read = RunFolder.open(folder.path).read()

        read.damaged.shouldBeEmpty()
        read.plan shouldBe SampleRun.plan
        read.environment shouldBe SampleRun.environment
        read.trials.map { it.record.trial } shouldContainExactly listOf(SampleRun.measured, SampleRun.failed)
        shouldEqual(read.trials[0], TrialFacts(SampleRun.measuredRecord, SampleRun.latencies.facts(), SampleRun.series))
        shouldEqual(read.trials[1], TrialFacts(SampleRun.failedRecord, null, Series(emptyList())))
        folder.path.resolve("experiment.yaml").readText() shouldBe SampleRun.YAML
    }

    @Test
    fun `latencies of open load are read back beside those of the window`() {
        val point = OpenPointFound(0.125, 50.0, SampleRun.measuredRecord.load ?: error("the sample has its load"))
        val record = SampleRun.measuredRecord.copy(openPoints = listOf(point))
        val finished = folder.keep(SampleRun.outcome(record).copy(openLatencies = listOf(SampleRun.latencies)))

        finished.resolve("latency-at-12.5.hlog").exists() shouldBe true
        val facts = folder.read().trials.single()
        facts.record.openPoints shouldContainExactly listOf(point)
        facts.openLatencies.single() shouldBe SampleRun.latencies.facts()
    }

    @Test
    fun `a run that is read and written again is the same to the byte`() {
        finishBoth()
        val facts = folder.read()
        val again = RunFolder.create(parent, "again", LocalDateTime.of(2026, 1, 2, 3, 4, 5))

        again.writePlan(facts.plan, SampleRun.YAML)
        again.writeEnvironment(facts.environment)
        facts.trials.forEach {
            again.keep(TrialOutcome(it.record, it.latencies?.let { SampleRun.latencies }, it.series))
        }

        textsOf(again) shouldBe textsOf(folder)
    }

    private fun textsOf(run: RunFolder): Map<String, String> = Files.walk(run.path).use { paths ->
        paths.filter { Files.isRegularFile(it) }.toList().associate { run.path.relativize(it).toString() to it.readText() }
    }

    @Test
    fun `folders are named by time, number and cell, safely`() {
        finishBoth()

        folder.path.name shouldBe "2026-11-20T101500-blocking.io"
        trials.listDirectoryEntries().map { it.name } shouldContainExactlyInAnyOrder
            listOf("0007-tomcat.virtual--blocking--open", "0008-tomcat--blocking--closed400--again")
    }

    @Test
    fun `however often the clock is set back, each run gets a folder of its own`() {
        val time = LocalDateTime.of(2026, 10, 25, 2, 30, 0)

        val names = List(150) { RunFolder.create(parent, "x", time).path.name }

        names.take(2) shouldContainExactly listOf("2026-10-25T023000-x", "2026-10-25T023000-x-2")
        names.toSet().size shouldBe 150
    }

    @Test
    fun `trials of a clock that was set back are read in the order of their numbers`() {
        folder.keep(SampleRun.outcome())
        val earlier = SampleRun.failedRecord.copy(startedAt = "2019-01-01T00:00:00Z")
        folder.keep(TrialOutcome(earlier))

        val read = folder.read()
        read.damaged.shouldBeEmpty()
        read.trials.map { it.record.trial } shouldContainExactly listOf(SampleRun.measured, SampleRun.failed)
    }

    @Test
    fun `a symbolic link in the place of a report or of a draft is not followed`() {
        val outside = Files.createDirectories(parent.resolve("outside")).resolve("mine").apply { writeText("mine") }
        listOf("report.md", ".report.md.part").forEach { Files.createSymbolicLink(folder.path.resolve(it), outside) }
        Files.createSymbolicLink(trials.resolve(".0007-tomcat.virtual--blocking--open.part"), outside.parent)

        folder.writeReport("report.md", "ours")
        folder.keep(SampleRun.outcome())

        outside.readText() shouldBe "mine"
        outside.parent.listDirectoryEntries() shouldContainExactly listOf(outside)
        folder.read().damaged.shouldBeEmpty()
    }

    @Test
    fun `a trial that a crash cut short is not seen, and its draft is discarded`() {
        val draft = folder.begin(SampleRun.measured)
        draft.subjectLog.writeText("half a line")
        folder.path.resolve(".report.html.part").writeText("<html>")

        folder.read().trials.shouldBeEmpty()
        folder.discardDrafts()

        draft.path.exists() shouldBe false
        folder.path.resolve(".report.html.part").exists() shouldBe false
        folder.path.resolve("plan.json").exists() shouldBe true
    }

    @Test
    fun `a trial begun again starts from an empty draft, and its logs go with it`() {
        folder.begin(SampleRun.measured).subjectLog.writeText("of the crash")
        val draft = folder.begin(SampleRun.measured)
        draft.subjectLog.exists() shouldBe false
        draft.path.resolve("engine.log").writeText("warm")

        val finished = draft.finish(SampleRun.outcome())

        finished.listDirectoryEntries().map { it.name } shouldContainExactlyInAnyOrder
            listOf("trial.json", "latency.hlog", "series.csv", "engine.log")
    }

    @Test
    fun `a trial is finished once`() {
        finishBoth()

        shouldThrow<RunFolderException> {
            folder.keep(TrialOutcome(SampleRun.failedRecord))
        }.message shouldContain "0008"
    }

    @Test
    fun `a measured trial without latencies is refused`() {
        shouldThrow<IllegalArgumentException> {
            folder.keep(TrialOutcome(SampleRun.measuredRecord))
        }
    }

    @Test
    fun `a trial of a later version is left out, with advice`() {
        finishBoth()
        val file = trials.resolve("0007-tomcat.virtual--blocking--open/trial.json")
        file.writeText(file.readText().replace("\"schemaVersion\": 1", "\"schemaVersion\": 2"))

        folder.problems(folder.read()).single() shouldContain "newer"
    }

    @Test
    fun `fields and columns of a later version are skipped`() {
        finishBoth()
        val trial = trials.resolve("0007-tomcat.virtual--blocking--open")
        val record = trial.resolve("trial.json")
        record.writeText(record.readText().replaceFirst("{", "{ \"mood\": \"good\","))
        val series = trial.resolve("series.csv")
        series.writeText(
            series.readText().lines().filter { it.isNotEmpty() }.withIndex().joinToString("\n", postfix = "\n") { (line, text) ->
                if (line == 0) "$text,mood" else "$text,7"
            },
        )

        val read = folder.read()

        read.damaged.shouldBeEmpty()
        read.trials.first().series shouldBe SampleRun.series
    }

    @Test
    fun `a folder that is no run says so and points to one`() {
        shouldThrow<RunFolderException> { RunFolder.open(parent.resolve("nothing")) }.message shouldContain "nothing of that name"
        shouldThrow<RunFolderException> { RunFolder.open(folder.path.parent) }.message shouldContain
            "Did you mean ${folder.path}?"
    }

    @Test
    fun `a report replaces the one before, and nothing else is left`() {
        folder.writeReport("report.md", "one")
        folder.writeReport("report.md", "two")

        folder.path.resolve("report.md").readText() shouldBe "two"
        folder.path.listDirectoryEntries(".*").shouldBeEmpty()
        shouldThrow<IllegalArgumentException> { folder.writeReport("../report.md", "out") }
    }

    @Test
    fun `interrupts do not end a write`() {
        val writer = Thread.currentThread()
        val interrupts = thread {
            repeat(20) {
                Thread.sleep(1)
                writer.interrupt()
            }
        }
        val text = "x".repeat(1 shl 20)

        repeat(20) { folder.writeReport("report.md", "$text$it") }
        withoutInterrupts { interrupts.join() }

        Thread.interrupted() shouldBe true
        folder.path.resolve("report.md").readText() shouldBe "${text}19"
    }

    @Test
    fun `a folder with space is writable and one without is said to be full`() {
        folder.checkWritable(Bytes(1))

        shouldThrow<RunFolderException> { folder.checkWritable(Bytes(Long.MAX_VALUE)) }.message shouldContain "Free some space"
        folder.path.listDirectoryEntries(".*").shouldBeEmpty()
    }

    @Test
    fun `secrets reach no file of the folder`() {
        val plan = SampleRun.plan.let { plan ->
            val secret = mapOf("spring.datasource.password" to "hunter2")
            plan.of(
                plan.experiment.copy(
                    source = Source("s", "S", conditions = "measured with password=hunter2"),
                    variants = plan.experiment.variants.map { it.copy(settings = secret, jvm = it.jvm + "-Dapi.key=hunter2") },
                    services = plan.experiment.services.filterIsInstance<Service>()
                        .map { it.copy(variant = it.variant.copy(environment = mapOf("DB_PASSWORD" to "hunter2"))) },
                ),
            )
        }
        folder.writePlan(plan, "variants:\n  tomcat:\n    settings: { spring.datasource.password: hunter2 }\n")
        val subject = SampleRun.measuredRecord.subject?.copy(commandLine = listOf("java", "--db.password=hunter2"))
        val services = SampleRun.measuredRecord.services.map { it.copy(command = listOf("serve", "--token=hunter2")) }
        val record = SampleRun.measuredRecord.copy(subject = subject, services = services)
        folder.keep(SampleRun.outcome(record))

        textsOf(folder).filterValues { "hunter2" in it }.keys.shouldBeEmpty()
        hiddenIn(folder.read().plan) shouldContainExactly
            listOf(
                "variant tomcat: spring.datasource.password",
                "variant tomcat: -Dapi.key=$HIDDEN",
                "variant tomcat virtual: spring.datasource.password",
                "variant tomcat virtual: -Dapi.key=$HIDDEN",
                "service slow: DB_PASSWORD",
            )
        hiddenIn(SampleRun.plan).shouldBeEmpty()
    }

    @Test
    fun `a failed trial may have no latencies and no series`() {
        finishBoth()
        Files.delete(trials.resolve("0008-tomcat--blocking--closed400--again/series.csv"))

        val facts = folder.read().trials.last()

        facts.latencies.shouldBeNull()
        facts.series shouldBe Series(emptyList())
    }
}
