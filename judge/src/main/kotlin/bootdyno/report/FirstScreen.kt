package bootdyno.report

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.LoadProfile
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.time

/** The answer of a page on one screen: [line] says what was measured and how; four [tiles] are amount, response time, reason and next step. */
data class FirstScreen(
    val line: List<String>,
    val question: String,
    val verdict: String,
    val cause: String?,
    val badge: Badge,
    val tiles: List<Tile>,
) {
    /** The cause, or where it is not known, what the tile says instead. */
    internal val why: String? get() = cause ?: tiles.find { it.id == "why" }?.text
}

/** How sure a verdict is, with its grounds. */
data class Badge(val sign: Sign, val detail: String) {
    internal val words: String get() = listOf(sign.word, detail).filter { it.isNotEmpty() }.joinToString(" · ")
}

/** [figure] in large letters; [command]: to copy. */
data class Tile(val id: String, val heading: String, val figure: String, val text: String, val command: String? = null) {
    internal val words: String get() = listOf(figure, text).filter { it.isNotEmpty() }.joinToString(": ")
}

/** How sure a verdict is, in a word. */
internal enum class Certainty(val sign: Sign) {
    SURE(Sign("✓ Sure", Tone.GOOD)),
    WORSE(Sign("✗ Worse", Tone.BAD)),
    NOT_DECIDED(Sign("? Not decided", Tone.WARN)),
    ONE_ROUND(Sign("? One round only", Tone.WARN)),
    NO_RESULT(Sign("– No result", Tone.BAD)),
}

/** Of an answer by a single [verdict]. */
internal fun certainty(report: Report, verdict: Verdict?): Certainty = when {
    report.indicative -> Certainty.ONE_ROUND
    verdict == null || verdict == Verdict.UNDECIDED -> Certainty.NOT_DECIDED
    else -> Certainty.SURE
}

/** [cells]: whose figures the verdict compares. */
internal data class FirstAnswer(
    val verdict: String,
    val cause: String?,
    val certainty: Certainty,
    val tiles: List<Tile>,
    val cells: List<CellId> = emptyList(),
)

internal fun firstScreen(report: Report): FirstScreen {
    val answer = answer(report)
    return FirstScreen(
        line = line(report),
        question = report.analysis.confirmation?.let { "Does ${it.prediction.change.text} do what was predicted?" }
            ?: report.experiment.question.ifBlank { report.experiment.title },
        verdict = answer.verdict,
        cause = answer.cause,
        badge = badge(report, answer),
        tiles = answer.tiles,
    )
}

internal fun answer(report: Report): FirstAnswer {
    val groups = report.analysis.groups
    val group = groups.firstOrNull { it.ranks.isNotEmpty() }
        ?: groups.firstOrNull { all -> all.cells.any { report.cell(it).capacity != null } }
        ?: return capacityAnswer(report) ?: failedAnswer(report)
    return report.analysis.confirmation?.let { confirmationAnswer(report, it) }
        ?: buildsAnswer(report, group)
        ?: capacityAnswer(report)
        ?: sweptAnswer(report, group)
        ?: startUpAnswer(report, group)
        ?: openAnswer(report, group)
        ?: rankingAnswer(report, group)
}

/** Whether the question of [report] has an answer, be it undecided. */
fun hasResult(report: Report): Boolean = answer(report).certainty != Certainty.NO_RESULT

/** Whether the question has an answer, no trial failed or is damaged, and every cell and rule was measured. Otherwise the exit code is 1. */
fun isWhole(report: Report): Boolean = with(report.analysis) {
    failures.isEmpty() && run.damaged.isEmpty() && hasResult(report) && gates.none { it.outcome == GateOutcome.NOT_MEASURED } &&
        cells.none { it.isUncounted || it.answeredNothing }
}

/** What kind of run it is, as its command is called. */
internal fun commandOf(report: Report): String = when {
    report.analysis.confirmation != null -> "confirm"
    report.comparesBuilds -> "compare"
    report.experiment.capacity != null -> "capacity"
    else -> "run"
}

private fun line(report: Report): List<String> = listOfNotNull(
    commandOf(report),
    report.analysis.run.environment.startedAt.take("2026-11-20T10:15".length).replace('T', ' '),
    listOfNotNull(report.rounds, windowsOf(report)).joinToString(),
    limitsOf(report).let { if (it == NO_LIMITS) "no limits" else it },
    report.analysis.run.plan.cells.mapNotNull { it.profile.loadInWindow }.distinct().joinToString("; ") { describe(it) },
    "one process a round".takeIf { report.analysis.run.trials.any { it.record.shared != null } },
)

