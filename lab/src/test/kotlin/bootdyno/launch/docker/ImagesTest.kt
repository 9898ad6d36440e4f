package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Program
import bootdyno.launch.cellOf
import bootdyno.launch.standInJar
import bootdyno.model.Artifact
import bootdyno.model.Origin
import bootdyno.model.RuntimeForm
import bootdyno.model.Stage
import bootdyno.model.Variant
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.readLines
import kotlin.time.Duration.Companion.seconds

/** Of jars, in a real engine. */
internal class ImagesTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    private val own by lazy { layeredJar(folder, "own.jar") }

    @Test
    fun `an image is built of the layers that hold something, for a user that is not root, and what it took is told`() {
        val images = newImages()
        val prepared = images.made(cellOf(Origin.Jar("$own")))
        val image = prepared.program.shouldBeInstanceOf<Program.Image>()
        image.feature shouldBe Runtime.version().feature()
        val found = prepared.found.shouldNotBeNull()
        found.steps.map { it.name } shouldContainExactly listOf("extract", "docker build")
        found.sizes.getValue(Artifact.IMAGE).count shouldBeGreaterThan found.sizes.getValue(Artifact.JAR).count
        val built = found.image.shouldNotBeNull()
        built.layers shouldContainExactly listOf("dependencies", "application")
        folder.resolve("images").resolve(built.dockerfile).readLines().filter { it.startsWith("COPY") } shouldContainExactly
            listOf("COPY --chown=10001:10001 dependencies/ ./", "COPY --chown=10001:10001 application/ ./")
        engine.cli.ask("image", "inspect", "--format", "{{.Config.User}}", image.reference).output shouldBe "10001:10001"
        engine.images() shouldContain image.reference
        // The other form needs no other image.
        val again = images.made(cellOf(Origin.Jar("$own"), variant = Variant("w", "stand-in", runtime = RuntimeForm.EXTRACTED)))
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
            val cell = cellOf(Origin.Jar("$thin"))
            started(cell, images.made(cell)).use { it.awaitReady("/hello", 60.seconds) }
        }
    }

    @Test
    fun `a base image without a java says so, and what to do`() {
        newImages(WITHOUT_JAVA).use { images ->
            val failed = shouldThrow<LaunchFailed> { images.made(cellOf(Origin.Jar("$own"))) }
            failed.stage shouldBe Stage.PREPARE
            failed.reason shouldContain "The base image dyno-test:shell has no `java` that can be started"
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
}
