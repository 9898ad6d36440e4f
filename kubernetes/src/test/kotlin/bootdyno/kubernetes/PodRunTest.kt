package bootdyno.kubernetes

import bootdyno.cli.Home
import bootdyno.cli.dyno
import bootdyno.cli.measuredRounds
import bootdyno.cli.threeRounds
import bootdyno.cluster.Cluster
import bootdyno.cluster.ClusterRun
import bootdyno.cluster.ClusterTrouble
import bootdyno.cluster.CollectedRounds
import bootdyno.cluster.FakeCluster
import bootdyno.cluster.InFakePod
import bootdyno.cluster.JobOrder
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.model.Plan
import bootdyno.store.RunFolder
import bootdyno.store.SampleRun
import bootdyno.store.onSmallDisk
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.testing.test
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds

class PodRunTest(@param:TempDir private val scratch: Path) {
    private val jar = scratch.resolve("app.jar").apply { writeText("a build") }
    private val plan = threeRounds(jar)
    private val said = mutableListOf<String>()
    private val collected = CollectedRounds.create(scratch.resolve("runs"), "shop", LocalDateTime.of(2026, 11, 23, 10, 15))
    private val run = ClusterRun(
        order = JobOrder("job", listOf(1, 2, 3), 3, 2, "image", 2, "1Gi", "shop.yaml", deadlineSeconds = 60),
        context = null,
        namespace = null,
        files = emptyMap(),
        hidden = emptyList(),
    )

    /** [round] as a pod measures it on [machine]. */
    private fun measured(round: Int, machine: String = "one", plan: Plan = this.plan): Path {
        val environment = SampleRun.environment.copy(bootId = machine, rounds = listOf(round))
        return measuredRounds(scratch.resolve("pods/$round").createDirectories(), plan, environment, listOf(round)).path
    }

    private fun merged(cluster: Cluster, collected: CollectedRounds = this.collected, say: (String) -> Unit = {}): RunFolder {
        collected.write(run)
        collected.writeExperiment("the experiment")
        val remember = { line: String ->
            synchronized(said) { said += line }
            say(line)
        }
        return PodRun(cluster, collected, run, remember, PAUSE).merged("the experiment", exists = false)
    }

    private fun json(run: Path) = dyno(Home(scratch)).test(listOf("report", "$run", "--format", "json")).stdout

    @Test
    fun `rounds of pods give byte for byte the report of one run, and the Job is deleted`() {
        val environment = SampleRun.environment.copy(bootId = "one")
        val whole = measuredRounds(scratch.resolve("whole").createDirectories(), plan, environment, listOf(1, 2, 3)).path
        val cluster =
            FakeCluster { round, _ ->
                InFakePod(measured(round), lines = listOf("[  1/2] a round $round", "[  2/2] b round $round"))
            }

        val path = merged(cluster).path

        json(path) shouldBe json(whole)
        path.name shouldBe "2026-11-23T101500-shop"
        cluster.deleted shouldContainExactly listOf("job")
        said shouldContain "round 2/3 on node-1: 2 of 2 trials"
        said shouldContain "round 2/3 on node-1 is measured"
        said shouldContain "round 2/3 waits for a node: 2 nodes did not match pod anti-affinity rules"
        collected.runs().map { it.value.name } shouldContainExactly
            listOf("round-1-on-node-0", "round-2-on-node-1", "round-3-on-node-2")
    }

    @Test
    fun `a deleted pod and an incomplete round are measured again, and nothing measured is thrown away`() {
        val cluster = FakeCluster { round, attempt ->
            val whole = measured(round)
            when {
                round == 1 && attempt == 1 -> InFakePod(whole, dies = true)

                round == 2 && attempt == 1 -> {
                    whole.resolve("trials").listDirectoryEntries().first().toFile().deleteRecursively()
                    InFakePod(whole, exitCode = 1)
                }

                else -> InFakePod(whole)
            }
        }

        val facts = merged(cluster).read()

        facts.missingRounds.shouldBeEmpty()
        said shouldContain "round 1/3 on node-0: its pod was deleted. Kubernetes repeats the round."
        said shouldContain "round 2/3 on node-1 is measured again: 1 of 2 trials are missing (exit code 1)"
        collected.path.resolve(".incomplete").listDirectoryEntries().map { it.name } shouldContainExactly
            listOf("round-2-on-node-1")
    }

    @Test
    fun `input that a pod refuses ends the run with its message, and leaves nothing`() {
        val cluster =
            FakeCluster { _, _ -> InFakePod(run = null, exitCode = 2, lines = listOf("There is no JDK 21.", "Install it.")) }
        shouldThrow<InputProblem> { merged(cluster) }.message shouldBe "There is no JDK 21.\nInstall it."
        cluster.deleted shouldContainExactly listOf("job")
        collected.path.exists() shouldBe false
    }

