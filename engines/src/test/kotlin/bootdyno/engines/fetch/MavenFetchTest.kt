package bootdyno.engines.fetch

import bootdyno.engine.EngineFailed
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat
import kotlin.io.path.createDirectories
import kotlin.io.path.name
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

/** Fetches from a repository of files, the mirror of all others in a `settings.xml` of its own. */
class MavenFetchTest {
    @TempDir
    lateinit var folder: Path
    private val repository get() = folder.resolve("repository")
    private val userHome get() = folder.resolve("m2")

    @BeforeEach
    fun publish() {
        userHome.createDirectories()
        settings("file://$repository")
        published("tool", "1.0", dependency("library", "1.0") + dependency("unwanted", "1.0", "<scope>test</scope>"))
        published("library", "1.0")
        published("library", "1.1")
        published("bom", "1", "<dependencyManagement>${dependency("library", "1.1")}</dependencyManagement>", packaging = "pom")
    }

    private fun settings(mirror: String) = userHome.resolve("settings.xml").writeText(
        """
        <settings>
          <localRepository>$folder/local</localRepository>
          <mirrors><mirror><id>mirror</id><url>$mirror</url><mirrorOf>*</mirrorOf></mirror></mirrors>
        </settings>
        """.trimIndent(),
    )

    private fun dependency(name: String, version: String, scope: String = "") =
        "<dependencies><dependency><groupId>x</groupId><artifactId>$name</artifactId><version>$version</version>$scope</dependency></dependencies>"

    private fun published(name: String, version: String, content: String = "", packaging: String = "jar") {
        val at = repository.resolve("x/$name/$version").createDirectories().resolve("$name-$version")
        val merged = content.replace("</dependencies><dependencies>", "")
        val pom = "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>$name</artifactId>" +
            "<version>$version</version><packaging>$packaging</packaging>$merged</project>"
        file("$at.pom", pom.toByteArray())
        if (packaging == "jar") file("$at.jar", "jar of $name".toByteArray())
    }

    private fun file(path: String, content: ByteArray) {
        Path.of(path).writeBytes(content)
        Path.of("$path.sha1").writeText(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(content)))
    }

    private fun fetch(artifact: String = "x:tool:1.0", boms: List<String> = emptyList()): List<String> {
        val into = Files.createTempDirectory(folder, "made")
        return fetchProgram(MavenProgram("Tool 1.0", listOf(artifact), boms, ", or bring your own"), into, {}, userHome)
            .onEach { check(Files.isRegularFile(it) && it.startsWith(into.resolve(FETCHED))) { it } }.map { it.name }
    }

    private fun failure(artifact: String = "x:tool:1.0") = shouldThrow<EngineFailed> { fetch(artifact) }.message

    @Test
    fun `jars are fetched with those they need at run time`() {
        fetch().shouldContainExactlyInAnyOrder("tool-1.0.jar", "library-1.0.jar")
    }

    @Test
    fun `a BOM decides versions of what the artifacts depend on`() {
        fetch(boms = listOf("x:bom:1")).shouldContainExactlyInAnyOrder("tool-1.0.jar", "library-1.1.jar")
    }

    @Test
    fun `what the local repository holds needs no network`() {
        fetch()
        repository.toFile().deleteRecursively()
        fetch().shouldContainExactlyInAnyOrder("tool-1.0.jar", "library-1.0.jar")
    }

    @Test
    fun `an artifact that no repository has is named, with what to do`() {
        val said = failure("x:missing:1.0")
        said shouldContain "Tool 1.0 could not be fetched from a Maven repository: "
        said shouldContain "x:missing:jar:1.0"
        said shouldContain "settings.xml, or bring your own."
    }

    @Test
    fun `a network that does not answer is named`() {
        settings("http://127.0.0.1:1")
        failure() shouldContain "Connection refused"
    }

    @Test
    fun `a jar with a wrong checksum is refused`() {
        repository.resolve("x/tool/1.0/tool-1.0.jar").writeText("something else")
        failure() shouldContain "Checksum validation failed"
    }

    @Test
    fun `damaged settings are named`() {
        userHome.resolve("settings.xml").writeText("<settings><mirrors></settings>")
        failure() shouldContain "settings.xml"
    }
}
