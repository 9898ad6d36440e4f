package bootdyno.store

import bootdyno.model.DamagedTrial
import bootdyno.model.OpenPointFound
import bootdyno.model.TrialRecord
import bootdyno.system.deleteTree
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.copyToRecursively
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

class DamagedTrialsTest(@param:TempDir private val parent: Path) {
    private val folder = SampleRun.folder(parent).apply {
        keep(TrialOutcome(SampleRun.failedRecord))
        keep(SampleRun.outcome())
    }
    private val trials = folder.path.resolve("trials")
    private val measured = trials.resolve("0007-tomcat.virtual--blocking--open")

    /** The only damage there is; the other trial is sound. */
    private fun damage(): DamagedTrial {
        val facts = folder.read()
        facts.trials.map { it.record.trial } shouldContainExactly listOf(SampleRun.failed)
        return facts.damaged.single()
    }

    private fun Path.replace(old: String, new: String) {
        val text = readText()
        check(old in text) { "there is no $old in $this" }
        writeText(text.replace(old, new))
    }

    @Test
    fun `each file that is missing, empty, no text or no file at all is damage of its trial, named with number and cell`() {
        listOf("trial.json", "series.csv", "latency.hlog").forEach { name ->
            val file = measured.resolve(name)
            val sound = Files.readAllBytes(file)
            val damages = mapOf<String, () -> Unit>(
                "missing" to { },
                "" to { file.writeText("") },
                " " to { file.writeBytes(byteArrayOf(0, -1, -2, 0, 7)) },
                "no regular file" to { file.createDirectory() },
                "no regular file " to { file.createSymbolicLinkPointingTo(Path.of("/dev/zero")) },
            )
            damages.forEach { (reason, make) ->
                file.deleteExisting()
                make()
                withClue("$name $reason") {
                    val damaged = damage()
                    damaged.file shouldBe "trials/${measured.name}/$name"
                    folder.problems(folder.read()).single() shouldContain "$file"
                    damaged.reason shouldContain reason.trim()
                    damaged.number shouldBe 7
                    damaged.cell shouldBe SampleRun.measured.cell
                }
                Files.deleteIfExists(file)
                file.writeBytes(sound)
            }
        }
        folder.read().damaged.shouldBeEmpty()
    }

    @Test
    fun `a value that cannot be is damage, with its place`() {
        val record = mapOf(
            "\"answered\": 2" to "\"answered\": -2",
            "\"windowSeconds\": 30.25" to "\"windowSeconds\": -30.25",
            "\"windowSeconds\": 30.25 " to "\"windowSeconds\": 1e999",
            "\"windowSeconds\": 30.25  " to "\"windowSeconds\": NaN",
            "\"windowSeconds\": 30.25   " to "\"windowSeconds\": 0",
            "\"answered\": 2 " to "\"answered\": 9223372036854775807",
            "\"round\": 2" to "\"round\": 0",
            "\"round\": 2 " to "\"round\": -1",
            "\"number\": 7" to "\"number\": 8",
            "\"number\": 7 " to "\"number\": 99999999999",
            "tomcat virtual/blocking@open" to "jetty/blocking@open",
            "\"to\": 39.75" to "\"to\": 9.25",
            "\"from\": 9.5" to "\"from\": -9.5",
            "\"aloneSeconds\": 0.502" to "\"aloneSeconds\": -0.502",
            "2026-11-20T10:20:00.5+01:00" to "yesterday",
            "\"type\": \"measured\"" to "\"type\": \"finished\"",
        )
        val file = measured.resolve("trial.json")
        val sound = file.readText()
        record.forEach { (old, new) ->
            file.replace(old.trim(), new)
            withClue(new) { damage().file shouldBe "trials/${measured.name}/trial.json" }
            file.writeText(sound)
        }
    }

    @Test
    fun `a reading that cannot be is damage, with its line`() {
        val file = measured.resolve("series.csv")
        fun reasonOf(vararg lines: String): String {
            file.writeText(lines.joinToString("\n", postfix = "\n"))
            return damage().reason
        }
        reasonOf("at_s,cpu_s", "1,2", "2,1e999") shouldContain "line 3: cpu_s is 1e999"
        reasonOf("at_s,cpu_s", "1.0,x") shouldContain "line 2: cpu_s is x"
        reasonOf("at_s,cpu_s", "1,NaN") shouldContain "line 2: cpu_s is NaN"
        reasonOf("at_s,cpu_s", "1,-5") shouldContain "line 2: cpu_s is -5"
        reasonOf("at_s,cpu_s", "-1,5") shouldContain "line 2: at_s is -1"
        reasonOf("at_s,rss_bytes", "1,5", "1,5") shouldContain "line 3: at_s is 1, not later"
        reasonOf("at_s,cpu_s", "1,5", "2,", "3,4") shouldContain "cpu_s falls from 5 to 4 at 3 s"
        reasonOf("cpu_s", "1") shouldContain "first column"
        file.writeText("at_s,rss_bytes,steal_s\n1,5,9\n2,4,8\n")
        folder.read().damaged.shouldBeEmpty()
    }

