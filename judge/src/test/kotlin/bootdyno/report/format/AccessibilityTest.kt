package bootdyno.report.format

import bootdyno.analyse.FixtureHistory
import bootdyno.report.Fixture
import bootdyno.report.Kinds
import bootdyno.report.Page
import bootdyno.report.page
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance

/** The rules of axe (Deque) in a real browser: skipped where Chromium is not installed. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessibilityTest {
    private val pages: Map<String, Page> =
        (Kinds.all + ("hostile" to Fixture.small(title = "<script>alert(1)</script> & \"more\""))).mapValues { page(it.value) } +
            mapOf("history" to FixtureHistory.page(), "side by side" to Kinds.sideBySide(), "two runs" to Kinds.sideBySide(2))
    private val broken = renderHtml(page(Kinds.run)).replace("<main>", "<main><button></button>")

    /** Of each page, and of the [broken] one last, the violated rules with their first elements, as JSON. */
    private val violations: List<String> by lazy {
        val axe = checkNotNull(javaClass.getResource("/axe.min.js")).readText()
        val run = """
            ;axe.run(document, { resultTypes: ['violations'] }).then(function (found) {
              tell(JSON.stringify(found.violations.map(function (v) { return [v.id, v.nodes[0].target]; })));
            });
        """.trimIndent()
        Browser.told(pages.values.map(::renderHtml) + broken, axe + run, seconds = 60)
    }

    @Test
    fun `axe finds nothing on any kind of page`() {
        pages.keys.zip(violations).toMap() shouldBe pages.mapValues { "[]" }
    }

    @Test
    fun `a button without a name is noticed here`() {
        violations.last() shouldContain "button-name"
    }
}
