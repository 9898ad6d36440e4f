package bootdyno.launch.prepare

import bootdyno.launch.Fingerprints
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.SubjectLauncher
import bootdyno.launch.jarCell
import bootdyno.launch.standInJar
import bootdyno.model.Artifact
import bootdyno.model.Cell
import bootdyno.model.RuntimeForm
import bootdyno.model.Stage
import bootdyno.model.Variant
import bootdyno.system.availableCpus
import bootdyno.system.deleteTree
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Unconfined
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** With the JDK that runs the tests, in real. */
class PreparationsTest(@param:TempDir private val folder: Path) {
    private val log get() = folder.resolve("preparation.log")
    private val ledger = Ledger(folder.resolve("ledgers"))
    private val all = Placement(availableCpus(), availableCpus(), shared = true)

    /** As that of `dyno run` it is relative, and subjects run in folders of their own. */
    private val relative = Files.createTempDirectory(Path.of("target"), "prepared")
    private val preparations = Preparations(relative, all, ledger) { throw MissingHere(NO_NATIVE_IMAGE) }

    @AfterEach
    fun removePrepared() {
        deleteTree(relative)
    }

    /** Says of every class where it came from. */
    private val watching = listOf("-Xlog:class+load")

    private fun variant(form: RuntimeForm, jvm: List<String> = emptyList()) = Variant("v", "app", jvm = jvm, runtime = form)

    private fun work(cell: Cell) = preparations.of(cell).shouldBeInstanceOf<Preparation.Work>()

    private fun trainedWork(cell: Cell) = preparations.of(cell).shouldBeInstanceOf<Preparation.TrainedWork>()

    private fun trained(cell: Cell): Prepared {
        val work = trainedWork(cell)
        work.make(log)
        work.startTraining(cell, folder.resolve("training.log")).use {
            it.awaitReady("/", 60.seconds)
            it.verify(cell.workload)
            work.finishTraining(it)
        }
        return work.prepared()
    }

    /** What the subject printed, once it had answered. */
    private fun run(cell: Cell, prepared: Prepared): String {
        val own = folder.resolve("subject.log")
        SubjectLauncher(Unconfined(), all, ledger).start(cell, own, prepared).use {
            it.awaitReady("/", 60.seconds)
            it.verify(cell.workload)
        }
        return own.readText()
    }

    private fun ownClass(output: String) = output.lines().single { "bootdyno.launch.StandInApplicationKt source:" in it }

    @Test
    fun `a jar as it is needs nothing, and has a size`() {
        val jar = standInJar(folder)
        val nothing = preparations.of(jarCell(jar, variant(RuntimeForm.JAR))).shouldBeInstanceOf<Preparation.Nothing>()
        nothing.prepared.found?.sizes?.mapValues { it.value.count } shouldBe mapOf(Artifact.JAR to Files.size(jar))
        nothing.prepared.found?.seconds.shouldBeNull()
        ownClass(run(jarCell(jar, variant(RuntimeForm.JAR, watching)), nothing.prepared)) shouldContain "app.jar"
    }

    @Test
    fun `a variant run from its ahead-of-time cache has its classes from it, and does not start with a broken one`() {
        val cell =
            jarCell(standInJar(folder, "BOOT-INF/lib/spring-boot-jarmode-tools-4.jar"), variant(RuntimeForm.AOT_CACHE, watching))
        val prepared = trained(cell)

        ownClass(run(cell, prepared)) shouldContain "shared objects file"
        val found = prepared.found.shouldNotBeNull()
        found.steps.map { it.name }.shouldContainExactly("extract", "train")
        found.sizes.keys shouldBe setOf(Artifact.JAR, Artifact.EXTRACTED, Artifact.CACHE)
        found.shipped.shouldNotBeNull().count shouldBe
            found.sizes.getValue(Artifact.EXTRACTED).count + found.sizes.getValue(Artifact.CACHE).count
        found.sizes.getValue(Artifact.CACHE).count shouldBeGreaterThan 1_000_000L
        breakAndStart(cell, prepared)
    }

    @Test
    fun `a jar without nested libraries has its classes from an archive, and does not start with a broken one`() {
        val cell = jarCell(standInJar(folder), variant(RuntimeForm.APP_CDS, watching))
        val prepared = trained(cell)
        ownClass(run(cell, prepared)) shouldContain "shared objects file"
        prepared.found?.sizes?.keys shouldBe setOf(Artifact.JAR, Artifact.ARCHIVE)
        breakAndStart(cell, prepared)
    }

    /** What cannot be used fails the start instead of being measured by name only. */
    private fun breakAndStart(cell: Cell, prepared: Prepared) {
        val flags = prepared.program.shouldBeInstanceOf<Program.Jar>().flags
        Path.of(flags.first().substringAfter('=')).writeText("no such thing")
        val own = folder.resolve("broken.log")
        SubjectLauncher(Unconfined(), all, ledger).start(cell, own, prepared).use { subject ->
            shouldThrow<LaunchFailed> { subject.awaitReady("/", 60.seconds) }.reason shouldContain "exit code"
        }
    }

