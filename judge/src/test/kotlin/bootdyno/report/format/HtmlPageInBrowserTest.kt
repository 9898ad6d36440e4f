package bootdyno.report.format

import bootdyno.analyse.analyse
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.model.CellId
import bootdyno.report.Fixture
import bootdyno.report.Kinds
import bootdyno.report.Report
import bootdyno.report.page
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** The page in a real browser: skipped where Chromium is not installed. */
@Tag("full")
class HtmlPageInBrowserTest {
    @Test
    fun `a heading sorts its table, figures by value and words by letter, without figures last`() {
        fun column(heading: String) = """
            (function () {
              const button = Array.from(document.querySelectorAll('#ranking .sort')).find(function (b) { return b.textContent.includes('$heading'); });
              button.click();
              const at = button.parentNode.cellIndex, rows = Array.from(button.closest('table').tBodies[0].rows);
              see(rows.map(function (row) { return row.cells[at].textContent.trim(); }).join('|'));
            })();
        """.trimIndent()

        fun figures(column: List<String>) =
            column.map { Regex("""[\d,.]+""").find(it)?.value?.replace(",", "")?.toDoubleOrNull() }

        val report = Fixture.sixRounds
        val name = report.noun.replaceFirstChar { it.uppercase() }
        val seen = Browser.seen(renderHtml(page(report)), column("p99") + column("p99") + column(name)).map { it.split('|') }
        val descending = figures(seen[0])
        descending.size shouldBeGreaterThan 2
        descending.filterNotNull() shouldBe descending.filterNotNull().sortedDescending()
        descending.dropWhile { it != null }.filterNotNull().shouldBeEmpty()
        val ascending = figures(seen[1])
        ascending.filterNotNull() shouldBe descending.filterNotNull().reversed()
        seen[2].map { it.lowercase() }.let { it shouldBe it.sorted() }
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
              see([row.hidden, row.className, row.querySelector('.sw + span').textContent, row.querySelector('[data-against]:not([hidden])')?.textContent, row.querySelector('.bar rect')?.getAttribute('width')].join());
            });
        """.trimIndent()
        val press = """
            $CHOOSE
            see(location.hash);
        """.trimIndent()
        val chosen =
            "#view&sort0=Response+time+p99ms&baseline0=Virtual+threads&measure0=Response+time+p99&hide0=CompletableFuture"
        val broken = "#view&sort0=%E0%A4%A&baseline0=nobody&measure0=x&find0=x&hide0=%00&hide7=x"
        val linked = listOf(chosen, "", broken, "#view&", "#view&&&=", "#ranking").map { Browser.View(rows, it) }
        val seen = Browser.seen(html, Browser.View(press + rows), *linked.toTypedArray())
        val pressed = seen.first()
        pressed.first() shouldBe chosen
        pressed.count { it.startsWith("true,") } shouldBe 1
        pressed.count { it.endsWith(",160") } shouldBe 1
        seen[1] shouldBe pressed.drop(1)
        val (plain, others) = seen[2] to seen.drop(3)
        others shouldBe others.map { plain }
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
    fun `bars show another measure to scale, and the first one as it was`() {
        val seen = Browser.seen(
            renderHtml(page(Kinds.run)),
            """
            const buttons = Array.from(document.querySelectorAll('#ranking [role=group] button')), bar = document.querySelector('#ranking .bar');
            const first = bar.outerHTML;
            function press(name) { buttons.find(function (b) { return b.textContent === name; }).click(); }
            press('Response time p50');
            const table = bar.closest('table');
            const at = Array.from(table.querySelectorAll('th')).findLastIndex(function (h) { return h.textContent.startsWith('Response time p50'); });
            table.querySelectorAll('tbody tr').forEach(function (row) {
              const area = row.querySelector('.bar rect');
              if (area) see(area.getAttribute('width') / row.cells[at].textContent.replace(/[^0-9.]/g, ''));
            });
            press('Requests/s');
            see(bar.outerHTML === first);
            """.trimIndent(),
        )
        seen.last() shouldBe "true"
        val scales = seen.dropLast(1).map { it.toDouble() }
        scales.size shouldBeGreaterThan 2
        scales.forEach { it shouldBe (scales.first() plusOrMinus 1e-6) }
    }

    @Test
    fun `among more than twelve variants a reader searches, and the address keeps it`() {
        val cells = List(13) { testCell(CellId("variant$it/orders")) }
        val run = testRun(cells.flatMapIndexed { nth, cell -> rounds(cell.id, 100.0 + nth, 101.0 + nth) }, cells)
        val html = renderHtml(page(Report(analyse(run), emptyList())))
        val rows = "Array.from(document.querySelectorAll('#ranking tbody tr'))"
        val shown = "see($rows.filter(function (row) { return row.offsetHeight; }).length);"
        val search = """
            const find = document.querySelector('#ranking input');
            find.value = 'Variant12';
            find.dispatchEvent(new Event('input'));
            see(location.hash);
            $shown
        """.trimIndent()
        val ratios = """
            const of = name => $rows.find(row => row.textContent.includes(name)).querySelector('[data-against]').innerText.split('\n')[0];
            see(['variant0/', 'variant12/'].map(of));
        """.trimIndent()
        val found = "#view&find0=Variant12"
        Browser.seen(
            html,
            Browser.View(search),
            Browser.View(shown, found),
            Browser.View(ratios),
            Browser.View(ratios, "#view&baseline0=variant12"),
            // 100 and 101 requests/s of the first, 112 and 113 of the last.
        ) shouldBe listOf(listOf(found, "1"), listOf("1"), listOf("baseline,1.12×"), listOf("0.893×,baseline"))
    }

    @Test
    fun `the theme is remembered, hints are told by keyboard, and a forest plot is saved with its figures`() {
        val html = renderHtml(page(Kinds.builds(0.9)))
        val seen = Browser.seen(
            html.replace("<body>", "<body><script>localStorage.setItem('boot-dyno-theme', 'dark')</script>"),
            """
            see(document.documentElement.dataset.theme);
            document.getElementById('theme').click();
            see(localStorage.getItem('boot-dyno-theme'));
            const hinted = document.querySelector('td [title]');
            hinted.focus();
            see(document.querySelector('.tip').innerText === hinted.title);
            window.Blob = function (parts) { see(parts[0].split('\r\n')[0]); };
            URL.createObjectURL = function () { return '#'; };
            document.querySelectorAll('#chart-ratios + .save button')[1].click();
            """.trimIndent(),
        )
        seen.take(3) shouldBe listOf("dark", "light", "true")
        seen.last() shouldStartWith "\"throughput\",\"0.9"
    }

    @Test
    fun `in print no chart and no table is cut on A4`() {
        val pages = listOf(Kinds.run, Kinds.builds(0.9), Kinds.capacity)
            .map { renderHtml(page(it)).replace("@media print", "@media all") }
        // 190 mm at 96 dpi.
        Browser.framed(pages, listOf(718 to 1000)).flatten().forEach { printed ->
            printed.cutTables shouldBe 0
            printed.scrollWidth shouldBeLessThanOrEqual 718
            val charts = printed.boxes.filterKeys { it.startsWith("chart-") }.mapValues { it.value.right }
            charts.filterValues { it > 718 } shouldBe emptyMap()
            charts.size shouldBeGreaterThan 0
        }
    }

    @Test
    fun `a script that fails is noticed here`() {
        val broken = renderHtml(page(Fixture.sixRounds)).replace("id=\"flame-figures\"", "id=\"elsewhere\"")
        Browser.shown(broken).complaints.size shouldBe 1
    }

    private companion object {
        /** Sorts by p99, ascending; draws bars of it; chooses another baseline; hides a row. */
        val CHOOSE = """
            const sort = Array.from(document.querySelectorAll('#ranking .sort')).find(function (b) { return b.textContent.includes('p99'); });
            sort.click();
            sort.click();
            Array.from(document.querySelectorAll('#ranking [role=group] button')).find(function (b) { return b.textContent === 'Response time p99'; }).click();
            const list = document.querySelector('#ranking [data-baselines]');
            list.value = String(Array.from(list.options).findIndex(function (o) { return o.textContent === 'Virtual threads'; }));
            list.dispatchEvent(new Event('change'));
            document.querySelector('#ranking [aria-label="Hide CompletableFuture"]').click();
        """.trimIndent()
    }
}
