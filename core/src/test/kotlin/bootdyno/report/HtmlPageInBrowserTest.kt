package bootdyno.report

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.isExecutable
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The page in a real browser: skipped where Chromium is not installed. */
class HtmlPageInBrowserTest {
    @Test
    fun `every chart is drawn and the script reports no error`(@TempDir folder: Path) {
        val shown = shown(renderHtml(page(Fixture.sixRounds())), folder)
        shown.complaints.shouldBeEmpty()
        val charts = Regex(" id=\"chart-([a-z]+)\"").findAll(shown.document).map { it.groupValues[1] }.toList()
        charts.shouldNotBeEmpty()
        charts.forEach { chart ->
            shown.document.substringAfter(" id=\"chart-$chart\"").substringBefore(" id=\"chart-") shouldContain "<svg"
        }
    }

    @Test
    fun `a script that fails is noticed here`(@TempDir folder: Path) {
        val broken = renderHtml(page(Fixture.sixRounds())).replace("id=\"report-figures\"", "id=\"elsewhere\"")
        shown(broken, folder).complaints.size shouldBe 1
    }

    private class Shown(val document: String, val complaints: List<String>)

    private fun shown(html: String, folder: Path): Shown {
        val browser = browser()
        assumeTrue(browser != null, "no Chromium on the PATH")
        val page = folder.resolve("report.html").also { it.writeText(html) }
        val document = folder.resolve("document").toFile()
        val log = folder.resolve("log")
        val flags = listOf(
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--user-data-dir=${folder.resolve("profile").createDirectory()}",
            "--enable-logging=stderr", "--dump-dom", page.toUri().toString(),
        )
        val process = ProcessBuilder(
            listOf(browser.toString()) + flags,
        ).redirectOutput(document).redirectError(log.toFile()).start()
        if (!process.waitFor(60, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
        process.exitValue() shouldBe 0
        return Shown(document.readText(), log.readText().lines().filter { ":CONSOLE" in it })
    }

    private fun browser(): Path? = System.getenv("PATH").split(':')
        .flatMap { folder -> listOf("chromium", "chromium-browser", "google-chrome").map { Path(folder, it) } }
        .find { it.isExecutable() }
}
