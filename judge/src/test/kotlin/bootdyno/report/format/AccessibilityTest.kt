package bootdyno.report.format

import bootdyno.analyse.FixtureHistory
import bootdyno.report.Fixture
import bootdyno.report.Kinds
import bootdyno.report.page
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** The rules of axe (Deque) in a real browser: skipped where Chromium is not installed. */
@Tag("full")
class AccessibilityTest {
    private val axe = checkNotNull(javaClass.getResource("/axe.min.js")).readText().replace("</script", "<\\/script")

    /** The violated rules with their first elements, as JSON. */
    private fun violations(html: String): String {
        val run = """
            ;axe.run(document).then(function (found) {
              document.body.dataset.axe = JSON.stringify(found.violations.map(function (v) { return [v.id, v.nodes[0].target]; }));
            });
        """.trimIndent()
        return Browser.shown(html, axe + run, seconds = 20).document.substringAfter("data-axe=\"").substringBefore('"')
    }

    @Test
    fun `axe finds nothing on any kind of page`() {
        val hostile = Fixture.small(title = "<script>alert(1)</script> & \"more\"")
        val pages = (Kinds.all + ("hostile" to hostile)).mapValues { page(it.value) } +
            mapOf("history" to FixtureHistory.page(), "side by side" to Kinds.sideBySide(), "two runs" to Kinds.sideBySide(2))
        pages.forEach { (kind, page) -> withClue(kind) { violations(renderHtml(page)) shouldBe "[]" } }
    }

    @Test
    fun `a button without a name is noticed here`() {
        val broken = renderHtml(page(Kinds.run)).replace("<main>", "<main><button></button>")
        violations(broken) shouldContain "button-name"
    }
}
