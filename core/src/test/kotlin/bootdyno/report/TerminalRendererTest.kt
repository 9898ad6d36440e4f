package bootdyno.report

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

class TerminalRendererTest {
    @Test
    fun `dump`() {
        val target = Files.createDirectories(Path.of("target/report"))
        for ((name, report) in mapOf("six" to Fixture.sixRounds(), "one" to Fixture.oneRound())) {
            for (width in listOf(80, 100, 150)) {
                Files.writeString(
                    target.resolve("$name-$width.txt"),
                    renderTerminal(page(report), width, colour = false, unicode = true),
                )
            }
            Files.writeString(
                target.resolve("$name-100-ascii.txt"),
                renderTerminal(page(report), 100, colour = false, unicode = false),
            )
            Files.writeString(
                target.resolve("$name-100-colour.txt"),
                renderTerminal(page(report), 100, colour = true, unicode = true),
            )
            Files.writeString(target.resolve("$name.md"), renderMarkdown(page(report)))
            Files.writeString(target.resolve("$name.html"), renderHtml(page(report)))
            Files.writeString(target.resolve("$name.json"), renderJson(report))
            Files.writeString(target.resolve("$name.csv"), renderCsv(report))
        }
        Files.writeString(target.resolve("small.json"), renderJson(Fixture.small()))
    }
}
