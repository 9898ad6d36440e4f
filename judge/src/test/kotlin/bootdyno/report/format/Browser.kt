package bootdyno.report.format

import bootdyno.report.page
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Assumptions.assumeTrue
import java.net.URLDecoder
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path
import kotlin.io.path.isExecutable
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Chromium, where it is installed: tests that need it are skipped elsewhere. */
internal object Browser {
    /** Others may take the CPUs meanwhile. */
    private const val LONGEST_SECONDS = 240L

    /** What a page became, and what its scripts complained of. */
    data class Shown(val document: String, val complaints: List<String>)

    /** What [script] told its function `see`, in its order, on a page without complaints. */
    fun seen(html: String, script: String, fragment: String = ""): List<String> {
        val collect = "const seen = []; function see(what) { seen.push(String(what)); }"
        val shown =
            shown(
                html,
                "$collect $script; document.body.dataset.seen = encodeURIComponent(JSON.stringify(seen))",
                fragment = fragment,
            )
        shown.complaints.shouldBeEmpty()
        val seen = URLDecoder.decode(shown.document.substringAfter("data-seen=\"").substringBefore('"'), Charsets.UTF_8)
        return Json.decodeFromString<List<String>>(seen)
    }

    /**
     * [then]: what is run when the page is drawn, as a reader would press; what it starts may take [seconds] of the page's time. [fragment]: of
     * the page's address.
     */
    fun shown(html: String, then: String = "", seconds: Int = 0, fragment: String = ""): Shown {
        val browser = browser()
        assumeTrue(browser != null, "no Chromium on the PATH")
        val folder = Files.createTempDirectory("page")
        try {
            val pressed = html.substringBeforeLast("</body>") + "<script>$then</script></body></html>"
            val page = folder.resolve("report.html").also { it.writeText(pressed) }
            return dump(browser.toString(), "${page.toUri()}$fragment", folder, seconds)
        } finally {
            folder.toFile().deleteRecursively()
        }
    }

    /** In pixels from the upper left corner of a window. */
    data class Box(val right: Int, val bottom: Int)

    /** A page in a window of a certain size: the [boxes] of its elements with an id, and the [requests] that it made. */
    data class Framed(
        val boxes: Map<String, Box>,
        val requests: Int,
        val scrollWidth: Int,
        /** Tables of which a reader sees only a part. */
        val cutTables: Int,
        /** What stands before the figures of the first row. */
        val labels: List<String>,
        val complaints: List<String>,
    )

    /**
     * What [script], which is run in each of [pages] when it is drawn, gave its function `tell`; "" of a page where it gave nothing. Each page is a
     * frame of one window, because Chromium takes longer to start than to draw. What it starts may take [seconds] of the pages' time.
     */
    fun told(pages: List<String>, script: String, seconds: Int): List<String> {
        val tell = "function tell(text) { frameElement.previousSibling.textContent = encodeURIComponent(text); }"
        val literal = Json.encodeToString("$tell\n$script").replace("<", "\\u003c")
        val run = "const own = document.createElement('script'); own.textContent = parent.script; document.body.append(own);"
        val frames = pages.joinToString("") { html ->
            val page = html.substringBeforeLast("</body>") + "<script>$run</script></body></html>"
            """<pre class="told"></pre>${frame(page, 1280 to 1000)}"""
        }
        val all = "<!doctype html><html><body><script>var script = $literal;</script>$frames</body></html>"
        val shown = shown(all, seconds = seconds)
        return Regex("<pre class=\"told\">(.*?)</pre>").findAll(shown.document).take(pages.size)
            .map { URLDecoder.decode(it.groupValues[1], Charsets.UTF_8) }.toList()
    }

    private fun frame(html: String, size: Pair<Int, Int>, more: String = ""): String {
        val source = html.replace("&", "&amp;").replace("\"", "&quot;")
        return """<iframe style="border:0;width:${size.first}px;height:${size.second}px" $more srcdoc="$source"></iframe>"""
    }

    /** In a frame of each of [sizes], because windows of Chromium have a least width. */
    fun framed(html: String, sizes: List<Pair<Int, Int>>): List<Framed> = framed(listOf(html), sizes).single()

    /** Each of [pages] in a frame of each of [sizes], all of one window: each has the complaints of all. */
    fun framed(pages: List<String>, sizes: List<Pair<Int, Int>>): List<List<Framed>> {
        val frames = pages.flatMap { html ->
            sizes.map { """<pre class="boxes"></pre>${frame(html, it, more = "onload='seen(this)'")}""" }
        }
        val shown = shown(
            """
            <!doctype html><html><body><script>
            function seen(frame) {
              const page = frame.contentDocument, lines = [];
              page.querySelectorAll('[id]').forEach(function (element) {
                const box = element.getBoundingClientRect();
                lines.push([element.id, Math.ceil(box.right), Math.ceil(box.bottom)].join(' '));
              });
              const requests = frame.contentWindow.performance.getEntriesByType('resource').length;
              const cut = Array.from(page.querySelectorAll('.card.table')).filter(function (card) {
                return card.scrollWidth > card.clientWidth;
              }).length;
              const labels = Array.from(page.querySelectorAll('tbody tr:first-child td')).map(function (cell) {
                return frame.contentWindow.getComputedStyle(cell, '::before').content;
              });
              lines.unshift([requests, page.documentElement.scrollWidth, cut, encodeURIComponent(labels.join('|'))].join(' '));
              frame.previousSibling.textContent = lines.join(',');
            }
            </script>${frames.joinToString("")}</body></html>
            """.trimIndent(),
        )
        return Regex("<pre class=\"boxes\">(.*?)</pre>").findAll(shown.document).map {
            it.groupValues[1]
        }.take(frames.size).map { text ->
            val lines = text.split(',').map { it.split(' ') }
            val (requests, scrollWidth, cut) = lines.first().take(3).map { it.toInt() }
            val labels = URLDecoder.decode(lines.first().last(), Charsets.UTF_8).split('|').filter { it != "none" }
            val boxes = lines.drop(1).associate { (id, right, bottom) -> id to Box(right.toInt(), bottom.toInt()) }
            Framed(boxes, requests, scrollWidth, cut, labels, shown.complaints)
        }.toList().chunked(sizes.size)
    }

    private fun dump(browser: String, address: String, folder: Path, seconds: Int): Shown {
        val document = folder.resolve("document")
        val log = folder.resolve("log")
        val flags = listOf(
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync",
            "--user-data-dir=$folder/profile", "--window-size=1280,1000", "--enable-logging=stderr",
            "--dump-dom", address,
        ) + listOf("--virtual-time-budget=${seconds * 1000}").filter { seconds > 0 }
        val process = ProcessBuilder(listOf(browser) + flags)
            .redirectOutput(document.toFile()).redirectError(log.toFile()).start()
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
        process.exitValue() shouldBe 0
        return Shown(document.readText(), log.readText().lines().filter { ":CONSOLE" in it })
    }

    private fun browser(): Path? = System.getenv("PATH").split(':')
        .flatMap { folder -> listOf("chromium", "chromium-browser", "google-chrome").map { Path(folder, it) } }
        .find { it.isExecutable() }
}
