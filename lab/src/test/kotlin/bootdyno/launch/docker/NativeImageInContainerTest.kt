package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.prepare.MissingHere
import bootdyno.launch.prepare.NO_NATIVE_IMAGE
import bootdyno.launch.prepare.OR_IN_A_CONTAINER
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.isExecutable
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** With a real engine, and an image whose native-image is none but is asked as one: it keeps what it reads and what it was told. */
internal class NativeImageInContainerTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    private val log = folder.resolve("preparation.log")
    private val reads = folder.resolve("extracted").createDirectories()
    private val writes = folder.resolve("native").createDirectories()

    private fun find(installed: Path? = null, cli: DockerCli? = engine.cli, builder: String = BUILDER) =
        findNativeImage(ledger, say = {}, installed, cli, builder)

    @Test
    fun `an executable is left where it is wanted, by paths that are the same inside, and is ours`() {
        reads.resolve("app.jar").writeText("the classes")
        val executable = writes.resolve("app")
        val native = find()
        native.name shouldBe BUILDER
        val arguments = listOf("--no-fallback", "-o", "$executable", "-cp", "${reads.resolve("app.jar")}", "a.AppKt")
        val words = native.build("native-image of app.jar", arguments, reads, writes, log).commandLine
        words.takeLast(arguments.size + 1) shouldContainExactly listOf(BUILDER) + arguments
        executable.isExecutable() shouldBe true
        executable.readText() shouldBe "the classes\n${arguments.joinToString(" ")}\n"
        Files.getOwner(executable) shouldBe Files.getOwner(folder)
        log.readText() shouldContain "building"
    }

    @Test
    fun `it cannot change what it reads`() {
        val arguments = listOf("-o", "${reads.resolve("app")}", "-cp", "/nowhere")
        val failed = shouldThrow<LaunchFailed> { find().build("native-image of app.jar", arguments, reads, writes, log) }
        failed.reason shouldStartWith "native-image of app.jar in a container of $BUILDER ended with exit code"
        failed.lastLines.joinToString() shouldContain "Read-only file system"
    }

    @Test
    fun `the one that is installed goes before`() {
        find(installed = Path.of("/graal/bin/native-image")).name shouldBe "/graal/bin/native-image"
    }

    @Test
    fun `where there is neither, or no image of it, the reason says how to get one`() {
        val silent = engine.cli.at("unix:///nowhere/docker.sock")
        listOf(null, silent).forEach { cli ->
            shouldThrow<MissingHere> { find(cli = cli) }.reason shouldBe "$NO_NATIVE_IMAGE $OR_IN_A_CONTAINER"
        }
        shouldThrow<MissingHere> { find(builder = "dyno-test:none") }.reason shouldContain
            "The image of native-image dyno-test:none is not here and could not be fetched"
    }

    private companion object {
        const val BUILDER = "dyno-test:native"

        @JvmStatic
        @BeforeAll
        fun start() {
            SharedEngine.engine.importImage(BUILDER) {
                program("cat")
                program("chmod")
                script(
                    "bin/native-image",
                    """
                    #!/bin/sh
                    set -e
                    echo building
                    told="$*"
                    while [ "${'$'}1" != -o ]; do shift; done
                    made=${'$'}2
                    while [ "${'$'}1" != -cp ]; do shift; done
                    : > "${'$'}made"
                    cat "${'$'}2" > "${'$'}made"
                    printf '\n%s\n' "${'$'}told" >> "${'$'}made"
                    chmod 755 "${'$'}made"
                    """.trimIndent(),
                )
            }
        }
    }
}
