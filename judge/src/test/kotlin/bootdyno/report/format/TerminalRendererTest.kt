package bootdyno.report.format

import bootdyno.report.Fixture
import bootdyno.report.Report
import bootdyno.report.Section
import bootdyno.report.cells
import bootdyno.report.conditions
import bootdyno.report.heading
import bootdyno.report.nothing
import bootdyno.report.page
import bootdyno.report.published
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class TerminalRendererTest {
    @Test
    fun `a wide terminal shows what fits and continues below`() {
        shown(Fixture.sixRounds(), width = 100, unicode = true) shouldBe
            """
                Ranking
                  A cell is a variant with one request and one load. Mean of the trials with its 95 % interval. Rows
                  that share a letter cannot be told apart. Limit: that of the named cause, otherwise the lowest
                  known. Response times under closed load: a slow response delays the next request.

                  waiting 500 ms
                  =  Cell                         requests/s               vs baseline  limit   p99 ms  errors
                  ─  ──────────────────────────  ───────────  ────────────────────────  ─────  ───────  ──────
                  a  tomcat-virtual/blockingIO    779 ±1.0 %    1.99× [1.97, 2.01]        800      604       0
                  a  webflux/monoIO2              775 ±1.3 %    1.98× [1.95, 2.00]        800      536       0
                  b  tomcat/completableFutureIO   758 ±1.2 %    1.93× [1.91, 1.96]        800      612       0
                  c  tomcat/blockingIO            392 ±0.3 %                  baseline    400    1,030       0
                  d  tomcat/suspendIO             126 ±0.8 %   0.321× [0.319, 0.324]      128    3,510       0
                  e  webflux/monoIO1             19.6 ±2.0 %  0.0500× [0.0490, 0.0510]   20.0  ≥29,100   1.9 %
                  –  webflux/blockingIO               failed                         –      –        –       –

                  =  Cell                        p50 ms  limited by                   CPUs  RSS MiB  threads
                  ─  ──────────────────────────  ──────  ─────────────────────────  ──────  ───────  ───────
                  a  tomcat-virtual/blockingIO      506  400 client connections      0.310      271       38
                  a  webflux/monoIO2                507  400 client connections      0.280      248      431
                  b  tomcat/completableFutureIO     511  400 client connections      0.360      294      628
                  c  tomcat/blockingIO            1,000  200 Tomcat threads          0.170      239      219
                  d  tomcat/suspendIO             3,140  64 Dispatchers.IO threads  0.0900      244       86
                  e  webflux/monoIO1             10,200  10 boundedElastic threads  0.0400      201       29
                  –  webflux/blockingIO               –  –                               –        –        –

                  =  Cell                        start s
                  ─  ──────────────────────────  ───────
                  a  tomcat-virtual/blockingIO      2.34
                  a  webflux/monoIO2                1.90
                  b  tomcat/completableFutureIO     2.31
                  c  tomcat/blockingIO              2.30
                  d  tomcat/suspendIO               2.41
                  e  webflux/monoIO1                1.95
                  –  webflux/blockingIO                –

                  no waiting
                  =  Cell           requests/s  limit  p50 ms  p99 ms  errors  limited by   CPUs  RSS MiB  threads
                  ─  ───────────  ────────────  ─────  ──────  ──────  ──────  ──────────  ─────  ───────  ───────
                  a  tomcat/noop  9,210 ±3.4 %      –    41.0    98.7       0  –           0.990      255      219

                  =  Cell         start s
                  ─  ───────────  ───────
                  a  tomcat/noop     2.29
            """.trimIndent() + "\n"
    }

    @Test
    fun `a narrow terminal continues in more tables and loses nothing`() {
        shown(Fixture.sixRounds(), width = 80, unicode = true) shouldBe
            """
                Ranking
                  A cell is a variant with one request and one load. Mean of the trials with its
                  95 % interval. Rows that share a letter cannot be told apart. Limit: that of
                  the named cause, otherwise the lowest known. Response times under closed load:
                  a slow response delays the next request.

                  waiting 500 ms
                  =  Cell                         requests/s               vs baseline  limit
                  ─  ──────────────────────────  ───────────  ────────────────────────  ─────
                  a  tomcat-virtual/blockingIO    779 ±1.0 %    1.99× [1.97, 2.01]        800
                  a  webflux/monoIO2              775 ±1.3 %    1.98× [1.95, 2.00]        800
                  b  tomcat/completableFutureIO   758 ±1.2 %    1.93× [1.91, 1.96]        800
                  c  tomcat/blockingIO            392 ±0.3 %                  baseline    400
                  d  tomcat/suspendIO             126 ±0.8 %   0.321× [0.319, 0.324]      128
                  e  webflux/monoIO1             19.6 ±2.0 %  0.0500× [0.0490, 0.0510]   20.0
                  –  webflux/blockingIO               failed                         –      –

                  =  Cell                        p50 ms   p99 ms  errors
                  ─  ──────────────────────────  ──────  ───────  ──────
                  a  tomcat-virtual/blockingIO      506      604       0
                  a  webflux/monoIO2                507      536       0
                  b  tomcat/completableFutureIO     511      612       0
                  c  tomcat/blockingIO            1,000    1,030       0
                  d  tomcat/suspendIO             3,140    3,510       0
                  e  webflux/monoIO1             10,200  ≥29,100   1.9 %
                  –  webflux/blockingIO               –        –       –

                  =  Cell                        limited by                   CPUs  RSS MiB
                  ─  ──────────────────────────  ─────────────────────────  ──────  ───────
                  a  tomcat-virtual/blockingIO   400 client connections      0.310      271
                  a  webflux/monoIO2             400 client connections      0.280      248
                  b  tomcat/completableFutureIO  400 client connections      0.360      294
                  c  tomcat/blockingIO           200 Tomcat threads          0.170      239
                  d  tomcat/suspendIO            64 Dispatchers.IO threads  0.0900      244
                  e  webflux/monoIO1             10 boundedElastic threads  0.0400      201
                  –  webflux/blockingIO          –                               –        –

                  =  Cell                        threads  start s
                  ─  ──────────────────────────  ───────  ───────
                  a  tomcat-virtual/blockingIO        38     2.34
                  a  webflux/monoIO2                 431     1.90
                  b  tomcat/completableFutureIO      628     2.31
                  c  tomcat/blockingIO               219     2.30
                  d  tomcat/suspendIO                 86     2.41
                  e  webflux/monoIO1                  29     1.95
                  –  webflux/blockingIO                –        –

                  no waiting
                  =  Cell           requests/s  limit  p50 ms  p99 ms  errors  limited by   CPUs
                  ─  ───────────  ────────────  ─────  ──────  ──────  ──────  ──────────  ─────
                  a  tomcat/noop  9,210 ±3.4 %      –    41.0    98.7       0  –           0.990

                  =  Cell         RSS MiB  threads  start s
                  ─  ───────────  ───────  ───────  ───────
                  a  tomcat/noop      255      219     2.29
            """.trimIndent() + "\n"
    }

    @Test
    fun `without unicode and with one round there are plain signs and no intervals`() {
        shown(Fixture.oneRound(), width = 100, unicode = false, "answer", "ranking") shouldBe
            """
                Answer
                  ? One round only - 1 trial failed
                  tomcat-virtual/blockingIO, webflux/monoIO2 and tomcat/completableFutureIO serve twice as many
                  requests as tomcat/blockingIO.
                  The load limits them: 400 connections / 500 ms = 800/s.
                  By how much          1.99x: one round, no interval. Baseline: tomcat/blockingIO, 392/s.
                  Response time (p99)  604 ms: tomcat-virtual/blockingIO; baseline 1.03 s
                  Why                  200 / 500 ms = 400/s: 200 Tomcat threads limit the baseline.
                  What next            more rounds: One round cannot separate the best 3. ./dyno run
                                       runs/2026-11-20T101500-blocking-io/experiment.yaml --preset standard

                Ranking
                  A cell is a variant with one request and one load. One round, no interval: single rounds of one
                  subject differ by up to 5 %. Limit: that of the named cause, otherwise the lowest known. Response
                  times under closed load: a slow response delays the next request.

                  waiting 500 ms
                  Cell                        requests/s  vs baseline  limit  p50 ms    p99 ms  errors
                  --------------------------  ----------  -----------  -----  ------  --------  ------
                  tomcat-virtual/blockingIO          779        1.99x    800     506       604       0
                  webflux/monoIO2                    775        1.98x    800     507       536       0
                  tomcat/completableFutureIO         758        1.93x    800     511       612       0
                  tomcat/blockingIO                  392     baseline    400   1,000     1,030       0
                  tomcat/suspendIO                   126       0.321x    128   3,140     3,510       0
                  webflux/monoIO1                   19.6      0.0500x   20.0  10,200  >=29,100    10 %
                  webflux/blockingIO              failed            -      -       -         -       -

                  Cell                        limited by                   CPUs  RSS MiB  threads  start s
                  --------------------------  -------------------------  ------  -------  -------  -------
                  tomcat-virtual/blockingIO   400 client connections      0.310      271       38     2.34
                  webflux/monoIO2             400 client connections      0.280      248      431     1.90
                  tomcat/completableFutureIO  400 client connections      0.360      294      628     2.31
                  tomcat/blockingIO           200 Tomcat threads          0.170      239      219     2.30
                  tomcat/suspendIO            64 Dispatchers.IO threads  0.0900      244       86     2.41
                  webflux/monoIO1             10 boundedElastic threads  0.0400      201       29     1.95
                  webflux/blockingIO          -                               -        -        -        -

                  no waiting
                  Cell         requests/s  limit  p50 ms  p99 ms  errors  limited by   CPUs  RSS MiB  threads
                  -----------  ----------  -----  ------  ------  ------  ----------  -----  -------  -------
                  tomcat/noop       9,210      -    41.0    98.7       0  -           0.990      255      219

                  Cell         start s
                  -----------  -------
                  tomcat/noop     2.29
            """.trimIndent() + "\n"
    }

    @Test
    fun `a claim that differs is shown with the limits of its cells and the published conditions`() {
        val text = renderTerminal(page(Fixture.sixRounds()), 200, colour = false, unicode = true)
        val section = text.substringAfter("Claims that differ, and the limits here\n").substringBefore("\n\n")
        section.lines().map { it.trim() } shouldBe
            listOf(
                "· A custom dispatcher makes Deferred equal to CompletableFuture",
                "webflux/monoIO2: 400 client connections: 775/s of at most 800/s, 500 ms per request.",
                "tomcat/completableFutureIO: 400 client connections: 758/s of at most 800/s, 500 ms per request.",
                "Published: Docker, no warm-up, one run. Here: 6 rounds.",
            )
    }

    @Test
    fun `no line is wider than the terminal`() {
        for (width in listOf(80, 100, 120, 200)) {
            for (report in listOf(Fixture.sixRounds(), Fixture.oneRound(), Fixture.small())) {
                renderTerminal(page(report), width, colour = false, unicode = true).lines().filter {
                    it.length > width
                }.shouldBeEmpty()
            }
        }
    }

    @Test
    fun `colour is used only where it is asked for and changes no text`() {
        val plain = renderTerminal(page(Fixture.sixRounds()), 100, colour = false, unicode = true)
        val coloured = renderTerminal(page(Fixture.sixRounds()), 100, colour = true, unicode = true)
        plain shouldNotContain ESCAPE
        coloured shouldContain "$ESCAPE[32m✓ reproduced$ESCAPE[0m"
        coloured.replace(Regex("$ESCAPE\\[[0-9]+m"), "") shouldBe plain
    }

    @Test
    fun `without unicode all signs are ASCII`() {
        val text = renderTerminal(page(Fixture.sixRounds()), 100, colour = false, unicode = false)
        text.filter { it.code > 126 } shouldBe ""
    }

    @Test
    fun `all sections of a whole run are there in reading order`() {
        val text = renderTerminal(page(Fixture.sixRounds()), 100, colour = false, unicode = true)
        val known = page(Fixture.sixRounds()).sections.map(Section::heading)
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
    }
}
