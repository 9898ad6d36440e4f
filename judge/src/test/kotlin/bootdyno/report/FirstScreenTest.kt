package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.ConfirmationOutcome
import bootdyno.analyse.Verdict
import bootdyno.analyse.recorded
import bootdyno.analyse.testLoad
import bootdyno.analyse.testTrial
import bootdyno.explain.CellExplanation
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Diagnosis
import bootdyno.model.ErrorCause
import bootdyno.model.Preset
import bootdyno.model.ThreadDump
import bootdyno.model.Variant
import bootdyno.report.format.Screen
import bootdyno.report.format.renderSummary
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.TwoGroups
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class FirstScreenTest {
    private fun tile(screen: FirstScreen, id: String) = screen.tiles.single { it.id == id }

    private fun word(report: Report) = firstScreen(report).badge.sign.word.substringAfter(' ')

    @Test
    fun `a run answers in the titles of its variants`() {
        val screen = firstScreen(Kinds.run)
        screen.verdict shouldBe twoLead
        screen.cause shouldBe "The load limits them: 400 connections ÷ 500 ms = 800/s."
        screen.line shouldBe listOf(
            "run",
            "2026-11-20 10:15",
            "6 rounds, 30 s windows",
            "1 CPU pinned, 1 GiB",
            "closed, 400 connections",
        )
        tile(screen, "how-much").figure shouldBe "1.99×"
        tile(screen, "how-much").text shouldBe "99 % interval 1.97 to 2.01. Baseline: Platform threads, 392/s."
        tile(screen, "response").run { figure to text } shouldBe ("607 ms" to "Virtual threads; baseline 1.03 s")
        tile(screen, "why").figure shouldBe "200 ÷ 500 ms = 400/s"
    }

    private val twoLead = "Virtual threads and WebFlux with its own pool serve twice as many requests as Platform threads."
    private val threeLead = "Virtual threads, WebFlux with its own pool and CompletableFuture serve twice as many requests as " +
        "Platform threads."

    @Test
    fun `every kind of run has a verdict, a certainty and a next step`() {
        fun said(report: Report) = firstScreen(report).run { verdict to badge.sign.word.substringAfter(' ') }
        Kinds.all.mapValues { (_, report) -> said(report) } shouldBe mapOf(
            "run" to (twoLead to "Sure"),
            "one-round" to (threeLead to "One round only"),
            "capacity" to ("It serves up to 393/s with p99 < 900 ms." to "Sure"),
            "no-capacity" to
                ("tomcat/blockingIO does not meet p99 < 900 ms, not even at 190/s, the lowest rate tried." to "Sure"),
            "compare-worse" to ("No: 10 % fewer requests/s." to "Worse"),
            "compare-same" to ("Yes: as fast as before." to "Sure"),
            "confirm" to ("Yes: 1.99 times the requests (predicted: 1.99 to 2)." to "Sure"),
            "single" to ("tomcat serves 392 requests/s." to "Sure"),
            "failed" to ("Nothing was measured: 1 trial failed." to "No result"),
        )
        Kinds.all.forEach { (kind, report) -> withClue(kind) { firstScreen(report).tiles.map { it.id }.last() shouldBe "next" } }
    }

    @Test
    fun `the certainty comes from the verdict`() {
        word(judged(Verdict.UNDECIDED, Interval(0.74, 1.20))) shouldBe "Not decided"
        firstScreen(judged(Verdict.UNDECIDED, Interval(0.74, 1.20))).verdict shouldBe
            "Not decided: webflux is 26 % slower to 20 % faster than tomcat."
        firstScreen(judged(Verdict.UNDECIDED, Interval(0.0182, 47.7))).verdict shouldBe
            "Not decided: the ratio of webflux to tomcat (throughput) is not known within a factor of 10."
        val twoStates = judged(Verdict.UNDECIDED, Interval(0.80, 0.99), TwoGroups(3, 0.8, 5, 1.0))
        word(twoStates) shouldBe "Not decided"
        firstScreen(twoStates).verdict shouldBe
            "Not decided: webflux has 0.8× the throughput of tomcat in 3 rounds and 1× in 5."
        word(judged(Verdict.SLOWER, Interval(0.74, 0.80))) shouldBe "Sure"
        word(Kinds.builds(0.97, noise = 0.05)) shouldBe "Not decided"
    }

    @Test
    fun `a badge says once how many rounds there were`() {
        fun badge(report: Report) = firstScreen(report).badge.words
        val one = reportOf(Fixture.run(1, Preset.QUICK, listOf("tomcat/blockingIO", "tomcat-virtual/blockingIO", "tomcat/noop")))
        badge(one) shouldBe "? One round only"
        badge(one.rerun { copy(trials = trials.drop(1)) }) shouldContain "? One round only · incomplete"
        badge(Kinds.oneRound) shouldBe "? One round only · 1 trial failed"
        val silent = one.remeasured(CellId("tomcat/noop")) { recorded { copy(load = testLoad(0.0)) } }
        badge(silent) shouldBe "? One round only · 1 cell without an answer"
        badge(Kinds.run) shouldContain "✓ Sure · 6 rounds"
        badge(Kinds.builds(0.9)) shouldContain "✗ Worse · 6 rounds"
        badge(judged(Verdict.UNDECIDED, Interval(0.74, 1.20))) shouldContain Regex("^\\? Not decided · \\d+ round")
    }

    @Test
    fun `an interval has its own confidence`() {
        val screen = firstScreen(judged(Verdict.FASTER, Interval(1.25, 1.41, level = 0.9917)))
        tile(screen, "how-much").text shouldContain "99.2 % interval 1.25 to 1.41"
        tile(screen, "how-much").text shouldNotContain "95 %"
    }

    @Test
    fun `a run without a figure says what failed, where, and its last log line`() {
        firstScreen(Kinds.failed).run {
            cause shouldBe "webflux failed at ready: no good answer within 60 s."
            tile(this, "log").text shouldBe "OutOfMemoryError: Java heap space"
            tile(this, "next").command shouldBe "./dyno run runs/2026-11-20T101500-blocking-io/experiment.yaml"
        }
        page(Kinds.failed).sectionsFor(Medium.HTML).first().id shouldBe "failures"
    }

    @Test
    fun `a cell without a title is called by its variant only where each variant has one cell`() {
        val id = CellId("tomcat-virtual/blockingIO")
        Fixture.sixRounds.title(id) shouldBe id.text
        reportOf(Fixture.run(2, Preset.STANDARD, listOf("tomcat/blockingIO", "webflux/monoIO1")))
            .title(CellId("webflux/monoIO1")) shouldBe "webflux"
    }

    @Test
    fun `a change that is predicted to add less than a tenth, or that a variant has, is no next step`() {
        val run = Kinds.run
        tile(firstScreen(run), "next").run {
            figure shouldBe "server.tomcat.threads.max=400"
            text shouldBe "Predicted for Platform threads: 784/s (2 times)."
            command shouldBe "./dyno confirm runs/2026-11-20T101500-blocking-io"
        }
        val tried = Variant("tomcat-400", "servlet", settings = mapOf("server.tomcat.threads.max" to "400"))
        tile(firstScreen(run.asked { copy(variants = variants + tried) }), "next").figure shouldBe "800 connections"
        val little = run.explanations.map { of ->
            of.copy(next = of.next?.run { prediction?.let { copy(prediction = it.copy(low = 1.0, high = 1.06)) } })
        }
        tile(firstScreen(run.copy(explanations = little)), "next").figure shouldBe "nothing to change"
    }

    @Test
    fun `failures are what to mend where they leave a prediction undecided, and not where it is refuted`() {
        fun next(outcome: ConfirmationOutcome): String {
            val failing = Kinds.confirm.analysis.confirmation?.run {
                copy(outcome = outcome, ratio = ratio?.copy(failsMore = changed))
            }
            return tile(firstScreen(Kinds.confirm.run { copy(analysis = analysis.copy(confirmation = failing)) }), "next").figure
        }
        next(ConfirmationOutcome.UNDECIDED) shouldBe "mend the failures"
        next(ConfirmationOutcome.REFUTED) shouldNotContain "failures"
    }

    @Test
    fun `a change that needs more CPUs than the machine has is proposed without a command, which would start nothing`() {
        fun next(cpus: Double): Tile {
            val more = Kinds.run.explanations.map { of ->
                of.copy(next = of.next?.run { prediction?.let { copy(prediction = it.copy(change = Change.Cpus(cpus))) } })
            }
            return tile(firstScreen(Kinds.run.copy(explanations = more)), "next")
        }
        next(2.0).run {
            figure shouldBe "2 CPUs"
            text shouldEndWith " This machine has too few CPUs to confirm it."
            command shouldBe null
        }
        next(1.0).command shouldBe "./dyno confirm runs/2026-11-20T101500-blocking-io"
    }

    @Test
    fun `a run whose limit was not found says where to look for it, and one without a change what to read`() {
        val cell = CellId("tomcat/blockingIO")
        listOf(Kinds.single, Kinds.capacity).forEach { known ->
            val report = known.copy(explanations = emptyList())
            fun next(of: Report) = tile(firstScreen(of), "next").run { listOf(figure, text, command) }
            next(report) shouldBe listOf(
                "find its limit",
                "Observe its threads under this load.",
                "./dyno run runs/2026-11-20T101500-blocking-io/experiment.yaml --diagnose once",
            )
            val seen = "In 15 thread dumps 100 requests were in threads: 97 % sleep (App.rate, line 33)."
            val diagnosis = Diagnosis(from = 0.0, to = 1.0, dumps = listOf(ThreadDump(0.0, 0.0, emptyList())))
            val run = report.analysis.run.copy(trials = listOf(testTrial(cell).copy(diagnosis = diagnosis)))
            val observed = report.copy(
                analysis = report.analysis.copy(run = run),
                explanations = listOf(CellExplanation(cell, emptyList(), null, "CPU 14 % busy. $seen See all stacks.", null)),
            )
            next(observed) shouldBe listOf(
                "find its limit",
                seen,
                "./dyno report --verbose runs/2026-11-20T101500-blocking-io",
            )
        }
        val unchangeable = Kinds.single.explanations.map { it.copy(next = null) }
        tile(firstScreen(Kinds.single.copy(explanations = unchangeable)), "next").run { figure to command } shouldBe
            ("nothing to change" to "./dyno report --verbose runs/2026-11-20T101500-blocking-io")
    }

    @Test
    fun `a first screen has no word of the program's own for the rounds, and none for a single variant`() {
        Kinds.all.forEach { (kind, report) ->
            val line = firstScreen(report).line.joinToString()
            withClue(kind) { listOf("quick", "standard", "paper").filter { it in line }.shouldBeEmpty() }
        }
        val end = renderSummary(Kinds.single, Screen(80, colour = false, unicode = true))
        Regex("\\bcells?\\b").containsMatchIn(end) shouldBe false
    }

    @Test
    fun `at most 110 words stand above the comparison`() {
        Kinds.all.forEach { (kind, report) ->
            val screen = firstScreen(report)
            val texts =
                screen.line +
                    listOfNotNull(screen.question, screen.verdict, screen.cause, screen.badge.sign.word, screen.badge.detail) +
                    screen.tiles.flatMap { listOfNotNull(it.heading, it.figure, it.text, it.command) }
            withClue(kind) {
                texts.flatMap { it.split(' ') }.count { word -> word.any(Char::isLetterOrDigit) } shouldBeLessThanOrEqual
                    110
            }
        }
    }

    @Test
    fun `the three worst doubts are in words, and the others are counted`() {
        fun doubts(report: Report) = checkNotNull(doubtsSection(report))
        doubts(Kinds.run).blocks.filterIsInstance<Bullets>().single().items.size shouldBe 3
        doubts(Kinds.single).blocks.filterIsInstance<Bullets>().single().items.single().tone shouldBe Tone.GOOD
        doubtsSection(Kinds.failed) shouldBe null
    }

    @Test
    fun `of several that may be the best, only those are called faster of which it is shown`() {
        val whole = Kinds.run
        val noisy = CellId("webflux/monoIO2")
        fun verdict(comparisons: List<Comparison>) =
            firstScreen(whole.copy(analysis = whole.analysis.copy(comparisons = comparisons))).verdict
        verdict(whole.analysis.comparisons) shouldBe twoLead
        verdict(
            whole.analysis.comparisons.map {
                if (it.candidate == noisy) it.copy(verdict = Verdict.UNDECIDED) else it
            },
        ) shouldBe
            "Virtual threads serve twice as many requests as Platform threads; WebFlux with its own pool may be as fast."
    }

    /** The small run, whose second cell has this ratio to the baseline and leads or shares the lead. */
    private fun judged(verdict: Verdict, interval: Interval, groups: TwoGroups? = null): Report {
        val small = Fixture.small
        val cells = listOf(CellId("tomcat/blockingIO"), CellId("webflux/monoIO1"))
        val ratio = Estimate((interval.low + interval.high) / 2, interval, 6)
        val leads = verdict == Verdict.FASTER
        val ranks = small.analysis.ranking.map { rank ->
            val isFirst = verdict == Verdict.UNDECIDED || (rank.cell == cells[1]) == leads
            rank.copy(letters = if (isFirst) "a" else "b", mayBeBest = isFirst)
        }
        val comparison = small.analysis.comparisons.first().copy(ratio = ratio, verdict = verdict, groups = groups)
        val kept = small.analysis.cells.filter { it.cell.id in cells }
        return small.copy(
            analysis = small.analysis.copy(
                cells = kept,
                ranking = ranks.sortedBy { it.letters },
                comparisons = listOf(comparison),
                failures = emptyList(),
            ),
        )
    }

    @Test
    fun `where no limit is known, the answer says what the application refuses`() {
        val capacity = Kinds.capacity
        val report = capacity.remeasured {
            val refused = 100 * (record.load?.answered ?: 0)
            recorded {
                copy(load = load?.copy(errors = mapOf(ErrorCause.STATUS to refused), failures = mapOf("status 503" to refused)))
            }
        }
        firstScreen(report).cause shouldBe "The application serves 392/s and refuses what exceeds it with status 503."
    }

    @Test
    fun `a search without any rate that was judged has no result, one whose lowest rate is too high has`() {
        hasResult(Kinds.noCapacity) shouldBe true
        hasResult(Kinds.failed) shouldBe false
        hasResult(Kinds.noCapacity.late(398.0)) shouldBe false
    }
}
