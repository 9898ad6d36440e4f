package bootdyno.engines.jmeter

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.Attributes
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.createDirectories
import kotlin.io.path.createDirectory
import kotlin.io.path.createFile

class JMeterHomeTest {
    @TempDir
    private lateinit var folder: Path
    private val said = mutableListOf<String>()

    private fun installed(version: String): Path {
        val home = folder.resolve("apache-jmeter-$version").createDirectory()
        home.resolve("bin").createDirectories().resolve("ApacheJMeter.jar").createFile()
        val manifest = Manifest().apply {
            mainAttributes[Attributes.Name.MANIFEST_VERSION] = "1.0"
            mainAttributes[Attributes.Name.IMPLEMENTATION_VERSION] = version
        }
        val core = home.resolve("lib/ext").createDirectories().resolve("ApacheJMeter_core.jar")
        JarOutputStream(Files.newOutputStream(core), manifest).close()
        return home
    }

    private fun find(home: Path): JMeterHome {
        folder.resolve("cache/jmeter-$JMETER_VERSION").createDirectories()
        return JMeterHome.find(folder.resolve("cache"), said::add) { name -> "$home".takeIf { name == "JMETER_HOME" } }
    }

    @Test
    fun `the user's JMeter 5 is used, and its version is known`() {
        val home = installed("5.4.1")
        find(home).folder shouldBe home
        find(home).version shouldBe "5.4.1"
        said.size shouldBe 0
    }

    @Test
    fun `another JMeter or none in JMETER_HOME is passed over, and that is said`() {
        find(installed("2.13")).version shouldBe JMETER_VERSION
        said.single() shouldContain "2.13"
        find(folder.resolve("nothing")).version shouldBe JMETER_VERSION
        said.last() shouldContain "no JMeter"
    }
}
