package bootdyno.engines.gatling

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

class GatlingHomeTest {
    @TempDir
    lateinit var folder: Path

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
}
