package bootdyno.report.format

import bootdyno.analyse.FixtureHistory
import bootdyno.report.Fixture
import bootdyno.report.FixtureSweep
import bootdyno.report.Kinds
import bootdyno.report.page
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

class HtmlRendererTest {
    private val whole = renderHtml(page(Fixture.sixRounds))

    /** Without the libraries and styles, in which words like `url(` may stand. */
    private val markup = whole.replace(Regex("<script>.*?</script>", RegexOption.DOT_MATCHES_ALL), "")

    @Test
    fun `every section and its link in the navigation are there`() {
        val ids = Regex("<section[^>]* id=\"([a-z]+)\"").findAll(markup).map { it.groupValues[1] }.toList()
        ids shouldBe listOf(
            "ranking", "doubts", "why", "cpu", "instances", "verdicts", "latency", "timeline", "claims", "published",
            "gates", "failures", "trust", "reproduce", "environment",
        )
        val links = Regex("href=\"#([a-z]+)\"").findAll(markup).map { it.groupValues[1] }.toList()
        ids.shouldContainAll(links)
    }

    @Test
    fun `the page loads nothing from the network`() {
        Regex("(src|href|action|data|poster)=\"(?!#)[^\"]*\"").findAll(markup).map { it.value }.toList().shouldBeEmpty()
        markup shouldNotContain "@import"
        markup shouldNotContain "url("
        markup shouldContain "default-src 'none'"
    }

    @Test
    fun `every chart is a picture of its own, without script`() {
        charts(whole) shouldBe listOf("percentiles", "timeline", "order")
        charts(whole).forEach { Drawing.of(whole, it).texts.shouldNotBeEmpty() }
        Drawing.of(whole, "percentiles").texts.shouldContainAll(listOf("≥ webflux/monoIO1", "99.9 %", "p99"))
    }

    @Test
    fun `names that look like markup stay text`() {
        val html = renderHtml(page(Fixture.small(title = "<script>alert(1)</script> & \"more\"")))
        html shouldContain "&lt;script&gt;alert(1)&lt;/script&gt; &amp; "
        html shouldNotContain "<script>alert"
        embedded("""{"name":"</script><!--"}""") shouldBe """{"name":"\u003c/script>\u003c!--"}"""
    }

    @Test
    fun `tags are closed in the order they were opened`() {
        val open = ArrayDeque<String>()
        for (match in Regex("<(/?)([a-z][a-z0-9]*)([^>]*)>").findAll(markup)) {
            val (end, name, rest) = match.destructured
            when {
                name in setOf("meta", "br", "link") || rest.endsWith("/") -> Unit
                end.isEmpty() -> open.addLast(name)
                else -> open.removeLast() shouldBe name
            }
        }
        open.toList().shouldBeEmpty()
    }

    @Test
    fun `pictures are spoken for those who do not see them`() {
        markup shouldContain "aria-label=\"tomcat-virtual/blockingIO: 779 requests per second\""
        markup shouldContain "p99 at least 30 s"
    }

    @Test
    fun `one round has no trial order and no verdicts to show`() {
        val once = renderHtml(page(Fixture.oneRound))
        charts(once) shouldBe listOf("percentiles", "timeline")
        once shouldContain "One round only"
        once shouldNotContain "id=\"verdicts\""
    }

    /** For looking at: `core/target/report/`. */
    @Test
    fun `the pages can be looked at`() {
        val folder = Files.createDirectories(Path.of("target/report"))
        val pages =
            mapOf("six" to page(Fixture.sixRounds), "sweep" to FixtureSweep.page(), "history" to FixtureHistory.page()) +
                mapOf("side-by-side" to Kinds.sideBySide()) +
                Kinds.all.mapValues { page(it.value) }
        for ((name, page) in pages) {
            Files.writeString(folder.resolve("$name.html"), renderHtml(page))
            Files.writeString(folder.resolve("$name.md"), renderMarkdown(page))
            Files.writeString(folder.resolve("$name.txt"), renderTerminal(page, 100, colour = false, unicode = true))
        }
        Files.size(folder.resolve("six.html")) shouldBe whole.encodeToByteArray().size.toLong()
    }

    private fun charts(html: String) = Regex(" id=\"chart-([a-z]+)\"").findAll(html).map { it.groupValues[1] }.toList()
}
