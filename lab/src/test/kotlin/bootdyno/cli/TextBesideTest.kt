package bootdyno.cli

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.writeText

class TextBesideTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `only files in the folder of the document are read, also through links`() {
        val document = folder.resolve("http").createDirectories().resolve("x.http")
        document.writeText("GET /")
        folder.resolve("secret").writeText("outside")
        folder.resolve("http/sub").createDirectories().resolve("body.json").writeText("{}")
        folder.resolve("http/link").createSymbolicLinkPointingTo(folder.resolve("secret"))
        textBeside(document, "sub/body.json") shouldBe "{}"
        textBeside(document, "./sub/body.json") shouldBe "{}"
        textBeside(document, "../secret") shouldBe null
        textBeside(document, "${folder.resolve("secret")}") shouldBe null
        textBeside(document, "link") shouldBe null
        textBeside(document, "none") shouldBe null
    }

    @Test
    fun `the files of the folder with such names are read in the order of their names`() {
        listOf("b.env.json", "a.env.json", "c.json", "sub/d.env.json").forEach {
            folder.resolve(it).apply { parent.createDirectories() }.writeText(it)
        }
        textsCalled(folder.resolve("c.json")) { it.endsWith(".env.json") }.toList() shouldBe
            listOf("a.env.json" to "a.env.json", "b.env.json" to "b.env.json")
    }
}
