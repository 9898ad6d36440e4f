package bootdyno.engines.fetch

import bootdyno.engine.EngineFailed
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.name
import kotlin.io.path.readText

class MavenFetchTest {
    @TempDir
    lateinit var folder: Path

    /** Stands in for Maven: a shell script, run in the folder that is to be filled. */
    private fun maven(script: String): Path {
        val file = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\n$script\n")
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"))
    }

    private fun fetch(maven: Path?) = fetchByMaven("Tool 1.0", "<project/>", folder, {}, maven, ", or bring your own")

    @Test
    fun `without Maven there is something to do, and it is said`() {
        shouldThrow<EngineFailed> { fetch(null) }.message shouldBe
            "Tool 1.0 is fetched with Maven, and there is no `mvn` on the PATH: install Maven 3.8 or newer, or bring your own"
    }

    @Test
    fun `what Maven complains of is said, with what to do`() {
        val failing = maven("echo '[INFO] Scanning'; echo '[ERROR] Could not find artifact x:y'; exit 1")
        val said = shouldThrow<EngineFailed> { fetch(failing) }.message
        said shouldContain "Tool 1.0 (exit code 1): Could not find artifact x:y."
        said shouldContain "settings.xml"
        said shouldContain "bring your own"
    }

    @Test
    fun `a Maven that brings nothing has failed, whatever its exit code`() {
        shouldThrow<EngineFailed> { fetch(maven("echo all is well")) }.message shouldContain "all is well"
    }

    @Test
    fun `the network is asked only where the local repository does not do`() {
        val online = "mkdir -p lib; touch lib/a.jar; echo asked >> times"
        fetch(maven("$online; case \"$*\" in *--offline*) exit 0;; esac")).map { it.name }.shouldContainExactly("a.jar")
        folder.resolve("times").readText() shouldBe "asked\n"
        fetch(maven("$online; case \"$*\" in *--offline*) exit 1;; esac")).map { it.name }.shouldContainExactly("a.jar")
        folder.resolve("times").readText() shouldBe "asked\nasked\nasked\n"
    }

    @Test
    fun `the plugin is the one that the build uses`() {
        val pom = generateSequence(Path.of("").toAbsolutePath()) { it.parent }.first { Files.exists(it.resolve("build")) }
            .resolve("pom.xml")
        val pinned = Regex("""<artifactId>maven-dependency-plugin</artifactId>\s*<version>([^<]+)""").find(pom.readText())
        pinned?.groupValues?.get(1) shouldBe DEPENDENCY_PLUGIN_VERSION
    }
}
