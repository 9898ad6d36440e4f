package bootdyno.report.format

import bootdyno.report.Fixture
import bootdyno.report.Kinds
import bootdyno.report.firstScreen
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.w3c.dom.Element
import javax.xml.parsers.DocumentBuilderFactory

class SvgRendererTest {
    private fun drawn(svg: String): Element =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.byteInputStream()).documentElement

    private fun Element.all(name: String): List<Element> = getElementsByTagName(name).run { List(length) { item(it) as Element } }

    private fun Element.number(attribute: String) = getAttribute(attribute).toDouble()

    @Test
    fun `the picture has the verdict, its certainty, and a bar for each of the best cells as long as its figure says`() {
        val report = Fixture.sixRounds

        val root = drawn(renderSvg(report))

        val texts = root.all("text").map { it.textContent }
        root.getAttribute("aria-label") shouldContain firstScreen(report).verdict
        root.all("text").filter { it.getAttribute("class") == "verdict" }.joinToString(" ") { it.textContent } shouldBe
            firstScreen(report).verdict
        texts.any { it.startsWith(firstScreen(report).badge.sign.word) } shouldBe true
        val ranks = report.analysis.groups.first().ranks
        val bars = root.all("rect").filter { it.getAttribute("class") != "page" }
        val rates = ranks.take(bars.size).map { report.analysis.cell(it.cell)?.throughput?.value ?: 0.0 }
        bars.map { Math.round(it.number("width") / bars.first().number("width") * 100) } shouldBe
            rates.map { Math.round(it / rates.first() * 100) }
        (root.all("text") + bars).filter { it.number("y") !in 0.0..630.0 }.shouldBeEmpty()
    }

    @Test
    fun `one file is light or dark like its viewer`() {
        val styles = renderSvg(Fixture.sixRounds).split("@media (prefers-color-scheme:dark)")
        styles.map { Regex("[.]page[{]fill:(#[0-9a-f]+)").find(it)?.groupValues?.get(1) } shouldBe listOf("#ffffff", "#161b22")
    }

    @Test
    fun `markup in a title is text, and a run without a result has a picture too`() {
        val hostile = renderSvg(Fixture.small(title = "<script>alert(1)</script> & \"more\""))
        hostile shouldNotContain "<script"
        drawn(hostile).all("text").map { it.textContent } shouldContain "Boot Dyno · <script>alert(1)</script> & \"more\""

        val nothing = renderSvg(Kinds.failed)
        drawn(nothing).all("rect").size shouldBe 1
        nothing shouldContain "No result"
    }
}
