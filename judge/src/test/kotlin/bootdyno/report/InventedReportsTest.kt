package bootdyno.report

import bootdyno.analyse.GateOutcome
import bootdyno.analyse.Verdict
import bootdyno.analyse.analyse
import bootdyno.analyse.experiment
import bootdyno.analyse.failedTrial
import bootdyno.analyse.latencies
import bootdyno.analyse.limitsFound
import bootdyno.analyse.protocol
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.explain.explain
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.CpuBy
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.OpenPointFound
import bootdyno.model.Operand
import bootdyno.model.Prediction
import bootdyno.model.RunFacts
import bootdyno.model.TrialFacts
import bootdyno.report.format.Screen
import bootdyno.report.format.renderBencher
import bootdyno.report.format.renderCsv
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderJunit
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderSummary
import bootdyno.report.format.renderSvg
import bootdyno.report.format.renderTerminal
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.RepeatedTest
import org.junit.jupiter.api.RepetitionInfo
import org.junit.jupiter.api.Tag
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds

/** A thousand runs that nobody would think of: each has a report in every format, whose parts agree. */
class InventedReportsTest {
    @RepeatedTest(PARTS)
    @Tag("full")
    fun `every format of every run can be written, has no number that is none, and its first screen agrees with its figures`(
        part: RepetitionInfo,
    ) {
        val first = (part.currentRepetition - 1) * REPORTS / PARTS + 1
        (first until first + REPORTS / PARTS).toList().parallelStream().flatMap { seed ->
            wrong(seed).stream()
        }.toList().joinToString("\n") shouldBe
            ""
    }

    private fun wrong(seed: Int): List<String> = try {
        val report = report(Random(seed))
        val formats = formats(report)
        val unfit = formats.filterValues(::hasNoNumber).keys.map { "$it has a number that is none" }
        (unfit + ending(report, formats.getValue("summary")) + contradictions(report)).map { "seed $seed: $it" }
    } catch (failure: RuntimeException) {
        listOf("seed $seed: $failure at ${failure.stackTrace.filter { "bootdyno" in it.className }.take(DEPTH)}")
    }

    private fun hasNoNumber(text: String) = NO_NUMBERS.any { it in text } && NO_NUMBER.containsMatchIn(text)

    /** Of what a command prints last. */
    private fun ending(report: Report, summary: String): List<String> = listOfNotNull(
        "its end has more than 24 rows:\n$summary".takeIf { summary.trimEnd().lines().size > 24 },
        summary.lines().find { it.length > 80 }?.let { "a row of its end is too wide: $it" },
        "its end does not say the verdict".takeIf { words(answer(report).verdict) !in words(summary) },
    )

    private fun words(text: String) = text.split(Regex("\\s+")).joinToString(" ")

    private fun formats(report: Report) = mapOf(
        "page" to renderHtml(page(report)).substringAfter("<body").substringBefore("<script"),
        "text" to renderTerminal(page(report), 100, colour = false, unicode = true),
        "summary" to renderSummary(report, Screen(80, colour = false, unicode = true)),
        "md" to renderMarkdown(page(report)),
        "json" to renderJson(report),
        "csv" to renderCsv(report),
        "svg" to renderSvg(report),
        "junit" to renderJunit(report),
        "bencher" to renderBencher(report),
    )

    private fun contradictions(report: Report): List<String> {
        val answer = answer(report)
        val said = answer.verdict
        val group = report.analysis.groups.firstOrNull { it.ranks.isNotEmpty() }
        val isSure = answer.certainty == Certainty.SURE || answer.certainty == Certainty.WORSE
        val ranked = commandOf(report) == "run" && group != null
        val comparison = report.analysis.comparisons.find {
            it.candidate in answer.cells && it.baseline in answer.cells && it.measure == Measure.THROUGHPUT && it.at == null
        }?.takeIf { ranked }
        val gateFailed = report.analysis.gates.any { it.outcome == GateOutcome.FAIL }
        return listOfNotNull(
            "whether a gate failed is not whether it is worse: $said".takeIf {
                commandOf(report) == "compare" && group != null && gateFailed != (answer.certainty == Certainty.WORSE)
            },
            "sure, but: $said".takeIf { isSure && UNDECIDED.containsMatchIn(said) },
            "not decided, but its words are sure: $said"
                .takeIf { answer.certainty == Certainty.NOT_DECIDED && "as fast as before" in said },
            "sure after one round: $said".takeIf { isSure && report.indicative },
            "no result, but a ranking: $said".takeIf { answer.certainty == Certainty.NO_RESULT && ranked },
            comparison?.takeIf { it.verdict == Verdict.SLOWER && it.candidate == answer.cells.first() }
                ?.let { "the slower ${it.candidate} is named first: $said" },
            comparison?.takeIf { isSure && it.verdict == Verdict.FASTER && it.baseline == answer.cells.first() }
                ?.let { "${it.candidate} is faster, but ${it.baseline} is named first: $said" },
        )
    }

