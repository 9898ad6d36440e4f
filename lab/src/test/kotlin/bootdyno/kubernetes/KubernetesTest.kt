package bootdyno.kubernetes

import bootdyno.endtoend.InWorld
import bootdyno.faults.DynoProcess
import bootdyno.faults.SmallExperiment
import bootdyno.faults.await
import bootdyno.faults.subjectJar
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.math.exp
import kotlin.math.ln

/** The packaged program on a real Kubernetes with two nodes; the pods are real, and the figures mean nothing. */
@Tag("kubernetes")
internal class KubernetesTest : InWorld("kubernetes") {
    private fun experiment(): Path {
        val jar = subjectJar(world.root)
        val jvm = listOf("-Ddiary=/tmp/good", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC").joinToString { "\"$it\"" }
        val variant = "  good: { subject: { jar: \"$jar\", ready: /ready }, jvm: [ $jvm ] }"
        val text = SmallExperiment(
            listOf("good"),
        ).text(world).replaceFirst(Regex("(?m)^  good: .*$"), Regex.escapeReplacement(variant))
        return world.file("pods.yaml", text)
    }

    private fun run(rounds: Int, nodes: Int, vararg more: String): DynoProcess = world.run(
        experiment(),
        *listOf("--on", "kubernetes", "--rounds", "$rounds", "--nodes", "$nodes").toTypedArray(),
        *listOf("--pod-image", TestCluster.IMAGE, "--pod-template", "${cluster.template}", *more).toTypedArray(),
        shell = cluster.shell,
    )

    private fun resume(): DynoProcess = world.start("resume", "${folder("-rounds")}", shell = cluster.shell)

    /** The only folder of runs whose name ends in [suffix]. */
    private fun folder(suffix: String): Path = world.runs.listDirectoryEntries().single { it.name.endsWith(suffix) }

    private fun DynoProcess.awaits(text: String) = await("$text\n${output()}") {
        check(isAlive) { "it has ended before it said: $text\n${output()}" }
        Regex(text).containsMatchIn(said())
    }

    /** Files of trials below [run] by name, with their bytes. */
    private fun trials(run: Path): Map<String, List<Byte>> =
        run.resolve("trials").listDirectoryEntries().associate { it.name to it.resolve("trial.json").readBytes().toList() }

    /** The trials below [run] that count: of one that was repeated, since others disturbed it, the repetition. */
    private fun counted(run: Path): Collection<Path> =
        run.resolve("trials").listDirectoryEntries().sorted().associateBy { it.name.removeSuffix("--attempt2") }.values

    private fun rounds(): List<Path> = folder("-rounds").listDirectoryEntries("round-*").sorted()

    @AfterEach
    fun `no Job and no pod is left`() {
        cluster.awaitNoJobs()
    }

    @Test
    fun `three rounds over two nodes become one run, although a pod is deleted`() {
        val dyno = run(rounds = 3, nodes = 2)
        dyno.awaits("round 1/3 on \\S+ begins")
        val pod = cluster.names("pods").first { "-0-" in it }
        cluster.kubectl("delete", "--wait=false", pod)
        dyno.exits(
            0,
        ).says("round 1/3 on \\S+: its pod was deleted. Kubernetes repeats the round").says("This pod has no CPUs of its own")

        rounds().map { it.name.substringAfter("-on-") }.toSet() shouldBe setOf("127.0.0.1", "127.0.0.2")
        val merged = folder("-pods")
        trials(merged) shouldBe rounds().map(::trials).reduce { all, more -> all + more }
        counted(merged).size shouldBe 3
        val own = counted(merged).map { trial ->
            val load = Json.parseToJsonElement(trial.resolve("trial.json").readText()).jsonObject.getValue("load").jsonObject
            load.getValue("answered").jsonPrimitive.double / load.getValue("windowSeconds").jsonPrimitive.double
        }
        val geometricMean = exp(own.map(::ln).average())
        val report = Json.parseToJsonElement(merged.resolve("report.json").readText()).jsonObject
        val reported = report.getValue("cells").jsonArray.single().jsonObject.getValue("throughput").jsonObject
        reported.getValue("n").jsonPrimitive.content shouldBe "3"
        reported.getValue("value").jsonPrimitive.double shouldBe (geometricMean plusOrMinus geometricMean / 1000)
        merged.resolve("environment.json").readText() shouldContain "had no CPUs of its own"
    }

    @Test
    fun `after Ctrl-C nothing runs, after a kill the Job goes on, and resume measures the missing rounds only`() {
        val dyno = run(rounds = 2, nodes = 1)
        dyno.awaits("round 1/2 on \\S+ is measured")
        dyno.signal("INT", everybody = true)
        dyno.exits(130).says("of 2 rounds are kept; go on with: ./dyno resume")
        cluster.names("jobs").shouldBeEmpty()
        val first = rounds().first().let { it.name to trials(it) }

        val killed = resume()
        killed.awaits("begins")
        killed.signal("KILL")
        killed.exits(137)
        val job = cluster.names("jobs").single()

        resume().exits(0).says("Going on with the Job ${job.substringAfter('/')}")
        rounds().first().let { it.name to trials(it) } shouldBe first
        counted(folder("-pods")).size shouldBe 2
    }

    @Test
    fun `a round on a node whose kubelet dies is measured on another node`() {
        val dyno = run(rounds = 2, nodes = 2)
        dyno.awaits("round \\d/2 on 127.0.0.2 begins")
        cluster.killKubelet(2)
        try {
            dyno.exits(0).says("on 127.0.0.2: its pod was deleted. Kubernetes repeats the round")
            rounds().map { it.name } shouldContainExactlyInAnyOrder listOf("round-1-on-127.0.0.1", "round-2-on-127.0.0.1")
        } finally {
            cluster.startKubelet(2)
        }
    }

    @Test
    fun `of two runs at once, the second waits for a node`() {
        val first = run(rounds = 4, nodes = 2, "--pod-cpus", "1")
        first.awaits("begins[\\s\\S]*begins")
        val second = run(rounds = 1, nodes = 1, "--pod-cpus", "1")
        second.awaits("round 1/1 waits for a node: .*anti-affinity")
        first.exits(0)
        second.exits(0)
        world.runs.listDirectoryEntries().count { it.name.contains("-pods") && !it.name.endsWith("-rounds") } shouldBe 2
    }

    @Test
    fun `the API server accepts the manifests of the dry run, and a wrong image is reported`() {
        val manifest = world.file("job.yaml", run(rounds = 4, nodes = 2, "--dry-run").exits(0).answer())
        cluster.kubectl("apply", "--dry-run=server", "--validate=strict", "-f", "$manifest") shouldContain
            "created (server dry run)"
        val dyno = run(rounds = 1, nodes = 1, "--pod-image", "localhost/none:1")
        dyno.exits(2).says("The image localhost/none:1 cannot be had")
        world.runs.listDirectoryEntries().map { it.name } shouldContainExactly emptyList()
    }

    companion object {
        private lateinit var cluster: TestCluster

        @JvmStatic
        @BeforeAll
        fun start() {
            val whyNot = TestCluster.whyNot()
            if (whyNot != null) println("KubernetesTest is skipped: $whyNot")
            assumeTrue(whyNot == null, whyNot)
            cluster = TestCluster.start()
        }

        @JvmStatic
        @AfterAll
        fun stop() {
            if (::cluster.isInitialized) cluster.close()
        }
    }
}
