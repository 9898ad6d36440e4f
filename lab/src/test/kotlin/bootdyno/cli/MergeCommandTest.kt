package bootdyno.cli

import bootdyno.measure.ExitCode
import bootdyno.measure.OpenedRun
import bootdyno.measure.RunToMeasure
import bootdyno.model.Environment
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.schedule.trialsOfRound
import bootdyno.store.RoundsToMerge
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.store.SampleRun
import bootdyno.store.onSmallDisk
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.moveTo
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

class MergeCommandTest(@param:TempDir private val scratch: Path) {
    private val jar = scratch.resolve("app.jar").apply { writeText("a build") }
    private val plan = threeRounds(jar)
    private val merged = scratch.resolve("merged")

    private fun told(vararg words: Any): CliktCommandTestResult = dyno(Home(scratch)).test(words.map { "$it" })

    private fun machine(id: String, vararg rounds: Int): Environment =
        SampleRun.environment.copy(bootId = id, cpuModel = "CPU of $id", rounds = rounds.toList())

    private fun part(machine: String, round: Int, plan: Plan = this.plan, environment: (Environment) -> Environment = { it }) =
        measuredRounds(scratch, plan, environment(machine(machine, round)), listOf(round)).path

    private fun merge(vararg runs: Path) = told("merge", *runs, "--out", merged)

    private fun refused(vararg runs: Path): String {
        val said = merge(*runs)
        said.statusCode shouldBe ExitCode.INPUT
        merged.exists() shouldBe false
        return said.stderr
    }

    private fun json(run: Path) = told("report", run, "--format", "json").also { it.statusCode shouldBe ExitCode.FINE }.stdout

    @Test
    fun `rounds measured apart on one machine give byte for byte the report of one run`() {
        val whole = measuredRounds(scratch, plan, machine("one"), listOf(1, 2, 3)).path
        val parts = listOf(2, 3, 1).map { part("one", it) }
        val before = parts.map(::contents)

        merge(*parts.toTypedArray()).statusCode shouldBe ExitCode.FINE

        json(merged) shouldBe json(whole)
        contents(merged).filterKeys { it.startsWith("trials") } shouldBe contents(whole).filterKeys { it.startsWith("trials") }
        parts.map(::contents) shouldBe before
        merged.listDirectoryEntries().map { it.name }.filter { it.startsWith("environment") } shouldBe listOf("environment.json")
    }

    @Test
    fun `each machine keeps its environment, and the report has the figures of each`() {
        val said = merge(part("two", 2), part("one", 1), part("two", 3))
        said.statusCode shouldBe ExitCode.FINE
        said.stderr shouldContain "Merged 6 trials of 2 machines into $merged."
        val facts = RunFolder.open(merged).read()
        facts.machines.map { it.bootId to it.rounds } shouldBe listOf("one" to listOf(1), "two" to listOf(2, 3))
        facts.missingRounds.shouldBeEmpty()
        val report = told("report", merged, "--format", "md").stdout
        report shouldContain "Machine 2"
        report shouldContain "CPU of two"
        report shouldContain "2 machines with different CPUs measured (CPU of one and CPU of two): absolute figures are means"
        report shouldContain "without an interval because the CPUs of the machines differ"
        json(merged) shouldContain "\"bootId\": \"two\""
        told("resume", merged).statusCode shouldBe ExitCode.FINE
    }

    @Test
    fun `a file that is a link is merged as its file`() {
        val linked = part("one", 1)
        val histogram = linked.resolve("trials").listDirectoryEntries().first().resolve("latency.hlog")
        val elsewhere = scratch.resolve("latency.hlog")
        histogram.moveTo(elsewhere)
        histogram.createSymbolicLinkPointingTo(elsewhere)

        merge(linked, part("two", 2)).stderr shouldContain "Merged 4 trials"

        RunFolder.open(merged).read().damaged.shouldBeEmpty()
    }

    @Test
    fun `merged runs can be merged with further rounds`() {
        merge(part("one", 1), part("two", 2))
        val all = scratch.resolve("all")
        told("merge", merged, part("three", 3), "--out", all).statusCode shouldBe ExitCode.FINE
        RunFolder.open(all).read().machines.map { it.rounds } shouldBe listOf(listOf(1), listOf(2), listOf(3))
    }

    @Test
    fun `missing and incomplete rounds are named with the command that measures them`() {
        val incomplete = part("two", 3).also { run ->
            run.resolve("trials").listDirectoryEntries().first().toFile().deleteRecursively()
        }
        val said = merge(part("one", 1), incomplete)
        said.stderr shouldContain "Round 2 is missing. Measure it: ./dyno run $merged/experiment.yaml --round 2/3"
        said.stderr shouldContain "Round 3 is incomplete."
        val resumed = told("resume", merged)
        resumed.statusCode shouldBe ExitCode.INPUT
        resumed.stderr shouldContain "--round 2/3"
    }