    @Test
    fun `a latency log that is cut, of negative times or of another trial is damage`() {
        val file = measured.resolve("latency.hlog")
        val sound = file.readText()
        val damages = mapOf(
            sound.lines().filterNot { it.startsWith("Tag=unanswered") }.joinToString("\n") to "no histogram tagged unanswered",
            sound.replace("Tag=service,9.500", "Tag=service,-9.500") to "-9.5",
            sound.replace(Regex("StartTime: \\d+"), "StartTime: 1234567890") to "another trial",
            sound.replace("HISTFAAAA", "HISTFzzzz") to "",
        )
        damages.forEach { (text, reason) ->
            file.writeText(text)
            withClue(reason) { damage().reason shouldContain reason }
        }
    }

    @Test
    fun `an absurdly large file is damage, and is not read`() {
        Files.newByteChannel(measured.resolve("series.csv"), setOf(StandardOpenOption.WRITE)).use {
            it.position(40L shl 30).write(ByteBuffer.wrap(byteArrayOf(10)))
        }

        damage().reason shouldContain "larger than 64 MiB"
    }

    @Test
    fun `open load without its latencies is damage`() {
        val point = OpenPointFound(0.5, 50.0, checkNotNull(SampleRun.measuredRecord.load))
        val file = measured.resolve("trial.json")
        file.writeText(JsonFile.text(TrialRecord.serializer(), SampleRun.measuredRecord.copy(openPoints = listOf(point))))

        damage().file shouldBe "trials/${measured.name}/latency-at-50.hlog"

        file.writeText(JsonFile.text(TrialRecord.serializer(), SampleRun.measuredRecord.copy(openPoints = listOf(point, point))))
        damage().reason shouldContain "twice"
    }

    @OptIn(ExperimentalPathApi::class)
    @Test
    fun `a copy of a trial, a trial in another's folder and a file in the place of one are damage of their own`() {
        measured.copyToRecursively(trials.resolve("${measured.name}-copy"), followLinks = false)
        measured.copyToRecursively(trials.resolve("0009-tomcat.virtual--blocking--open"), followLinks = false)
        trials.resolve("0011-tomcat--blocking--closed400").writeText("")
        trials.resolve("notes.txt").writeText("mine")

        val facts = folder.read()

        facts.trials.map { it.record.trial } shouldContainExactly listOf(SampleRun.measured, SampleRun.failed)
        facts.damaged.map { it.number } shouldContainExactly listOf(null, 9, 11)
    }

    @Test
    fun `in a run that noted its inputs a round or number out of range and a cell measured twice in a round are damage`() {
        val plan = SampleRun.plan.let {
            it.copy(experiment = it.experiment.copy(repetition = it.experiment.repetition.copy(rounds = 3, maxRounds = 3)))
        }
        val numbered = SampleRun.folder(parent, "numbered", plan).apply { writeInputs(Inputs(files = emptyList())) }
        fun finish(number: Int, round: Int) = SampleRun.failed.copy(number = number, round = round).let {
            numbered.keep(TrialOutcome(SampleRun.failedRecord.copy(trial = it)))
        }
        // Three trials a round: two cells, and the baseline again.
        finish(1, 1)
        finish(2, 1)
        finish(4, 4)
        finish(5, 3)
        finish(6, 2)

        val facts = numbered.read()
        facts.trials.map { it.record.trial.number } shouldContainExactly listOf(1, 6)
        facts.damaged.map { it.number } shouldContainExactly listOf(2, 4, 5)
        facts.damaged.first().reason shouldContain "as trial 1 does"
    }

    @Test
    fun `a damaged trial is set aside, and measured again in its place`() {
        repeat(2) {
            measured.resolve("series.csv").writeText("")
            folder.setAside(damage())
            folder.discardDrafts()
            folder.keep(SampleRun.outcome())

            folder.read().damaged.shouldBeEmpty()
        }
        folder.read().trials.map { it.record.trial } shouldContainExactly listOf(SampleRun.measured, SampleRun.failed)
        trials.resolve(".damaged").listDirectoryEntries().map { it.name }.sorted() shouldContainExactly
            listOf(measured.name, "${measured.name}-2")
        trials.resolve(".damaged/${measured.name}/trial.json").exists() shouldBe true
    }

    @Test
    fun `trials that are no folder stop the reading with advice`() {
        deleteTree(trials)
        listOf<(Path) -> Unit>({ it.writeText("") }, { it.createSymbolicLinkPointingTo(it) }).forEach { make ->
            make(trials)
            shouldThrow<RunFolderException> { folder.read() }.message shouldContain "$trials is no folder"
            trials.deleteExisting()
        }
    }
}
