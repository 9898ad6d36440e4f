package bootdyno.report

import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.Verdict
import bootdyno.analyse.analyse
import bootdyno.analyse.burst
import bootdyno.analyse.commonCells
import bootdyno.analyse.compareRuns
import bootdyno.analyse.experiment
import bootdyno.analyse.failedTrial
import bootdyno.analyse.latencies
import bootdyno.analyse.limitsFound
import bootdyno.analyse.protocol
import bootdyno.analyse.rankedBy
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.explain.explain
import bootdyno.model.Assertion
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Claim
import bootdyno.model.CpuBy
import bootdyno.model.DamagedTrial
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Matters
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.OpenPointFound
import bootdyno.model.Operand
import bootdyno.model.Prediction
import bootdyno.model.RunFacts
import bootdyno.model.Tendency
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
        (first until first + REPORTS / PARTS).toList().parallelStream().flatMap { wrong(it).stream() }.toList()
            .joinToString("\n") shouldBe ""
    }

    private fun wrong(seed: Int): List<String> = try {
        val report = report(Random(seed))
        val formats = formats(report)
        val unfit = formats.filterValues(::hasNoNumber).keys.map { "$it has a number that is none" }
        val said = ending(report, formats.getValue("summary")) + contradictions(report) +
            outcomes(report, formats.getValue("junit")) + words(formats)
        (unfit + said + twoRuns(report, Random(seed))).map { "seed $seed: $it" }
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

    private fun formats(report: Report, laidOut: Page = page(report)) = mapOf(
        "page" to renderHtml(laidOut).substringAfter("<body").substringBefore("<script"),
        "text" to renderTerminal(laidOut, 100, colour = false, unicode = true),
        "summary" to renderSummary(report, Screen(80, colour = false, unicode = true)),
        "md" to renderMarkdown(laidOut),
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
        val outcomes = report.analysis.gates.map { it.outcome }
        val gateFailed = GateOutcome.FAIL in outcomes && GateOutcome.NOT_MEASURED !in outcomes
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

    /** Verdicts, letters, rules, claims, counts and exit codes of one run, in pairs. */
    private fun outcomes(report: Report, junit: String): List<String> = with(report.analysis) {
        val ranks = ranking.associateBy { it.cell }
        val order = ranking.map { it.cell }
        val ofComparisons = comparisons.flatMap { of ->
            val interval = of.ratio.interval
            val better = of.verdict == Verdict.FASTER
            val isAbove = better == of.measure.moreIsBetter
            val isRanked = of.at == null && of.measure == cell(of.candidate)?.cell?.rankedBy
            val ranked = isRanked && of.candidate in order && of.baseline in order
            val (first, second) = if (better) of.candidate to of.baseline else of.baseline to of.candidate
            val differs = of.verdict == Verdict.FASTER || of.verdict == Verdict.SLOWER
            listOfNotNull(
                "a difference within its interval".takeIf {
                    differs && interval != null && (if (isAbove) interval.low <= 1 else interval.high >= 1)
                },
                "equivalent, but ${of.most}".takeIf { of.verdict == Verdict.EQUIVALENT && (of.most ?: 1.0) > of.delta + 1e-9 },
                "a verdict that is undone".takeIf { (of.moreErrors || of.groups != null) && of.verdict != Verdict.UNDECIDED },
                "faster, and fails more".takeIf { differs && of.failsMore == first },
                "p ${of.p} beside its interval".takeIf {
                    of.p != null && interval != null && of.groups == null && (of.p < 0.05 - 1e-9) == (1.0 in interval)
                },
                "ranked below what it beats".takeIf { ranked && differs && order.indexOf(first) > order.indexOf(second) },
                "beaten, and may be the best".takeIf { ranked && differs && ranks[second]?.mayBeBest == true },
            ).map { "${of.candidate} ${of.measure.word}: $it ($of)" }
        }
        val ofGates = gates.zip(report.experiment.gates).mapNotNull { (gate, rule) ->
            val of = comparisons.find {
                val isOfCells = it.candidate == rule.left.cell && it.baseline == rule.right?.cell
                isOfCells && it.at == null && it.measure == rule.left.measure
            }
            val worse = of?.verdict == Verdict.SLOWER
            val demandsMore = rule.atLeast == rule.left.measure.moreIsBetter && rule.factor == 1.0
            "the gate ${gate.rule} passes beside $of".takeIf { worse && gate.outcome == GateOutcome.PASS && demandsMore }
        }
        val ofClaims = claims.zip(report.experiment.claims).mapNotNull { (claim, from) ->
            val about = from.assertion as? Assertion.Difference ?: return@mapNotNull null
            val of = comparisons.find {
                val isOfCells = it.candidate == about.candidate && it.baseline == about.baseline
                isOfCells && it.at == null && it.measure == about.measure
            } ?: return@mapNotNull null
            val more = (about.tendency == Tendency.MORE) == of.measure.moreIsBetter
            val expected = if (more) Verdict.FASTER else Verdict.SLOWER
            val isReproduced = claim.outcome == ClaimOutcome.REPRODUCED
            "the claim ${claim.text} is reproduced beside $of".takeIf { isReproduced && of.verdict != expected }
        }
        val badge = firstScreen(report).badge.detail
        listOfNotNull(
            "whole, but JUnit has an error".takeIf { isWhole(report) && "<error" in junit },
            "a gate failed, but not in JUnit".takeIf { gates.any { it.outcome == GateOutcome.FAIL } != ("<failure" in junit) },
            "a gate failed, but not in the badge: $badge".takeIf {
                gates.any { it.outcome == GateOutcome.FAIL } != Regex("gates? failed").containsMatchIn(badge)
            },
            "exit code 3 of a run that is not whole".takeIf { "exit code 3" in badge && !isWhole(report) },
        ) + ofComparisons + ofGates + ofClaims
    }

    /** Words that do not agree in number, figures with too many digits, rows that are too wide. */
    private fun words(formats: Map<String, String>): List<String> = READ.flatMap { name ->
        val text = formats.getValue(name).replace(TAG, " ")
        listOf(ONE_OF_SEVERAL, SEVERAL_OF_ONE, TWICE_SAID).mapNotNull { it.find(text) }.map { found ->
            "$name: “${text.substring(maxOf(0, found.range.first - 40), minOf(text.length, found.range.last + 40))}”"
        }
    } + formats.getValue("text").lines().filter { row -> row.length > 100 && row.trim().count { it == ' ' } > 3 }
        .take(1).map { "too wide: $it" }

    /** The page of this run and another one of the same plan. */
    private fun twoRuns(report: Report, random: Random): List<String> {
        val base = report.analysis.run
        val head = base.copy(
            trials = base.trials.map { trial ->
                val load = trial.record.load ?: return@map trial
                val share = if (random.nextInt(4) == 0) random.nextDouble() else 1.0
                trial.copy(record = trial.record.copy(load = load.copy(answered = (load.answered * share).toLong())))
            },
        )
        val common = commonCells(base, head)
        if (common.comparable.isEmpty()) return emptyList()
        val rules = common.comparable.map { Operand(it.id, Measure.THROUGHPUT) }.map { Gate("$it", it, true, 0.97, it) }
        val runs = compareRuns(base, head, common, rules)
        val page = page(runs, RunNames("a", "b"))
        val text = renderMarkdown(page) + renderHtml(page).substringAfter("<body").substringBefore("<script") +
            renderJson(runs, RunNames("a", "b")) + renderTerminal(page, 80, colour = false, unicode = true)
        val outcomes = runs.gates.map { it.outcome }
        val fails = GateOutcome.FAIL in outcomes && GateOutcome.NOT_MEASURED !in outcomes
        val badge = page.first?.badge?.words.orEmpty()
        return listOfNotNull(
            "two runs have a number that is none".takeIf { hasNoNumber(text) },
            "two runs: $badge, ${page.first?.verdict}".takeIf { fails != ("Worse" in badge) },
        )
    }

    /** Up to six cells, up to eight rounds, each figure from nothing to absurd. */
    private fun report(random: Random): Report {
        val kind = random.nextInt(6)
        val names = if (kind == BUILDS) listOf("base", "head") else NAMES.take(1 + random.nextInt(NAMES.size))
        val works = if (kind == BUILDS || random.nextBoolean()) listOf("orders") else listOf("orders", "noop")
        val load = when {
            kind == BURST -> LoadProfile.Burst(USERS, 1)
            random.nextInt(5) == 0 -> LoadProfile.Open(100.0)
            else -> LoadProfile.Closed(listOf(1, 50, 400).random(random))
        }
        val holds = if (random.nextBoolean()) 500.milliseconds else null
        val cells = works.flatMap { work -> names.map { "$it/$work" } }.map { id ->
            val limits = Limits(listOf(null, 1.0, 0.5).random(random), null, CpuBy.QUOTA)
            testCell(CellId(id), load, limits = limits, holds = holds)
        }
        val rounds = random.nextInt(9)
        val truths = cells.associate { it.id to listOf(0.0, 0.02, 20.0, 400.0, 400.0, 420.0, 800.0, 90_000.0).random(random) }
        val noise = listOf(0.0, 0.01, 0.3).random(random)
        val failing = listOf(0.0, 0.1, 1.0).random(random) * random.nextInt(2)
        // Of some cells a round is missing, or ended before their trial; some windows were limited by the load generator.
        val (missing, invalid) = List(2) { listOf(0.0, 0.0, 0.2, 0.6).random(random) }
        val twice = random.nextBoolean()
        val trials = (1..rounds).flatMap { round ->
            cells.shuffled(random).flatMap { cell ->
                List(if (twice && cell == cells.first()) 2 else 1) { nth ->
                    val rate = truths.getValue(cell.id) * (1 + noise * (2 * random.nextDouble() - 1))
                    val measured = when {
                        random.nextDouble() < missing -> null
                        random.nextDouble() < failing -> failedTrial(cell.id, round)
                        kind == BURST -> burst(cell.id, round, answers(random, rate), USERS)
                        else -> trial(random, cell, round, rate, searches = kind == CAPACITY)
                    }
                    measured?.let { again(if (random.nextDouble() < invalid) limited(it) else it, nth == 1) }
                }.filterNotNull()
            }
        }
        val run = run(kind, trials, cells, rounds, random)
        val analysis = analyse(run)
        return Report(analysis, explain(analysis), "runs/2026-11-20T101500-test")
    }

    private fun answers(random: Random, rate: Double) =
        List(1 + random.nextInt(USERS)) { 1 + (it + 1) * 1000L / (1 + rate.toLong()) }

    private fun again(trial: TrialFacts, isSecond: Boolean): TrialFacts =
        trial.copy(record = trial.record.run { copy(trial = this.trial.copy(again = isSecond)) })

    private fun limited(trial: TrialFacts): TrialFacts =
        trial.copy(record = trial.record.run { copy(load = load?.run { copy(generator = generator.copy(cpuSeconds = 1e3)) }) })

    private fun rules(random: Random, cells: List<Cell>): List<Gate> = List(random.nextInt(4)) { nth ->
        val (left, right) = List(2) { cells.random(random).id }
        val measure = listOf(Measure.THROUGHPUT, Measure.ERRORS, Measure.P99, Measure.RSS, Measure.CPU_PER_REQUEST).random(random)
        val factor = listOf(0.97, 1.0, 1.03, 1.5).random(random)
        val other = Operand(right, measure).takeIf { random.nextInt(4) > 0 && left != right }
        Gate("rule $nth", Operand(left, measure), random.nextBoolean(), factor, other)
    }

    private fun claims(random: Random, cells: List<Cell>): List<Claim> = List(random.nextInt(3)) { nth ->
        val (one, two) = cells.shuffled(random).map { it.id }
        val about = when (random.nextInt(3)) {
            0 -> Assertion.Ratio(one, two, Measure.THROUGHPUT, listOf(0.5, 1.01, 2.0).random(random))
            1 -> Assertion.Figure(one, Measure.THROUGHPUT, 400.0)
            else -> Assertion.Difference(one, two, Measure.THROUGHPUT, Tendency.entries.random(random))
        }
        Claim("claim $nth", "source", about, 0.1)
    }

    private fun trial(random: Random, cell: Cell, round: Int, rate: Double, searches: Boolean): TrialFacts {
        val fails = random.nextInt(4) == 0
        val errors = if (fails) ErrorCause.entries.associateWith { random.nextLong(3) * random.nextLong(1000) } else null
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
        val planned = maxOf(1, rounds)
        val asked = experiment(cells, protocol(planned, listOf(planned, planned + 6).random(random))).copy(
            variants = cells.map { it.variant }.distinct(),
            baseline = cells.first().id.takeIf { kind == BUILDS || random.nextInt(8) > 0 },
            gates = (if (kind == BUILDS || random.nextInt(3) == 0) listOf(slower) else emptyList()) + rules(random, cells),
            titles = if (random.nextInt(4) > 0) emptyMap() else cells.associate { it.id.text to LONG_TITLE + it.id },
            claims = if (cells.size > 1) claims(random, cells) else emptyList(),
            matters = Matters(listOf(0.01, 0.03, 0.1).random(random)),
            capacity = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0))).takeIf { kind == CAPACITY },
        )
        val damaged = List(listOf(0, 0, 1, 3).random(random)) {
            DamagedTrial(it + 1, cells.random(random).id, "trials/$it", "it is empty")
        }
        val run = merged(testRun(trials, cells, asked).copy(damaged = damaged), random)
        if (kind != CONFIRM || cells.size < 2) return run
        return run.copy(plan = run.plan.copy(prediction = Prediction(Change.Setting("threads", "400"), 1.9, 2.0, "Predicted.")))
    }

    /** Every fifth run is of two machines, of one or two CPU models. */
    private fun merged(run: RunFacts, random: Random): RunFacts {
        if (random.nextInt(5) > 0) return run
        val (odd, even) = (1..9).partition { it % 2 == 1 }
        val models = listOf("a", listOf("a", "b").random(random))
        val machines = listOf(odd, even).zip(models).map { (rounds, cpu) ->
            run.environment.copy(cpuModel = cpu, rounds = rounds)
        }
        return run.copy(environment = machines[0], otherMachines = machines.drop(1))
    }

    private companion object {
        const val USERS = 100
        val READ = listOf("text", "summary", "md", "junit", "page")
        const val LONG_TITLE = "Virtual threads with a pool of connections, "
        const val BURST = 5
        val ONE_OF_SEVERAL = Regex("(?<![\\d.,])1 (rounds|trials|cells|variants|gates|runs|others|doubts|rules|instances)\\b")
        val SEVERAL_OF_ONE = Regex("(?<![\\d.,/])([2-9]|\\d\\d+) (round|trial|cell|variant|gate|instance)\\b(?! of| \\d)")
        val TAG = Regex("<[^>]*>")
        val TWICE_SAID = Regex("\\b(the|of|is|and|in) \\1\\b")
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
