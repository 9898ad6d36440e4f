package bootdyno.load.gatling

import bootdyno.load.EngineFailed
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

class FetchGatlingTest {
    @TempDir
    lateinit var folder: Path

    /** Stands in for Maven: a shell script, run in the folder that is to be filled. */
    private fun maven(script: String): Path {
        val file = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\n$script\n")
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"))
    }

    @Test
    fun `without Maven there is something to do, and it is said`() {
        shouldThrow<EngineFailed> { fetchGatling(folder, {}, maven = null) }.message shouldContain "install Maven"
    }

    @Test
    fun `what Maven complains of is said, with what to do`() {
        val failing = maven("echo '[INFO] Scanning'; echo '[ERROR] Could not find artifact x:y'; exit 1")
        val said = shouldThrow<EngineFailed> { fetchGatling(folder, {}, failing) }.message
        said shouldContain "exit code 1"
        said shouldContain "Could not find artifact x:y"
        said shouldContain "settings.xml"
    }

    @Test
    fun `a Maven that brings nothing has failed, whatever its exit code`() {
        shouldThrow<EngineFailed> { fetchGatling(folder, {}, maven("echo all is well")) }.message shouldContain "all is well"
    }

    @Test
    fun `what is broken off while it is made leaves nothing behind, and what is complete is made once`() {
        Files.createDirectories(folder.resolve("cache/gatling-$GATLING_VERSION/lib"))
        val home = GatlingHome.inside(folder.resolve("cache")) { error("it is there already") }
        shouldThrow<IllegalStateException> {
            home.made("classes") {
                Files.writeString(it.resolve("half"), "")
                error("interrupted")
            }
        }
        folder.resolve("cache/gatling-$GATLING_VERSION").listDirectoryEntries("*classes*").shouldBeEmpty()
        val made = home.made("classes") { Files.writeString(it.resolve("A.class"), "1") }
        home.made("classes") { error("it is there already") } shouldBe made
        made.resolve("A.class").readText() shouldBe "1"
    }

    @Test
    fun `the plugin is the one that the build uses`() {
        val pom = generateSequence(Path.of("").toAbsolutePath()) {
            it.parent
        }.first { Files.exists(it.resolve("build")) }.resolve("pom.xml")
        val pinned = Regex("""<artifactId>maven-dependency-plugin</artifactId>\s*<version>([^<]+)""").find(pom.readText())
        pinned?.groupValues?.get(1) shouldBe DEPENDENCY_PLUGIN_VERSION
    }
}
