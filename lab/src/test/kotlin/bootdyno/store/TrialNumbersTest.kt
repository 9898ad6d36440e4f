package bootdyno.store

import bootdyno.model.Phase
import bootdyno.model.Stage
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

class TrialNumbersTest(@param:TempDir private val parent: Path) {
    private val folder = SoundRun.write(parent)
    private val trial = folder.path.resolve("trials").listDirectoryEntries().single()

    private fun reasonWith(name: String, old: String, new: String): String {
        val file = trial.resolve(name)
        val sound = file.readText()
        check(old in sound) { "there is no $old" }
        file.writeText(sound.replaceFirst(old, new))
        return withClue("$old → $new") {
            RunFolder.open(folder.path).read().damaged.single().reason
        }.also { file.writeText(sound) }
    }

    @Test
    fun `a run whose numbers agree is sound`() {
        folder.read().damaged.shouldBeEmpty()
    }

    @Test
    fun `a number that contradicts phases, limits, machine or histogram damages its trial, with both numbers`() {
        listOf(
            "\"windowSeconds\": 30.0" to "\"windowSeconds\": 1e-320" to "load.windowSeconds",
            "\"windowSeconds\": 30.0" to "\"windowSeconds\": 1e16" to "its stage took 30.0 s",
            "\"windowSeconds\": 30.0" to "\"windowSeconds\": 0.001" to "windowSeconds",
            "\"windowSeconds\": 30.0" to "\"windowSeconds\": 29.0" to "its stage took 30.0 s",
            "\"windowSeconds\": 10.0" to "\"windowSeconds\": 1e-320" to "no window is shorter than 0.09",
            "\"windowSeconds\": 10.0" to "\"windowSeconds\": 1e6" to "its stage took 17",
            "\"to\": 40.0" to "\"to\": 10.5" to "its stage",
            "\"to\": 53.0" to "\"to\": 1e9" to "no trial is longer than",
            "\"from\": 41.0" to "\"from\": 1.0" to "begins at 1.0 s, and drain ends at 41.0 s",
            "\"startupSeconds\": 2.5" to "\"startupSeconds\": 2500" to "it was ready after 7.6",
            "\"startupCpuSeconds\": 2.4" to "\"startupCpuSeconds\": 240" to "CPUs had",
            "\"aloneSeconds\": 1.0" to "\"aloneSeconds\": 0.0001" to "the shortest of its single requests took 1.0 s",
            "\"peakRss\": 209715200" to "\"peakRss\": 209715200000" to "its machine's memory is 25769803776",
            "\"cpus\": 1.0" to "\"cpus\": 1000.0" to "its machine's CPUs are 2",
            "\"cpus\": 1.0" to "\"cpus\": 0.001" to "its plan's limit is 0.9",
            "\"memory\": 1073741824" to "\"memory\": 1" to "its plan's limit is",
            "\"cpuList\": \"0-1\"" to "\"cpuList\": \"0-2000000000\"" to "is no list of CPUs",
            "\"cpuSeconds\": 3.0" to "\"cpuSeconds\": 300" to "its CPUs had meanwhile 70",
            "3.0,\n      \"cpus\": 1.0" to "3.0,\n      \"cpus\": 1e-320" to "no load generator has fewer than 0.001",
            "\"waitShare\": 0.001" to "\"waitShare\": 17" to "a window has only 1.5",
            "\"lagP99Ms\": 0.1" to "\"lagP99Ms\": 5" to "its p99.9 is 0.2",
            "\"inFlight\": 400" to "\"inFlight\": 4000" to "its plan sends at once 400",
            "\"due\": 3000" to "\"due\": 30000" to "its requests are 3000",
            "\"unsent\": 0" to "\"unsent\": 7" to "unsent is 7",
            "\"perSecond\": 300.0" to "\"perSecond\": 0.0" to "openPoints[0].perSecond is 0",
            "\"gcShare\": 0.01" to "\"gcShare\": 100" to "gcShare is 100",
            "\"cpuShare\": 0.5" to "\"cpuShare\": 50" to "cpuShare is 50",
            "\"steadyAfter\": null" to "\"steadyAfter\": 600" to "steadyAfter is 600",
        ).forEach { (change, reason) -> reasonWith("trial.json", change.first, change.second) shouldContain reason }
    }

