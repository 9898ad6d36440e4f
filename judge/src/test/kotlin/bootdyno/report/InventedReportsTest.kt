package bootdyno.report

import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.Verdict
import bootdyno.analyse.commonCells
import bootdyno.analyse.compareRuns
import bootdyno.analyse.experiment
import bootdyno.analyse.rankedBy
import bootdyno.model.Assertion
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.Tendency
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
        val report = InventedRuns.report(Random(seed))
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

    private companion object {
        val READ = listOf("text", "summary", "md", "junit", "page")
        val ONE_OF_SEVERAL = Regex("(?<![\\d.,])1 (rounds|trials|cells|variants|gates|runs|others|doubts|rules|instances)\\b")
        val SEVERAL_OF_ONE = Regex("(?<![\\d.,/])([2-9]|\\d\\d+) (round|trial|cell|variant|gate|instance)\\b(?! of| \\d)")
        val TAG = Regex("<[^>]*>")
        val TWICE_SAID = Regex("\\b(the|of|is|and|in) \\1\\b")
        const val REPORTS = 1000
        const val PARTS = 8

        /** Calls of a failure that are shown. */
        const val DEPTH = 5

        /** An expression takes ten times as long to find none of them. */
        val NO_NUMBERS = listOf("NaN", "Infinity", "null /", "∞")
        val NO_NUMBER = Regex("""\bNaN\b|Infinity|\bnull /|∞""")
        val UNDECIDED = Regex("(?i)not decided|undecided|cannot")
    }
}
