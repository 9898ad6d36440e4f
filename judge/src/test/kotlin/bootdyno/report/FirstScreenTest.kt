package bootdyno.report

import bootdyno.analyse.recorded
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
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
        val open = compared(0.7, 1.2, 0.8, 1.1, 0.9, 1.0)
        word(open) shouldBe "Not decided"
        firstScreen(open).verdict shouldContain Regex("^Not decided: webflux is \\d+ % slower to \\d+ % faster than tomcat\\.$")
        firstScreen(compared(0.1, 10.0, 0.3, 3.0, 0.1, 10.0)).verdict shouldBe
            "Not decided: the ratio of webflux to tomcat (throughput) is not known within a factor of 10."
        val twoStates = compared(0.8, 0.8, 1.0, 0.8, 1.0, 0.8, 0.8, 0.8)
        word(twoStates) shouldBe "Not decided"
        firstScreen(twoStates).verdict shouldBe
            "Not decided: webflux has 0.8× the throughput of tomcat in 6 rounds and 1× in 2."
        word(compared(0.77, 0.75, 0.79, 0.76, 0.78, 0.77)) shouldBe "Sure"
        word(Kinds.builds(0.97, noise = 0.05)) shouldBe "Not decided"
    }

    /** Two variants, of which the second serves these shares of the first one's requests. */
    private fun compared(vararg ratios: Double): Report {
        val cells = listOf("tomcat/work", "webflux/work").map { testCell(CellId(it)) }
        val trials = rounds(cells[0].id, *Array(ratios.size) { 1000.0 }) +
            rounds(cells[1].id, *Array(ratios.size) { 1000 * ratios[it] })
        return reportOf(testRun(trials, cells))
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
        badge(compared(0.7, 1.2, 0.8, 1.1, 0.9, 1.0)) shouldContain Regex("^\\? Not decided · \\d+ round")
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
        fun next(served: Double): String {
            val failing = Kinds.confirm.remeasured(CellId("tomcat+threads.max=400/blocking")) {
                val errors = mapOf(ErrorCause.RESET to 4000L)
                recorded { copy(load = load?.run { copy(answered = (answered * served).toLong(), errors = errors) }) }
            }
            return tile(firstScreen(failing.copy(explanations = emptyList())), "next").figure
        }
        next(served = 1.0) shouldBe "mend the failures"
        next(served = 0.5) shouldNotContain "failures"
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
            val observed = known.remeasured { copy(diagnosis = diagnosis) }.copy(
                explanations = listOf(CellExplanation(cell, emptyList(), null, "CPU 14 % busy. $seen See all stacks.", null)),
            )
            next(observed) shouldBe listOf("find its limit", seen, "./dyno report --verbose runs/2026-11-20T101500-blocking-io")
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
