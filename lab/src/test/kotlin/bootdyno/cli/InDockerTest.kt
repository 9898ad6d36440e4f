package bootdyno.cli

import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.launch.cellOf
import bootdyno.launch.docker.Images
import bootdyno.launch.docker.InEngine
import bootdyno.launch.docker.SharedEngine
import bootdyno.launch.docker.WITH_JAVA
import bootdyno.launch.docker.layeredJar
import bootdyno.launch.docker.removeDockerResource
import bootdyno.launch.place
import bootdyno.measure.RunParts
import bootdyno.measure.inContainers
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.Expectation
import bootdyno.model.Limits
import bootdyno.model.Metric
import bootdyno.model.Origin
import bootdyno.model.RunPlace
import bootdyno.model.Step
import bootdyno.model.Trial
import bootdyno.model.Variant
import bootdyno.model.Workload
import bootdyno.run.COLD
import bootdyno.run.MachineClock
import bootdyno.run.TrialRunner
import bootdyno.run.TrialToRun
import bootdyno.system.availableCpus
import bootdyno.system.formatCpuList
import bootdyno.system.ledger.Ledger
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** With a real engine, which the suite starts itself, and an image of a JVM made from this machine's. */
internal class InDockerTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    private val machine = availableCpus()
    private val run = folder.resolve("run").createDirectories()
    private val own by lazy { layeredJar(folder, "own.jar") }

    private fun cell(limits: Limits = ONE_CPU, variant: Variant = Variant("v", "stand-in"), jar: Path = shared): Cell =
        cellOf(Origin.Jar("$jar"), limits, variant)

    /** Of the image that is built once for all tests. */
    private fun inContainer(cell: Cell, action: (RunningSubject) -> Unit) = started(cell, images.made(cell)).use {
        it.awaitReady("/", 60.seconds)
        action(it)
    }

    @Test
    fun `its limits are those of the kernel, its user is not root, and it gets flags, settings and environment`() {
        assumeTrue(machine.size >= 2) { "one CPU: nothing to pin to" }
        val environment = mapOf("SPRING_APPLICATION_JSON" to "{\"a\": \"b c\"}", "DOCKER_HOST" to "of-the-subject")
        val variant =
            Variant("v", "stand-in", jvm = listOf("-Xss512k"), settings = mapOf("a.b" to "c"), environment = environment)
        inContainer(cell(variant = variant)) {
            it.limits.mechanism shouldContain "docker, cgroup v"
            it.limits.cpus shouldBe 1.0
            it.limits.cpuBy shouldBe CpuBy.PINNING
            it.limits.cpuList shouldBe "${machine.last()}"
            it.limits.memory shouldBe Bytes(512 * Bytes.MIB)
            it.limits.notes.shouldBeEmpty()
            it.container.shouldNotBeNull().user shouldBe 10001L
            // A quarter of 512 MiB, less one survivor space of the serial collector, on 1 CPU.
            it.verify(Workload("memory", listOf(Step("memory", path = "/memory", expect = Expectation(200, "129761280 1")))))
            val given = Expectation(200, "${it.base.port} {\"a\": \"b c\"} null")
            it.verify(Workload("settings", listOf(Step("settings", path = "/settings", expect = given))))
            it.commandLine.take(1) + it.commandLine.filter { word ->
                word in listOf("-Xss512k", "-Da.b=c", "/app/app.jar")
            } shouldBe listOf("java", "-Xss512k", "-Da.b=c", "/app/app.jar")
            it.startupAsLogged() shouldBe 0.125
            it.peakMemory().shouldNotBeNull().count shouldBeGreaterThan 0
            it.liftCpuLimit(machine) shouldBe false
            it.restoreCpuLimit() shouldBe true
        }
    }

    @Test
    fun `a quota is lifted for the warm-up and restored`() {
        assumeTrue(machine.size >= 2) { "one CPU: a quota would be the machine" }
        val limits = Limits(0.75, null, CpuBy.QUOTA)
        inContainer(cell(limits)) {
            it.limits.cpus shouldBe 0.75
            it.limits.cpuBy shouldBe CpuBy.QUOTA
            it.limits.cpuList shouldBe formatCpuList(place(limits, machine).subject)
            it.liftCpuLimit(machine) shouldBe true
            (it.limits.cpus ?: machine.size.toDouble()) shouldBeGreaterThan 0.75
            it.restoreCpuLimit() shouldBe true
            it.limits.cpus shouldBe 0.75
        }
    }

    @Test
    fun `a subject killed for memory in its container says so`() {
        val jvm = listOf("-Xmx24m", "-XX:MaxDirectMemorySize=1g", "-XX:TieredStopAtLevel=1")
        inContainer(cell(Limits(null, Bytes(96 * Bytes.MIB), CpuBy.QUOTA), Variant("v", "stand-in", jvm = jvm))) {
            it.limits.memory shouldBe Bytes(96 * Bytes.MIB)
            runCatching { it.verify(Workload("eat", listOf(Step("eat", path = "/eat")))) }
            waitUntil(60.seconds) { it.deathReport() != null } shouldBe true
            it.deathReport() shouldBe "The subject was killed for memory: it needed more than the 96 MiB it was allowed. " +
                "Try --set 'limits.memory=192 MiB'."
        }
    }

    @Test
    fun `one that ends by itself says how, and all it printed is kept`() {
        val broken = cell(variant = Variant("v", "stand-in", jvm = listOf("-XX:NoSuchFlag")))
        started(broken, images.made(broken)).use {
            val failed = shouldThrow<LaunchFailed> { it.awaitReady("/", 60.seconds) }
            failed.reason shouldContain "The subject ended with exit code 1."
            failed.lastLines.joinToString() shouldContain "NoSuchFlag"
        }
    }

    @Test
    fun `what a killed Boot Dyno left in the engine, the next one removes`() {
        val lost = folder.resolve("lost")
        val owner = Ledger(lost)
        val left = newImages(of = owner)
        val cell = cell(jar = own)
        val subject = started(cell, left.made(cell), owner)
        subject.awaitReady("/", 60.seconds)
        // As if another process had written it, one that is dead.
        val written = lost.listDirectoryEntries("*.ledger").single().readText()
        val dead = ProcessBuilder("true").start().also { it.waitFor() }.pid()
        val found = folder.resolve("found").createDirectories()
        found.resolve("$dead.ledger").writeText(written.replaceFirst(Regex("owner \\d+ \\S+"), "owner $dead ticks:1"))
        val said = Ledger(found) { removeDockerResource(it, engine.cli) }.cleanUpAfterTheDead()
        said.filter { "Removed the container dyno-" in it } shouldHaveSize 1
        said.filter { "Removed the image boot-dyno/own:" in it } shouldHaveSize 1
        waitUntil(5.seconds) { startMark(subject.pid.shouldNotBeNull()) == null } shouldBe true
        engine.containers().shouldBeEmpty()
        found.listDirectoryEntries().shouldBeEmpty()
        subject.close()
    }

    @Test
    fun `a trial runs to its end, its CPU and its memory read of the container's process`() {
        val cell = cell(jar = own).let { it.copy(profile = it.profile.copy(window = 2.seconds)) }
        val placement = place(cell.limits, machine)
        val subjects = inContainers(engine.cli, RunPlace.Docker(WITH_JAVA), placement, ledger, run) {}
        RunParts(subjects, placement, ledger, folder).use { parts ->
            val runner = TrialRunner(parts, MachineClock, COLD) {}
            val outcome = runner.run(TrialToRun(Trial(1, 1, cell.id), cell, folder.resolve("subject.log")))
            outcome.record.ending shouldBe Ending.Measured
            val subject = outcome.record.subject.shouldNotBeNull()
            subject.container.shouldNotBeNull().user shouldBe 10001L
            subject.startupSeconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            subject.startupCpuSeconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            subject.peakRss.shouldNotBeNull().count shouldBeGreaterThan 10 * Bytes.MIB
            // Asked of the JVM itself, through the container's own file system.
            subject.jvm shouldContainKey "gc"
            val last = outcome.series.rows.last().values
            last.getValue(Metric.CPU) shouldBeGreaterThan 0.0
            last.getValue(Metric.RSS) shouldBeGreaterThan 0.0
            last.getValue(Metric.CGROUP_MEMORY) shouldBeGreaterThan 0.0
            // A busy JVM leaves single readings out.
            outcome.series.rows.mapNotNull { it.values[Metric.HEAP_USED] }.last() shouldBeGreaterThan 0.0
            outcome.record.load.shouldNotBeNull().answered shouldBeGreaterThan 0
            outcome.record.prepared.shouldNotBeNull().image.shouldNotBeNull().base shouldBe WITH_JAVA
        }
    }

    private companion object {
        val ONE_CPU = Limits(1.0, Bytes(512 * Bytes.MIB), CpuBy.PINNING)
        lateinit var images: Images
        lateinit var shared: Path

        @JvmStatic
        @BeforeAll
        fun start(@TempDir folder: Path) {
            shared = layeredJar(folder, "shared.jar")
            val ledger = Ledger(folder.resolve("ledgers"))
            val cli = SharedEngine.engine.cli
            images = Images(cli, RunPlace.Docker(WITH_JAVA), folder.resolve("prepared"), folder.resolve("images"), ledger)
        }

        @JvmStatic
        @AfterAll
        fun stop() {
            if (::images.isInitialized) images.close()
        }
    }
}