/** `30 s windows`; null for bursts, which end when all requests have. */
private fun windowsOf(report: Report): String? {
    val profiles = report.analysis.run.plan.cells.map { it.profile }.filterNot { it.loadInWindow is LoadProfile.Burst }
    return profiles.map { time(it.window) }.distinct().ifEmpty { null }?.let { "${listed(it)} windows" }
}

private fun badge(report: Report, answer: FirstAnswer): Badge {
    val analysis = report.analysis
    val unsteady = report.unsteadyMark(answer.cells)
    val isSure = answer.certainty == Certainty.SURE && unsteady == null
    val certainty = if (answer.certainty == Certainty.SURE && !isSure) Certainty.NOT_DECIDED else answer.certainty
    fun gates(outcome: GateOutcome, word: String) = analysis.gates.count { it.outcome == outcome }
        .takeIf { it > 0 }?.let { "$it of ${plural(analysis.gates.size, "gate")} $word" }
    fun cells(words: String, lack: (CellAnalysis) -> Boolean) = analysis.cells.count(lack)
        .takeIf { it > 0 }?.let { "${plural(it, report.noun)} $words" }
    val detail = listOfNotNull(
        roundsBeside(certainty, report),
        unsteady?.let { "a compared ${report.noun} is $it" },
        gates(GateOutcome.FAIL, "failed"),
        gates(GateOutcome.NOT_MEASURED, "not measured"),
        gates(GateOutcome.UNDECIDED, "undecided").takeUnless { report.indicative },
        "exit code ${if (isWhole(report)) "3" else "1"}".takeIf { certainty == Certainty.WORSE },
        "both builds in the same rounds".takeIf { report.comparesBuilds },
        "${plural(analysis.failures.size, "trial")} failed".takeIf { analysis.failures.isNotEmpty() },
        "${plural(analysis.run.damaged.size, "trial")} damaged".takeIf { analysis.run.damaged.isNotEmpty() },
        cells("without a valid trial") { it.isUncounted },
        cells("without an answer") { it.answeredNothing },
        cells("not run") { cell -> analysis.isNotRun(cell.cell.id) },
    )
    // Of what its load is judged by, not of a start.
    val shows = analysis.resolved[analysis.roundsDone]?.takeIf { answer.cells.isNotEmpty() }
        ?.let { "can find differences of ${percent(it)} or more" }
    return Badge(certainty.sign, (if (isSure && detail.size == 1) detail + listOfNotNull(shows) else detail).joinToString(" · "))
}

/** Whether all trials of [cell] were left out, as those of a native executable without GraalVM are. */
private fun Analysis.isNotRun(cell: CellId): Boolean = run.trials.map { it.record }.filter { it.trial.cell == cell }
    .run { isNotEmpty() && all { it.ending is Ending.NotRun } }

/** The rounds, where the word of [certainty] does not say them: null, or what else is known of the only one. */
private fun roundsBeside(certainty: Certainty, report: Report): String? {
    if (certainty != Certainty.ONE_ROUND) return report.rounds
    return report.rounds.removePrefix("1 round").removePrefix(", ").ifEmpty { null }
}

/** The reasons to doubt the answer that weigh most, in words. */
internal fun worstDoubts(report: Report): List<Item> =
    listOfNotNull(damagedDoubt(report)) + failureItems(report) + answerDoubts(report)

private const val MOST_DOUBTS = 3

/** The worst doubts, below the comparison. */
internal fun doubtsSection(report: Report): Section? {
    // Without an answer, its reasons are above.
    if (!hasResult(report)) return null
    val all = worstDoubts(report)
    val more = all.size - MOST_DOUBTS
    val answer = answer(report)
    val none = if (answer.certainty == Certainty.SURE) "No doubt about this answer was found." else "No other doubt was found."
    val items = all.take(MOST_DOUBTS).ifEmpty { listOf(Item(none, Tone.GOOD)) }
    val rest = Paragraph("${plural(more, "more doubt")}: see “Doubts and checks”.", Tone.DIM).takeIf { more > 0 }
    val open = openAfterOneRound(report, answer.tiles)?.let { Paragraph(it) }
    return Section("doubts", "What could change this answer", null, listOfNotNull(Bullets(items), rest, open), setOf(Medium.HTML))
}
