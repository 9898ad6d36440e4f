package bootdyno.report

import bootdyno.report.format.Browser
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

class ProfileSectionTest {
    private val report = FixtureProfiles.report()

    @Test
    fun `each profiled cell has a graph, one beside its baseline if both sampled the same, and one of allocated bytes`() {
        plot(report).flames.map { it.name } shouldBe listOf(
            "tomcat/blockingIO, 1,000 samples",
            "tomcat/blockingIO: allocated bytes",
            "tomcat-virtual/blockingIO, 1,000 samples",
            "tomcat-virtual/blockingIO beside tomcat/blockingIO",
            "tomcat-virtual/blockingIO: allocated bytes",
        )
        val other = FixtureProfiles.report(FixtureProfiles.diagnosis(300, 100, 500, "jdk.ExecutionSample"))
        plot(other).flames.map { it.name }.filter { "beside" in it }.shouldBeEmpty()
        profileSection(other)?.lead shouldContain "Java code only"
        profileSection(Fixture.sixRounds).shouldBeNull()
        methodsSection(Fixture.sixRounds).shouldBeNull()
    }

    @Test
    fun `a cell with a few samples has neither a graph nor a row, and the report says so`() {
        val report = FixtureProfiles.report(FixtureProfiles.diagnosis(sum = 14, find = 5, write = 5))
        plot(report).flames.map { it.name } shouldBe
            listOf("tomcat/blockingIO, 1,000 samples", "tomcat/blockingIO: allocated bytes")
        methodsSection(report)?.lead shouldContain "Cells with fewer than 100 samples are left out"
        methodsSection(FixtureProfiles.report())?.lead shouldNotContain "left out"
    }

    /** Widths of the comparison: (0.5 + 0.8) / 2 for `find`, (0.5 + 0.2) / 2 for `write0`; change (0.5 − 0.8) / (0.5 + 0.8). */
    @Test
    fun `boxes are written as depth, method and width, and beside a baseline with both shares and the change`() {
        val figures = Json.parseToJsonElement(
            flameFigures(listOf(Chart("c", "", "", plot(report)))),
        ).jsonObject.getValue("c").jsonObject
        val names = figures.getValue("names").jsonArray.map { it.jsonPrimitive.content }
        val graphs = figures.getValue("graphs").jsonArray.map { graph ->
            graph.jsonObject.getValue("boxes").jsonArray.map { it.toString() }
        }
        val processor = names.indexOf("org.apache.tomcat.…")
        val find = names.indexOf("com.example.Orders.find")
        val sum = names.indexOf("com.example.Prices<Net>.sum")
        val write = names.indexOf("sun.nio.ch.SocketDispatcher.write0")
        graphs[0] shouldBe listOf("[0,$processor,1]", "[1,$find,0.8]", "[2,$sum,0.6]", "[1,$write,0.2]")
        graphs[3] shouldBe listOf(
            "[0,$processor,1,1,1,0]",
            "[1,$find,0.65,0.5,0.8,-0.231]",
            "[2,$sum,0.45,0.3,0.6,-0.333]",
            "[1,$write,0.35,0.5,0.2,0.429]",
        )
        figures.getValue("origins").jsonArray[find].toString() shouldBe "0"
        figures.getValue("origins").jsonArray[processor].toString() shouldBe "1"
        figures.getValue("origins").jsonArray[write].toString() shouldBe "2"
    }

    @Test
    fun `neighbouring calls of a library are one box, but for the one that ran`() {
        val calls = plot(report).flames.first().calls
        // Two classes of Tomcat call the application; a third one of its methods runs.
        calls.map { "${it.method.type} ${it.method.method}" } shouldBe listOf("org.apache.tomcat …")
        calls.single().calls.map { it.method.method } shouldBe listOf("find", "write0")
    }

    @Test
    fun `without pictures, the application's methods come first, the one that computes before its caller, then others`() {
        renderMarkdown(page(report)) shouldContain """
            || tomcat/blockingIO | Prices&lt;Net&gt;.sum | 60 % | 60 % |
            || tomcat/blockingIO | Orders.find | 20 % | 80 % |
            || tomcat/blockingIO | SocketDispatcher.write0 | 20 % | 20 % |
            || tomcat-virtual/blockingIO | Prices&lt;Net&gt;.sum | 30 % | 30 % |
        """.trimMargin()
    }

    @Test
    @Tag("full")
    fun `a click on a box or Enter in a search enlarges it until the whole graph is asked for, and a search fades the others`() {
        val seen = Browser.seen(
            renderHtml(page(report)),
            """
            function names() { return Array.from(document.querySelectorAll('#chart-flame text')).map(function (text) { return text.textContent; }).join(); }
            function click() { document.querySelectorAll('#chart-flame .box')[2].dispatchEvent(new MouseEvent('click', {bubbles: true})); }
            function whole() { document.querySelector('[data-whole]').click(); }
            const find = document.querySelector('[data-search]');
            see(names());
            click(); see(names()); whole(); see(names());
            find.value = 'prices'; find.dispatchEvent(new Event('input', {bubbles: true}));
            see(document.querySelectorAll('#chart-flame [fill-opacity="0.15"]').length);
            find.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})); see(names());
            window.Blob = function (parts) { see(parts[0].split('\r\n')[0]); };
            URL.createObjectURL = function () { return '#'; };
            whole(); document.querySelectorAll('#chart-flame + .save button')[1].click();
            """,
        )
        val enlarged = names - "SocketDispatcher.write0"
        seen shouldBe
            listOf(names, enlarged, names).map { it.joinToString(",") } + "${names.size - 1}" + enlarged.joinToString(",") +
            "\"org.apache.tomcat.…\",\"100 %\""
    }

    /** In the order of the boxes. */
    private val names = listOf("tomcat.…", "Orders.find", "Prices<Net>.sum", "SocketDispatcher.write0")

    private fun plot(report: Report): FlamePlot {
        val folded = profileSection(report).shouldNotBeNull().blocks.single() as Folded
        return folded.blocks.filterIsInstance<Chart>().single().plot as FlamePlot
    }
}