    @Test
    fun `a trial of a shared process, which was warmed up before it, is sound`() {
        val file = trial.resolve("trial.json")
        val shared = "\"shared\": { \"startedBy\": 1, \"settings\": { \"server.tomcat.threads.max\": \"50\" } }"
        val changed = file.readText().replaceFirst("\"steadyAfter\": null", "\"steadyAfter\": 600")
        file.writeText(changed.replaceFirst("\"shared\": null", shared).also { check(shared in it) })
        folder.read().damaged.shouldBeEmpty()
    }

    @Test
    fun `answers that a histogram does not have damage the trial, also of open load`() {
        reasonWith("trial.json", "\"answered\": 12000", "\"answered\": 12001") shouldContain "12000 response times"
        reasonWith("trial.json", "\"answered\": 2990", "\"answered\": 2995") shouldContain
            "open load 1: it has 2990 response times"
        reasonWith("latency.hlog", "Tag=response,10.000,30.000", "Tag=response,10.000,3.000") shouldContain
            "its stage was from 10.0"
    }

    @Test
    fun `a reading that machine, limits or another reading contradict damages the trial`() {
        val file = trial.resolve("series.csv")
        val sound = file.readText()
        val columns = sound.lineSequence().first().split(',')
        fun reasonOf(metric: String, at: Int, value: String): String {
            val lines = sound.lines().toMutableList()
            lines[at] = lines[at].split(',').toMutableList().also { it[columns.indexOf(metric)] = value }.joinToString(",")
            file.writeText(lines.joinToString("\n"))
            return withClue("$metric at $at: $value") { RunFolder.open(folder.path).read().damaged.single().reason }
        }
        reasonOf("cpu_s", 53, "1000") shouldContain "cpu_s is 1000, and since the start it can be 116"
        reasonOf("cpu_s", 53, "50") shouldContain "the growth of cpu_s at 53.0 s is 24"
        reasonOf("rss_bytes", 20, "30000000000000") shouldContain "its machine's memory is 25769803776"
        reasonOf("c2_cpu_s", 53, "1.5") shouldContain "compiler_cpu_s is 1.06"
        reasonOf("throttled_periods", 53, "531") shouldContain "periods is 530"
        reasonOf("heap_used_bytes", 20, "200000000") shouldContain "heap_committed_bytes is 104857600"
        reasonOf("p99_ms", 20, "1000000") shouldContain "p99_ms is 1000000"
        reasonOf("gc_s", 53, "1000000") shouldContain "gc_s is 1000000"
        reasonOf("threads", 20, "1000000000") shouldContain "no process has more than"
        reasonOf("open_files", 20, "1000000000000") shouldContain "no process has more than"
        reasonOf("engine_cpu_s", 53, "1000") shouldContain "the growth of engine_cpu_s"
    }

    @Test
    fun `on a machine without free CPUs, a collection is longer than its slice, and each drive leaves requests`() {
        listOf("\"gcShare\": 0.01" to "\"gcShare\": 11.0", "\"leftBefore\": 0" to "\"leftBefore\": 800").forEach { (old, new) ->
            val file = trial.resolve("trial.json")
            file.writeText(file.readText().replaceFirst(old, new).also { check(new in it) })
            folder.read().damaged.shouldBeEmpty()
        }
    }

    @Test
    fun `a rate that a search tries twice is two loads of a sound trial`() {
        val rate = SoundRun.record.openPoints.single().copy(searched = true)
        val phases = SoundRun.record.phases + Phase(Stage.LATENCY_AT, 53.0, 65.0)
        val record = SoundRun.record.copy(openPoints = listOf(rate, rate), phases = phases)
        val other = SampleRun.folder(parent, "search").apply {
            keep(SoundRun.outcome(record).copy(openLatencies = SoundRun.openLatencies + SoundRun.openLatencies))
        }

        val read = other.read()

        read.damaged.shouldBeEmpty()
        read.trials.single().openLatencies.map { it.response.count } shouldBe listOf(2_990, 2_990)
        other.path.resolve("trials").listDirectoryEntries().single().listDirectoryEntries("capacity*").map {
            it.name
        }.sorted() shouldBe listOf("capacity-at-300-per-s-2.hlog", "capacity-at-300-per-s.hlog")
    }
}
