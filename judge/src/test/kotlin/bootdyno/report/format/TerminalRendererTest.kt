package bootdyno.report.format

import bootdyno.report.Fixture
import bootdyno.report.Report
import bootdyno.report.Section
import bootdyno.report.heading
import bootdyno.report.page
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class TerminalRendererTest {
    @Test
    fun `a wide terminal shows what fits and continues below`() {
        shown(Fixture.sixRounds, width = 100, unicode = true) shouldBe
            """
                Ranking
                  A cell is a variant with one request and one load. Mean of the trials with its 95 % interval. Rows
                  that share a letter cannot be told apart. Limit: that of the named cause, otherwise the lowest
                  known. Response times under closed load: a slow response delays the next request.

                  waiting 500 ms
                  =   Cell                          requests/s               vs baseline  limit   p99 ms  errors
                  ──  ──────────────────────────  ────────────  ────────────────────────  ─────  ───────  ──────
                  a   tomcat-virtual/blockingIO    779 ±0.7 %     1.99× [1.97, 2.01]        800      607       0
                  ab  webflux/monoIO2              775 ±0.9 %     1.98× [1.95, 2.00]        800      537       0
                  b   tomcat/completableFutureIO   758 ±0.8 %     1.93× [1.91, 1.96]        800      615       0
                  c   tomcat/blockingIO            392 ±<0.1 %                  baseline    400    1,030       0
                  d   tomcat/suspendIO             126 ±0.5 %    0.321× [0.318, 0.324]      128    3,520       0
                  e   webflux/monoIO1             19.6 ±1.4 %   0.0500× [0.0490, 0.0511]   20.0  ≥30,000   2.0 %
                  –   webflux/blockingIO                failed                         –      –        –       –

                  =   Cell                        p50 ms  limited by                   CPUs  RSS MiB  threads
                  ──  ──────────────────────────  ──────  ─────────────────────────  ──────  ───────  ───────
                  a   tomcat-virtual/blockingIO      506  400 client connections      0.310      271       38
                  ab  webflux/monoIO2                507  400 client connections      0.280      248      431
                  b   tomcat/completableFutureIO     511  400 client connections      0.360      294      628
                  c   tomcat/blockingIO            1,000  200 Tomcat threads          0.170      239      219
                  d   tomcat/suspendIO             3,140  64 Dispatchers.IO threads  0.0900      244       86
                  e   webflux/monoIO1             18,800  10 boundedElastic threads  0.0400      201       29
                  –   webflux/blockingIO               –  –                               –        –        –

                  =   Cell                        start s
                  ──  ──────────────────────────  ───────
                  a   tomcat-virtual/blockingIO      2.34
                  ab  webflux/monoIO2                1.90
                  b   tomcat/completableFutureIO     2.31
                  c   tomcat/blockingIO              2.30
                  d   tomcat/suspendIO               2.41
                  e   webflux/monoIO1                1.95
                  –   webflux/blockingIO                –

                  no waiting
                  =  Cell           requests/s  limit  p50 ms  p99 ms  errors  limited by   CPUs  RSS MiB  threads
                  ─  ───────────  ────────────  ─────  ──────  ──────  ──────  ──────────  ─────  ───────  ───────
                  a  tomcat/noop  9,210 ±2.3 %  9,310    41.0     101       0  1 CPU       0.990      255      219

                  =  Cell         start s
                  ─  ───────────  ───────
                  a  tomcat/noop     2.29
            """.trimIndent() + "\n"
    }

    @Test
    fun `a narrow terminal continues in more tables and loses nothing`() {
        val (narrow, wide) = listOf(80, 100).map { shown(Fixture.sixRounds, it, unicode = true) }
        narrow.split(WHITE_SPACE).toSet() shouldBe wide.split(WHITE_SPACE).toSet()
        narrow.lines().joinToString("\n") { it.trim() } shouldContain
            """
                c   tomcat/blockingIO            392 ±<0.1 %                  baseline    400
                d   tomcat/suspendIO             126 ±0.5 %    0.321× [0.318, 0.324]      128
                e   webflux/monoIO1             19.6 ±1.4 %   0.0500× [0.0490, 0.0511]   20.0
                –   webflux/blockingIO                failed                         –      –

                =   Cell                        p50 ms   p99 ms  errors
                ──  ──────────────────────────  ──────  ───────  ──────
                a   tomcat-virtual/blockingIO      506      607       0
            """.trimIndent()
    }

    @Test
    fun `without unicode and with one round there are plain signs and no intervals`() {
        shown(Fixture.oneRound, width = 100, unicode = false, "answer", "ranking").lines().take(28).joinToString("\n") shouldBe
            """
                Answer
                  ? One round only - 1 trial failed
                  tomcat-virtual/blockingIO, webflux/monoIO2 and tomcat/completableFutureIO serve twice as many
                  requests as tomcat/blockingIO.
                  The load limits them: 400 connections / 500 ms = 800/s.
                  By how much          2.01x: one round, no interval. Baseline: tomcat/blockingIO, 391/s.
                  Response time (p99)  602 ms: tomcat-virtual/blockingIO; baseline 1.03 s
                  Why                  200 / 500 ms = 400/s: 200 Tomcat threads limit the baseline.
                  What next            server.tomcat.threads.max=400: Predicted for tomcat/blockingIO: 782 to 783/s
                                       (2 times). ./dyno confirm runs/2026-11-20T101500-blocking-io
                  One round cannot separate the best 3. To decide: ./dyno run
                  runs/2026-11-20T101500-blocking-io/experiment.yaml --preset standard

                Ranking
                  A cell is a variant with one request and one load. One round, no interval: single rounds of one
                  subject differ by up to 5 %. Limit: that of the named cause, otherwise the lowest known. Response
                  times under closed load: a slow response delays the next request.

                  waiting 500 ms
                  Cell                        requests/s  vs baseline  limit  p50 ms    p99 ms  errors
                  --------------------------  ----------  -----------  -----  ------  --------  ------
                  tomcat-virtual/blockingIO          786        2.01x    800     501       602       0
                  webflux/monoIO2                    778        1.99x    800     505       535       0
                  tomcat/completableFutureIO         756        1.93x    800     512       617       0
                  tomcat/blockingIO                  391     baseline    400   1,010     1,030       0
                  tomcat/suspendIO                   126       0.323x    128   3,130     3,510       0
                  webflux/monoIO1                   19.3      0.0492x   20.0  18,800  >=30,000   2.0 %
                  webflux/blockingIO              failed            -      -       -         -       -
            """.trimIndent()
    }

    @Test
    fun `a claim that differs is shown with the limits of its cells and the published conditions`() {
        val text = renderTerminal(page(Fixture.sixRounds), 200, colour = false, unicode = true)
        val section = text.substringAfter("Claims that differ, and the limits here\n").substringBefore("\n\n")
        section.lines().map { it.trim() } shouldBe
            listOf(
                "· Coroutines on Dispatchers.IO serve half of what threads serve",
                "tomcat/suspendIO: 64 Dispatchers.IO threads: 64 threads ÷ 500 ms = 128/s (measured 126/s).",
                "tomcat/blockingIO: 200 Tomcat threads: 200 threads ÷ 500 ms = 400/s (measured 392/s).",
                "Published: Docker, no warm-up, one run. Here: certified warm-up, 6 rounds.",
            )
    }

    @Test
    fun `no line is wider than the terminal`() {
        for (width in listOf(80, 100, 120, 200)) {
            for (report in listOf(Fixture.sixRounds, Fixture.oneRound, Fixture.small)) {
                renderTerminal(page(report), width, colour = false, unicode = true).lines().filter {
                    it.length > width
                }.shouldBeEmpty()
            }
        }
    }

    @Test
    fun `colour is used only where it is asked for and changes no text`() {
        val plain = renderTerminal(page(Fixture.sixRounds), 100, colour = false, unicode = true)
        val coloured = renderTerminal(page(Fixture.sixRounds), 100, colour = true, unicode = true)
        plain shouldNotContain ESCAPE
        coloured shouldContain "$ESCAPE[32m✓ reproduced$ESCAPE[0m"
        coloured.replace(Regex("$ESCAPE\\[[0-9]+m"), "") shouldBe plain
    }

    @Test
    fun `without unicode all signs are ASCII`() {
        val text = renderTerminal(page(Fixture.sixRounds), 100, colour = false, unicode = false)
        text.filter { it.code > 126 } shouldBe ""
    }

    @Test
    fun `all sections of a whole run are there in reading order`() {
        val text = renderTerminal(page(Fixture.sixRounds), 100, colour = false, unicode = true)
        val known = page(Fixture.sixRounds).sections.map(Section::heading)
        val headings = text.lines().drop(1).filter { it in known }
        headings shouldBe listOf(
            "Answer", "Ranking", "Why", "Instances for a target rate", "Comparison with the baseline", "Claims",
            "Published and measured", "Gates", "Failed trials", "Doubts and checks", "Report",
        )
        text shouldContain "runs/2026-11-20T101500-blocking-io/report.html"
    }

    private fun shown(report: Report, width: Int, unicode: Boolean, vararg sections: String = arrayOf("ranking")): String {
        val page = page(report)
        val kept = page.copy(sections = page.sections.filter { it.id in sections })
        return renderTerminal(kept, width, colour = false, unicode = unicode).substringAfter("\n\n")
    }

    private companion object {
        const val ESCAPE = "\u001B"
        val WHITE_SPACE = Regex("\\s+")
    }
}
