package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.cellOf
import bootdyno.launch.standInJar
import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.Variant
import bootdyno.system.socket.freePort
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** With a real engine, and an image that has an entry point of its own. */
internal class OwnImageTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    private fun started(image: String, variant: Variant): RunningSubject =
        started(cellOf(Origin.Image(image), LIMITS, variant), Prepared(Program.AsDeclared, found = null))

    @Test
    fun `an image runs with its own entry point and the flags of the variant, and its own port is found`() {
        val context = folder.resolve("context").createDirectories()
        standInJar(context)
        val library = Path.of(Unit::class.java.protectionDomain.codeSource.location.toURI())
        library.copyTo(context.resolve("lib").createDirectories().resolve("kotlin-stdlib.jar"))
        val recipe = listOf("FROM $WITH_JAVA", "COPY . /app/", "ENTRYPOINT [\"java\", \"-jar\", \"/app/app.jar\"]")
        context.resolve("Dockerfile").writeText(recipe.joinToString("\n", postfix = "\n"))
        engine.cli.ask("build", "--tag", OWN, "$context").succeeded shouldBe true
        // It knows nothing of SERVER_PORT.
        val port = freePort()
        started(OWN, Variant("v", "stand-in", jvm = listOf("-Dserver.port=$port"))).use {
            it.awaitReady("/hello", 60.seconds)
            it.base.port shouldBe port
            it.container.shouldNotBeNull().image shouldBe OWN
            it.commandLine shouldBe listOf(OWN)
            it.sha256.shouldNotBeNull().length shouldBe 64
        }
    }

    @Test
    fun `an image that is not here is refused`() {
        shouldThrow<LaunchFailed> { started("dyno-test:none", Variant("v", "stand-in")) }.reason shouldContain
            "The image dyno-test:none cannot be looked at"
    }

    private companion object {
        const val OWN = "dyno-test:own"
        val LIMITS = Limits(1.0, Bytes(512 * Bytes.MIB), CpuBy.PINNING)
    }
}