    /** Up to six cells, up to eight rounds, each figure from nothing to absurd. */
    private fun report(random: Random): Report {
        val kind = random.nextInt(5)
        val names = if (kind == BUILDS) listOf("base", "head") else NAMES.take(1 + random.nextInt(NAMES.size))
        val works = if (kind == BUILDS || random.nextBoolean()) listOf("orders") else listOf("orders", "noop")
        val load = if (random.nextInt(5) == 0) LoadProfile.Open(100.0) else LoadProfile.Closed(listOf(1, 50, 400).random(random))
        val holds = if (random.nextBoolean()) 500.milliseconds else null
        val cells = works.flatMap { work -> names.map { "$it/$work" } }.map { id ->
            val limits = Limits(listOf(null, 1.0, 0.5).random(random), null, CpuBy.QUOTA)
            testCell(CellId(id), load, limits = limits, holds = holds)
        }
        val rounds = random.nextInt(9)
        val truths = cells.associate { it.id to listOf(0.0, 0.02, 20.0, 400.0, 400.0, 420.0, 800.0, 90_000.0).random(random) }
        val noise = listOf(0.0, 0.01, 0.3).random(random)
        val failing = listOf(0.0, 0.1, 1.0).random(random) * random.nextInt(2)
        val trials = (1..rounds).flatMap { round ->
            cells.shuffled(random).map { cell ->
                if (random.nextDouble() < failing) {
                    failedTrial(cell.id, round)
                } else {
                    val rate = truths.getValue(cell.id) * (1 + noise * (2 * random.nextDouble() - 1))
                    trial(random, cell, round, rate, searches = kind == CAPACITY)
                }
            }
        }
        val run = run(kind, trials, cells, rounds, random)
        val analysis = analyse(run)
        return Report(analysis, explain(analysis), "runs/2026-11-20T101500-test")
    }

    private fun trial(random: Random, cell: Cell, round: Int, rate: Double, searches: Boolean): TrialFacts {
        val errors = if (random.nextInt(4) ==
            0
        ) {
            ErrorCause.entries.associateWith { random.nextLong(3) * random.nextLong(1000) }
        } else {
            null
        }
        val load = testLoad(rate).run { copy(errors = errors ?: this.errors, inFlight = random.nextLong(2) * 400) }
        val millis = List(if (rate == 0.0) 0 else 40) { 1 + random.nextLong(2000) }
        val compiler = random.nextDouble() / 10
        val used = series(
            mapOf(Metric.CPU to { it * rate / 1000 }, Metric.RSS to { 3e8 }, Metric.COMPILER_CPU to { it * compiler }),
        )
        val trial = testTrial(
            cell.id,
            round,
            rate,
            latencies = if (random.nextInt(6) == 0) null else latencies(millis, List(random.nextInt(2) * 40) { 11_000L }),
            load = load,
            series = if (random.nextInt(6) == 0) series(emptyMap()) else used,
            limits = if (random.nextBoolean()) limitsFound() else null,
        )
        if (!searches) return trial
        val tried = List(random.nextInt(5)) { 10.0 * (it + 1) }
        val points = tried.map {
            OpenPointFound(
                perSecond = it,
                load = testLoad(it * random.nextInt(2)).copy(due = (it * 10).toLong()),
                searched = true,
            )
        }
        return trial.copy(
            record = trial.record.copy(openPoints = points),
            openLatencies = tried.map { latencies(List(50) { random.nextLong(400) }) },
        )
    }

    private fun run(kind: Int, trials: List<TrialFacts>, cells: List<Cell>, rounds: Int, random: Random): RunFacts {
        val (last, first) = listOf(cells.last(), cells.first()).map { Operand(it.id, Measure.THROUGHPUT) }
        val slower = Gate("slower by 3 %", last, atLeast = true, factor = 0.97, right = first)
        val asked = experiment(cells, protocol(rounds = maxOf(1, rounds))).copy(
            variants = cells.map { it.variant }.distinct(),
            baseline = cells.first().id.takeIf { kind == BUILDS || random.nextInt(8) > 0 },
            gates = if (kind == BUILDS || random.nextInt(3) == 0) listOf(slower) else emptyList(),
            capacity = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0))).takeIf { kind == CAPACITY },
        )
        val run = testRun(trials, cells, asked)
        if (kind != CONFIRM || cells.size < 2) return run
        return run.copy(plan = run.plan.copy(prediction = Prediction(Change.Setting("threads", "400"), 1.9, 2.0, "Predicted.")))
    }

    private companion object {
        const val REPORTS = 1000
        const val PARTS = 8

        /** Calls of a failure that are shown. */
        const val DEPTH = 5
        const val BUILDS = 1
        const val CAPACITY = 2
        const val CONFIRM = 3
        val NAMES = listOf("tomcat", "webflux", "virtual", "loom", "jetty", "=cmd")

        /** An expression takes ten times as long to find none of them. */
        val NO_NUMBERS = listOf("NaN", "Infinity", "null /", "∞")
        val NO_NUMBER = Regex("""\bNaN\b|Infinity|\bnull /|∞""")
        val UNDECIDED = Regex("(?i)not decided|undecided|cannot")
    }
}