    @Test
    fun `another seed, jar, JDK or version is refused, with the folder that differs`() {
        val first = part("one", 1)
        fun refusal(other: Path) = refused(first, other).also { it shouldContain "$other: " }
        refusal(part("two", 2, threeRounds(jar, seed = 43))) shouldContain "experiment.repetition.seed of the plan is 43, not 42"
        refusal(part("two", 2) { it.copy(jdk = "26") }) shouldContain "the JDK is 26, not 25.0.3"
        refusal(part("two", 2) { it.copy(bootDyno = "9.9") }) shouldContain "Boot Dyno is 9.9, not 0.1.0"
        jar.writeText("another build")
        refusal(part("two", 2)) shouldContain "the file of subject servlet has another content"
    }

    @Test
    fun `another image of the same name is refused by its hash`() {
        val image = plan.run {
            of(experiment.copy(subjects = experiment.subjects.map { it.copy(origin = Origin.Image("shop/orders:1.4")) }))
        }
        fun part(round: Int, hash: String) = measuredRounds(scratch, image, machine("m$round", round), listOf(round), hash).path
        refused(part(1, "aa11"), part(2, "bb22")) shouldContain "subject servlet ran as bb22, not aa11"
        merge(part(1, "aa11"), part(2, "aa11")).statusCode shouldBe ExitCode.FINE
    }

    @Test
    fun `the same jar may be in another place`() {
        val copy = scratch.resolve("elsewhere").createDirectory().resolve("app.jar").apply { writeText("a build") }
        merge(part("one", 1), part("two", 2, threeRounds(copy)), part("three", 3)).statusCode shouldBe ExitCode.FINE
    }

    @Test
    fun `a round that two runs have is refused, and so are edited, empty and old runs`() {
        val first = part("one", 1)
        val again = part("two", 1)
        refused(first, again) shouldContain "round 1 is in $first and $again"
        refused(first, first) shouldContain "round 1 is in $first and $first"
        val empty = measuredRounds(scratch, plan, machine("two", 2), emptyList()).path
        refused(first, empty) shouldContain "$empty has no finished trial"
        val old = part("two", 2).apply { resolve("inputs.json").deleteExisting() }
        refused(first, old) shouldContain "$old is of an older Boot Dyno"
        val edited = part("two", 2).apply { resolve("plan.json").run { writeText(readText().replace("PT30S", "PT3S")) } }
        refused(first, edited) shouldContain "$edited: plan.json (plan): it has changed"
    }

    @Test
    fun `one run, no run folder, and a target that exists are refused`() {
        val first = part("one", 1)
        refused(first) shouldContain "Name the folders of two or more runs"
        refused(first, scratch.resolve("none")) shouldContain "is no run folder"
        val taken = scratch.resolve("taken").createDirectory()
        told("merge", first, part("two", 2), "--out", taken).stderr shouldContain "$taken exists already."
        taken.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `a damaged trial is merged and reported as such`() {
        val damaged = part("two", 2).also { run ->
            run.resolve("trials").listDirectoryEntries().first().resolve("series.csv").deleteExisting()
        }
        val said = merge(part("one", 1), damaged, part("three", 3))
        said.statusCode shouldBe ExitCode.TRIAL_FAILED
        said.stderr shouldContain "series.csv: the file is missing"
    }

    private fun twoParts() = listOf(1, 2).map { RunFolder.open(part("machine $it", it)) }

    @Test
    fun `an interrupted merge leaves nothing`() {
        val rounds = RoundsToMerge(twoParts())
        val before = scratch.listDirectoryEntries().toSet()
        Thread.currentThread().interrupt()
        shouldThrow<InterruptedException> { rounds.mergeInto(merged) }
        scratch.listDirectoryEntries().toSet() shouldBe before
    }

    @Test
    fun `a full disk leaves nothing`() {
        onSmallDisk(scratch, kibibytes = 32) { disk ->
            shouldThrow<RunFolderException> { RoundsToMerge(twoParts()).mergeInto(disk.resolve("merged")) }
                .message.orEmpty() shouldContain "No space left on device"
            disk.listDirectoryEntries().shouldBeEmpty()
        }
    }

    @Test
    fun `a part of a plan says so, and resume measures nothing of other rounds`() {
        val part = part("one", 2)
        told("report", part).run {
            statusCode shouldBe ExitCode.FINE
            stdout shouldContain "round 2 of 3"
            stdout shouldContain "./dyno merge"
        }
        val facts = RunFolder.open(part).read()
        val trials = facts.trials.map { it.record.trial }
        trials shouldBe trialsOfRound(plan, 2, plan.numbersOf(2).first)
        RunToMeasure { OpenedRun(RunFolder.open(part), facts.trials, fresh = false) }.run {
            open()
            mayMeasure(plan) shouldBe false
        }
    }

    @Test
    fun `a round that cannot be, and flags of a whole run, are refused`() {
        told("run", "quick", "--round", "7/6").stderr shouldContain "there is no round 7 of 6"
        told("run", "quick", "--round", "0/6").stderr shouldContain "there is no round 0 of 6"
        told("run", "quick", "--round", "1/101").stderr shouldContain "there are 1 to 100 rounds"
        told("run", "quick", "--round", "three").stderr shouldContain "write 3/6 for round 3 of 6"
        told("run", "quick", "--round", "3/6", "--rounds", "5").stderr shouldContain "--rounds 5 contradicts --round 3/6"
        told("run", "quick", "--round", "3/6", "--confirm").stderr shouldContain "--confirm needs all rounds"
    }
}
