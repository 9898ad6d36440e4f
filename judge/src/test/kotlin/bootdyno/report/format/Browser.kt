package bootdyno.report.format

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

    /** A page at an address with this [fragment], on which [script] is run when it is drawn, as a reader would press. */
    data class View(val script: String, val fragment: String = "")

    /** What [script] told its function `see`, in its order, on a page without complaints. */
    fun seen(html: String, script: String): List<String> = seen(shown(html.then(seeing(script))), 1).single()

    /** The same for each of [views], all of one window: Chromium takes longer to start than to draw. */
    fun seen(html: String, vararg views: View): List<List<String>> {
        val pages = views.map { html.then(seeing(it.script)) }
        val frames = views.withIndex().joinToString("") { (nth, view) -> TOLD + frame("src", "$nth.html${view.fragment}") }
        return seen(shown("<!doctype html><html><body>$frames</body></html>", pages), views.size)
    }

    private fun seeing(script: String) =
        "$TELL const seen = []; function see(what) { seen.push(String(what)); } $script; tell(JSON.stringify(seen));"

    private fun seen(shown: Shown, pages: Int): List<List<String>> {
        shown.complaints.shouldBeEmpty()
        return told(shown, pages).map { Json.decodeFromString<List<String>>(it) }
    }

    /** [frames]: pages that [html] can have as frames, by their index: `0.html`. What is begun may take [seconds] of the page's time. */
    fun shown(html: String, frames: List<String> = emptyList(), seconds: Int = 0): Shown {
        val browser = browser()
        assumeTrue(browser != null, "no Chromium on the PATH")
        val folder = Files.createTempDirectory("page")
        try {
            frames.forEachIndexed { nth, page -> folder.resolve("$nth.html").writeText(page) }
            val page = folder.resolve("report.html").also { it.writeText(html) }
            return dump(browser.toString(), "${page.toUri()}", folder, seconds)
        } finally {
            folder.toFile().deleteRecursively()
        }
    }

    private fun String.then(script: String) = substringBeforeLast("</body>") + "<script>$script</script></body></html>"

    /** Before each frame: what its page told. A page without a frame has it at its end. */
    private const val TOLD = "<pre class=\"told\"></pre>"
    private const val TELL = "function tell(text) { " +
        "const place = frameElement ? frameElement.previousSibling : document.body.appendChild(document.createElement('pre')); " +
        "place.className = 'told'; place.textContent = encodeURIComponent(text); }"

    private fun told(shown: Shown, pages: Int): List<String> =
        Regex("""<pre class="told">(.*?)</pre>""").findAll(shown.document).take(pages)
            .map { URLDecoder.decode(it.groupValues[1], Charsets.UTF_8) }.toList()

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
        val literal = Json.encodeToString("$TELL\n$script").replace("<", "\\u003c")
        val run = "const own = document.createElement('script'); own.textContent = parent.script; document.body.append(own);"
        val frames = pages.joinToString("") { TOLD + frame("srcdoc", it.then(run)) }
        val all = "<!doctype html><html><body><script>var script = $literal;</script>$frames</body></html>"
        return told(shown(all, seconds = seconds), pages.size)
    }

    private fun frame(attribute: String, source: String, size: Pair<Int, Int> = 1280 to 1000, more: String = ""): String {
        val value = source.replace("&", "&amp;").replace("\"", "&quot;")
        return """<iframe style="border:0;width:${size.first}px;height:${size.second}px" $more $attribute="$value"></iframe>"""
    }

    /** In a frame of each of [sizes], because windows of Chromium have a least width. */
    fun framed(html: String, sizes: List<Pair<Int, Int>>): List<Framed> = framed(listOf(html), sizes).single()

    /** Each of [pages] in a frame of each of [sizes], all of one window: each has the complaints of all. */
    fun framed(pages: List<String>, sizes: List<Pair<Int, Int>>): List<List<Framed>> {
        val frames = pages.flatMap { html ->
            sizes.map { """<pre class="boxes"></pre>${frame("srcdoc", html, it, more = "onload='seen(this)'")}""" }
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
            "--disable-component-update", "--disable-sync", "--allow-file-access-from-files",
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
