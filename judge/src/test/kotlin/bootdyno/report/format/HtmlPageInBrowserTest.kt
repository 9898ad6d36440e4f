package bootdyno.report.format

import bootdyno.report.Fixture
import bootdyno.report.Kinds
import bootdyno.report.page
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** The page in a real browser: skipped where Chromium is not installed. */
@Tag("full")
class HtmlPageInBrowserTest {
    @Test
    fun `a heading sorts its table, figures by value and words by letter, without figures last`() {
        fun column(heading: String, clicks: Int): List<String> {
            val press = """
                const button = Array.from(document.querySelectorAll('#ranking .sort')).find(function (b) { return b.textContent.includes('$heading'); });
                for (let i = 0; i < $clicks; i++) button.click();
                const at = button.parentNode.cellIndex, rows = Array.from(button.closest('table').tBodies[0].rows);
                document.body.dataset.column = rows.map(function (row) { return row.cells[at].textContent.trim(); }).join('|');
            """.trimIndent()
            val shown = Browser.shown(renderHtml(page(Fixture.sixRounds())), press)
            shown.complaints.shouldBeEmpty()
            return shown.document.substringAfter("data-column=\"").substringBefore('"').split('|')
        }

        fun figures(column: List<String>) =
            column.map { Regex("""[\d,.]+""").find(it)?.value?.replace(",", "")?.toDoubleOrNull() }

        val descending = figures(column("p99", clicks = 1))
        descending.size shouldBeGreaterThan 2
        descending.filterNotNull() shouldBe descending.filterNotNull().sortedDescending()
        descending.dropWhile { it != null }.filterNotNull().shouldBeEmpty()
        val ascending = figures(column("p99", clicks = 2))
        ascending.filterNotNull() shouldBe descending.filterNotNull().reversed()
        column("Variant", clicks = 1).map { it.lowercase() }.let { it shouldBe it.sorted() }
    }

    @Test
    fun `at 390 px each row of a wide table is a card, with the heading beside the figure, and nothing is cut`() {
        val (wide, narrow) = Browser.framed(renderHtml(page(Kinds.run)), listOf(1280 to 800, 390 to 844))
        wide.labels.filter { it != "normal" }.shouldBeEmpty()
        narrow.labels.shouldContainAll("\"Response time p99, ms\"", "\"Errors\"")
        listOf(wide, narrow).map { it.cutTables } shouldBe listOf(0, 0)
    }

    @Test
    fun `a heading that ends its style stays a heading`() {
        inCss("a\"};b{}\\\n1") shouldBe "a\\22 \\7d \\3b b\\7b \\7d \\5c \\a 1"
    }

    @Test
    fun `what was sorted, compared and hidden stands in the address, and a link to it shows the same`() {
        val html = renderHtml(page(Kinds.run))
        val rows = """
            see(document.querySelector('#ranking [aria-sort]')?.textContent);
            document.querySelectorAll('#ranking tbody tr').forEach(function (row) {
              see([row.hidden, row.className, row.querySelector('.sw + span').textContent, row.querySelector('[data-against]:not([hidden])')?.textContent].join());
            });
        """.trimIndent()
        val press = """
            $CHOOSE
            see(location.hash);
        """.trimIndent()
        val seen = Browser.seen(html, press + rows)
        val fragment = seen.first()
        fragment shouldBe "#view&sort0=Response+time+p99ms&baseline0=Virtual+threads&hide0=CompletableFuture"
        seen.count { it.startsWith("true,") } shouldBe 1
        Browser.seen(html, rows, fragment) shouldBe seen.drop(1)

        val plain = Browser.seen(html, rows)
        listOf("#view&sort0=%E0%A4%A&baseline0=nobody&hide0=%00&hide7=x", "#view&", "#view&&&=", "#ranking").forEach {
            Browser.seen(html, rows, it) shouldBe plain
        }
    }

    @Test
    fun `a hidden row comes back, and the address with the first view is plain`() {
        val seen = Browser.seen(
            renderHtml(page(Kinds.run)),
            """
            const hide = document.querySelector('#ranking .hide');
            hide.click();
            see(hide.closest('tr').hidden);
            see(document.activeElement.textContent);
            document.activeElement.click();
            see(hide.closest('tr').hidden);
            see(document.activeElement === hide);
            see(location.hash);
            """.trimIndent(),
        )
        seen shouldBe listOf("true", "Show ${Kinds.titles["tomcat-virtual/blockingIO"]}", "false", "true", "")
    }

    @Test
    fun `a script that fails is noticed here`() {
        val broken = renderHtml(page(Fixture.sixRounds())).replace("id=\"flame-figures\"", "id=\"elsewhere\"")
        Browser.shown(broken).complaints.size shouldBe 1
    }

    private companion object {
        /** Sorts by p99, ascending; chooses another baseline; hides a row. */
        val CHOOSE = """
            const sort = Array.from(document.querySelectorAll('#ranking .sort')).find(function (b) { return b.textContent.includes('p99'); });
            sort.click();
            sort.click();
            const list = document.querySelector('#ranking [data-baselines]');
            list.value = String(Array.from(list.options).findIndex(function (o) { return o.textContent === 'Virtual threads'; }));
            list.dispatchEvent(new Event('change'));
            document.querySelector('#ranking [aria-label="Hide CompletableFuture"]').click();
        """.trimIndent()
    }
}
