package bootdyno.cli

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.cellOf
import bootdyno.launch.docker.ContainerLauncher
import bootdyno.launch.docker.Images
import bootdyno.launch.docker.InEngine
import bootdyno.launch.docker.SharedEngine
import bootdyno.launch.docker.WITHOUT_JAVA
import bootdyno.launch.docker.WITH_JAVA
import bootdyno.launch.docker.removeDockerResource
import bootdyno.launch.docker.whyNoDocker
import bootdyno.launch.place
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.standInJar
import bootdyno.measure.EngineLogs
import bootdyno.measure.RunParts
import bootdyno.measure.docker
import bootdyno.measure.inContainers
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.Expectation
import bootdyno.model.Limits
import bootdyno.model.Metric
import bootdyno.model.Origin
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.model.Stage
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
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** With a real engine, which the suite starts itself, and an image of a JVM made from this machine's. */
internal class InDockerTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    private val machine = availableCpus()
    private val run = folder.resolve("run").createDirectories()
    private val own by lazy { layered(folder, "own.jar") }

    private fun cell(limits: Limits = ONE_CPU, variant: Variant = Variant("v", "stand-in"), jar: Path = shared): Cell =
        cellOf(Origin.Jar("$jar"), limits, variant)

    private fun newImages(base: String = WITH_JAVA, of: Ledger = ledger) =
        Images(engine.cli, RunPlace.Docker(base), folder.resolve("prepared"), folder.resolve("images"), of)

    private fun Images.made(cell: Cell): Prepared {
        val work = of(cell).shouldBeInstanceOf<Preparation.Work>()
        work.make(folder.resolve("preparation.log"))
        return work.prepared()
    }

    private fun started(cell: Cell, prepared: Prepared): RunningSubject =
        ContainerLauncher(engine.cli, place(cell.limits, machine), ledger, "a-run")
            .start(cell, folder.resolve("subject.log"), prepared)

    /** Of the image that is built once for all tests. */
    private fun inContainer(cell: Cell, action: (RunningSubject) -> Unit) = started(cell, images.made(cell)).use {
        it.awaitReady("/", 60.seconds)
        action(it)
    }

    @Test
    fun `an image is built of the layers that hold something, for a user that is not root, and what it took is told`() {
        val images = newImages()
        val prepared = images.made(cell(jar = own))
        val image = prepared.program.shouldBeInstanceOf<Program.Image>()
        image.feature shouldBe Runtime.version().feature()
        val found = prepared.found.shouldNotBeNull()
        found.steps.map { it.name } shouldContainExactly listOf("extract", "docker build")
        found.sizes.getValue(Artifact.IMAGE).count shouldBeGreaterThan found.sizes.getValue(Artifact.JAR).count
        val built = found.image.shouldNotBeNull()
        built.layers shouldContainExactly listOf("dependencies", "application")
        folder.resolve("images").resolve(built.dockerfile).readText().lines().filter {
            it.startsWith("COPY")
        } shouldContainExactly
            listOf("COPY --chown=10001:10001 dependencies/ ./", "COPY --chown=10001:10001 application/ ./")
        engine.cli.ask("image", "inspect", "--format", "{{.Config.User}}", image.reference).output shouldBe "10001:10001"
        engine.images() shouldContain image.reference
        // The other form needs no other image.
        val again = images.made(cell(variant = Variant("w", "stand-in", runtime = RuntimeForm.EXTRACTED), jar = own))
        again.found.shouldNotBeNull().startedAt shouldBe found.startedAt
        images.close()
    }

    @Test
    fun `a jar without layers is one layer`() {
        val plain = standInJar(folder, name = "plain.jar")
        newImages().use { images ->
            val found = images.made(cellOf(Origin.Jar("$plain"))).found.shouldNotBeNull()
            found.image.shouldNotBeNull().layers shouldContainExactly listOf("application")
            found.steps.map { it.name } shouldContainExactly listOf("docker build")
        }
    }

    @Test
    fun `a thin jar has what it needs beside it in its image, too`() {
        val library = Path.of(Unit::class.java.protectionDomain.codeSource.location.toURI())
        val thin = standInJar(folder.resolve("thin").createDirectories())
        library.copyTo(thin.resolveSibling("lib").createDirectories().resolve("kotlin-stdlib.jar"))
        newImages().use { images ->
            val cell = cell(jar = thin)
            started(cell, images.made(cell)).use { it.awaitReady("/hello", 60.seconds) }
        }
    }

    @Test
    fun `a base image without a java says so, and what to do`() {
        newImages(WITHOUT_JAVA).use { images ->
            val failed = shouldThrow<LaunchFailed> { images.made(cell(jar = own)) }
            failed.stage shouldBe Stage.PREPARE
            failed.reason shouldContain "The base image dyno-test:shell has no `java` that can be started"
        }
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
        val subject = ContainerLauncher(engine.cli, place(cell.limits, machine), owner, "a-run")
            .start(cell, folder.resolve("subject.log"), left.made(cell))
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
        RunParts(subjects, placement, ledger, EngineLogs(folder)).use { parts ->
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

    @Test
    fun `an engine that answers can be used`() {
        whyNoDocker(engine.cli) shouldBe null
    }

    @Test
    fun `a base image that is nowhere fails before anything is started`() {
        val failed = shouldThrow<LaunchFailed> { newImages("dyno-test:none").fetchBase {} }
        failed.reason shouldContain "The base image dyno-test:none is not here and could not be fetched"
    }

    private companion object {
        val ONE_CPU = Limits(1.0, Bytes(512 * Bytes.MIB), CpuBy.PINNING)
        const val TOOLS = "BOOT-INF/lib/spring-boot-jarmode-tools-4.1.0.jar"
        val LAYERS = listOf("dependencies", "spring-boot-loader", "snapshot-dependencies", "application")
            .joinToString("") { "- \"$it\":\n  - \"x\"\n" }
        lateinit var images: Images
        lateinit var shared: Path

        fun layered(folder: Path, name: String): Path =
            standInJar(folder, TOOLS, name = name, texts = mapOf("BOOT-INF/layers.idx" to LAYERS))

        @JvmStatic
        @BeforeAll
        fun start(@TempDir folder: Path) {
            shared = layered(folder, "shared.jar")
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
