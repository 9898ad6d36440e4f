package bootdyno.report.format

import bootdyno.report.Fixture
import bootdyno.report.page
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** The page in a real browser: skipped where Chromium is not installed. */
@Tag("full")
class HtmlPageInBrowserTest {
    @Test
    fun `every chart is drawn and the script reports no error`() {
        val shown = Browser.shown(renderHtml(page(Fixture.sixRounds())))
        shown.complaints.shouldBeEmpty()
        val charts = Regex(" id=\"chart-([a-z]+)\"").findAll(shown.document).map { it.groupValues[1] }.toList()
        charts.shouldNotBeEmpty()
        charts.forEach { chart ->
            shown.document.substringAfter(" id=\"chart-$chart\"").substringBefore(" id=\"chart-") shouldContain "<svg"
        }
    }

    @Test
    fun `a script that fails is noticed here`() {
        val broken = renderHtml(page(Fixture.sixRounds())).replace("id=\"report-figures\"", "id=\"elsewhere\"")
        Browser.shown(broken).complaints.size shouldBe 1
    }
}