    @Test
    fun `a training run that is killed leaves nothing to use`() {
        val cell = jarCell(standInJar(folder), variant(RuntimeForm.AOT_CACHE))
        val work = trainedWork(cell)
        work.make(log)
        val subject = work.startTraining(cell, folder.resolve("training.log"))
        subject.use {
            it.awaitReady("/", 60.seconds)
            ProcessHandle.of(it.pid.shouldNotBeNull()).get().destroyForcibly()
            val failure = shouldThrow<LaunchFailed> { work.finishTraining(it) }
            failure.stage shouldBe Stage.PREPARE
            failure.reason shouldBe "No cache was written, although the training run ended."
            failure.lastLines shouldContain "Started StandInJar in 0.125 seconds (process running for 0.25)"
        }
    }

    @Test
    fun `an archive is that of one path, and of what the jar needs beside it`() {
        val jar = standInJar(folder)
        val copy = Files.copy(jar, folder.resolve("copy.jar"))
        fun key(of: Path) = work(jarCell(of, variant(RuntimeForm.APP_CDS))).key
        val first = key(jar)
        key(copy) shouldNotBe first
        Files.createDirectories(folder.resolve("lib")).resolve("kotlin-stdlib.jar").writeText("beside")
        key(jar) shouldNotBe first
    }

    @Test
    fun `what is extracted once serves every form that needs it, and counts for each`() {
        val jar = standInJar(folder, "BOOT-INF/lib/spring-boot-jarmode-tools-4.jar")
        val steps = listOf(emptyList(), listOf("-Xmx64m")).map { jvm ->
            work(jarCell(jar, variant(RuntimeForm.EXTRACTED, jvm))).let {
                it.make(log)
                (it is Preparation.TrainedWork) shouldBe false
                it.prepared().found.shouldNotBeNull().steps
            }
        }
        steps[0] shouldBe steps[1]
        steps[0].single().name shouldBe "extract"
    }

    @Test
    fun `other flags want another cache`() {
        val jar = standInJar(folder)
        val keys = listOf(emptyList(), listOf("-XX:+UseZGC")).map { work(jarCell(jar, variant(RuntimeForm.AOT_CACHE, it))).key }
        keys[0] shouldNotBe keys[1]
        work(jarCell(jar, variant(RuntimeForm.AOT_CACHE))).key shouldBe keys[0]
    }

    @Test
    fun `what a jar cannot be run as is said with what to do`() {
        fun reason(form: RuntimeForm, vararg entries: String) = shouldThrow<LaunchFailed> {
            preparations.of(jarCell(standInJar(folder, *entries), variant(form)))
        }.also { it.stage shouldBe Stage.PREPARE }.reason
        reason(RuntimeForm.SPRING_AOT) shouldContain "add the goal process-aot of spring-boot-maven-plugin"
        reason(RuntimeForm.SPRING_AOT_AND_CACHE) shouldContain "was not processed ahead of time"
        reason(RuntimeForm.EXTRACTED) shouldContain "nothing to extract"
        reason(RuntimeForm.AOT_CACHE, "BOOT-INF/lib/spring-core.jar") shouldContain "built by Spring Boot before 3.3"
        preparations.of(
            jarCell(
                standInJar(folder, "BOOT-INF/classes/App__ApplicationContextInitializer.class"),
                variant(RuntimeForm.SPRING_AOT),
            ),
        )
            .shouldBeInstanceOf<Preparation.Nothing>().prepared.program.shouldBeInstanceOf<Program.Jar>()
            .flags.shouldContainExactly("-Dspring.aot.enabled=true")
    }

    @Test
    fun `an older JDK is told from one that can`() {
        val jdk = Files.createDirectories(folder.resolve("jdk-21/bin")).parent
        Files.createFile(jdk.resolve("bin/java")).toFile().setExecutable(true)
        jdk.resolve("release").writeText("JAVA_VERSION=\"21.0.4\"\n")
        val cell = jarCell(standInJar(folder), variant(RuntimeForm.AOT_CACHE).copy(java = "$jdk"))
        shouldThrow<LaunchFailed> { preparations.of(cell) }.reason shouldContain "`runtime: aot-cache` needs a JDK 25 or newer"
        trainedWork(cell.copy(variant = cell.variant.copy(runtime = RuntimeForm.APP_CDS)))
    }

    @Test
    fun `a jar that cannot extract itself fails with its own last words`() {
        val jar = standInJar(folder, "BOOT-INF/lib/spring-boot-jarmode-tools-4.jar")
        val other = Files.move(jar, folder.resolve("other.jar"))
        val work = work(jarCell(other, variant(RuntimeForm.EXTRACTED)))
        // Something that is no folder stands where the files should go.
        relative.resolve("extracted-${Fingerprints().sha256(other).take(SHORT_HASH)}").writeText("in the way")
        val failure = shouldThrow<LaunchFailed> { work.make(log) }
        failure.reason shouldContain "Extracting other.jar ended with exit code 1"
        failure.lastLines.joinToString() shouldContain "FileAlreadyExistsException"
    }
}