    @Test
    fun `a Job that fails keeps its rounds, and resume measures the missing ones only`() {
        val cluster = FakeCluster { round, attempt -> InFakePod(measured(round), dies = round == 3 && attempt < 99) }
        cluster.atLook = { if (collected.runs().size == 2) cluster.failure = "FailedIndexes: Job has failed indexes" }
        shouldThrow<ProgramResult> { merged(cluster) }.statusCode shouldBe ExitCode.TRIAL_FAILED
        said.last() shouldContain "has ended before all rounds were measured: FailedIndexes: Job has failed indexes."
        said.last() shouldContain "2 of 3 rounds are kept; go on with: ./dyno resume ${collected.path}"

        val later = FakeCluster { round, _ -> InFakePod(measured(round)) }
        val whole = resumeOnKubernetes(collected.path, said::add, PAUSE) { later }

        later.orders.single().rounds shouldContainExactly listOf(3)
        whole.read().missingRounds.shouldBeEmpty()
        resumeOnKubernetes(collected.path, said::add) { error("nothing is missing") }.path shouldBe whole.path
    }

    @Test
    fun `after a kill, resume goes on with the Job that still runs`() {
        val cluster = FakeCluster { round, _ -> InFakePod(measured(round)) }
        collected.write(run)
        collected.writeExperiment("the experiment")
        cluster.create(run.order)
        resumeOnKubernetes(collected.path, said::add, PAUSE) { cluster }.read().missingRounds.shouldBeEmpty()
        cluster.orders shouldContainExactly listOf(run.order)
    }

    @Test
    fun `Ctrl-C collects what has ended, deletes the Job and names the command that goes on`() {
        val cluster = FakeCluster { round, _ ->
            InFakePod(measured(round), exitCode = if (round == 1) 0 else 1, dies = round == 3)
        }
        val worker = Thread.currentThread()
        var isInterrupted = false
        cluster.atLook = {
            if (collected.runs().isNotEmpty() && !isInterrupted) worker.interrupt().also { isInterrupted = true }
        }
        shouldThrow<ProgramResult> { merged(cluster) }.statusCode shouldBe 130
        cluster.deleted shouldContainExactly listOf("job")
        said.last() shouldContain "Interrupted. "
        said.last() shouldContain "rounds are kept; go on with: ./dyno resume ${collected.path}"
    }

    @Test
    fun `another jar on one node is refused with the name of the node`() {
        val cluster = FakeCluster { round, _ ->
            if (round == 3) jar.writeText("another build")
            InFakePod(measured(round, machine = "m$round"))
        }
        shouldThrow<InputProblem> { merged(cluster) }.message.orEmpty() shouldContain
            "round-3-on-node-2: the file of subject servlet"
        collected.merged.exists() shouldBe false
        collected.runs().size shouldBe 3
    }

    @Test
    fun `an API server that does not answer is asked again, and one that refuses ends the run`() {
        val cluster = FakeCluster { round, _ -> InFakePod(measured(round)) }
        var looks = 0
        cluster.atLook = { if (looks++ == 2) cluster.fails(ClusterTrouble("Kubernetes does not answer.", refused = false)) }
        merged(cluster)
        said shouldContain "Kubernetes does not answer. Trying again."
    }

    @Test
    fun `a full disk leaves rounds in their pods until there is space`() {
        onSmallDisk(scratch, kibibytes = 4096) { disk ->
            val filler = disk.resolve("filler").apply { writeBytes(ByteArray((4 shl 20) - (64 shl 10))) }
            val small = CollectedRounds.create(disk, "shop", LocalDateTime.of(2026, 11, 23, 10, 15))
            val cluster = FakeCluster { round, _ -> InFakePod(measured(round)) }
            val all = merged(cluster, small) { line -> if ("cannot be saved" in line) filler.deleteIfExists() }
            said.filter { "No space left on device" in it }.shouldNotBeEmpty()
            all.read().missingRounds.shouldBeEmpty()
        }
    }

    @Test
    fun `a second process that collects the same rounds is refused`() {
        collected.write(run)
        val refusal = collected.alone {
            shouldThrow<InputProblem> { resumeOnKubernetes(collected.path, said::add) { error("not asked") } }
        }
        refusal?.message.orEmpty() shouldContain "Another process collects the rounds"
    }

    private companion object {
        val PAUSE = 1.milliseconds
    }
}
