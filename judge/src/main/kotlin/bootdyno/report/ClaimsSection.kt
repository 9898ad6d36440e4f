package bootdyno.report

import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.GateJudged
import bootdyno.model.CellId
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.report.Column.WhenTight

/** Published claims and whether they hold here. */
internal fun claimsSection(report: Report): Section? {
    val claims = report.analysis.claims.ifEmpty { return null }
    val table = table("Claims and whether they hold here", claims) {
        column(Column("claim", importance = 0, whenTight = WhenTight.WRAP)) { Words(it.text) }
        figure("published", importance = 2) { Words(published(it)) }
        if (report.analysis.protocolPairs.isNotEmpty()) {
            text("protocol", importance = 2) { claim ->
                val protocols = claim.cells.mapNotNull { report.analysis.cell(it)?.cell?.profile?.protocol }.distinct()
                Words(protocols.joinToString(" / ") { it.word }, Tone.DIM)
            }
        }
        figure("measured", importance = 3) { measured(it.measured, it.bound) }
        text("outcome", importance = 1) { outcome(report, it) }
        column(Column("source", importance = 4, whenTight = WhenTight.DROP)) { Words(it.source, Tone.DIM) }
    }
    val lead =
        "Published on other hardware, so ratios are compared; other figures are shown without a verdict. Reproduced: the " +
            "interval excludes 1 on the same side, meets the published value ± tolerance, and is narrower than the published effect."
    return Section("claims", "Claims", lead, listOf(table) + disagreements(report))
}

/** For the same direction also the share of the effect: `≈ same direction, 5 % of the published effect`. */
private fun outcome(report: Report, claim: ClaimJudged): Words {
    val sign = sign(claim.outcome)
    val effect = claim.effect?.takeIf { claim.outcome == ClaimOutcome.SAME_DIRECTION }
    val words = if (effect == null) sign else sign.copy(word = "${sign.word}, ${percent(effect)} of the published effect")
    return badge(words).copy(beside = doubtOf(claim.moreErrors, claim.twoGroups) ?: report.unsteadyMark(claim.cells))
}

/** The published figure, or the word that replaces it. */
internal fun published(claim: ClaimJudged): String = claim.published?.let(::significant) ?: claim.tendency?.word ?: "–"

/** The bottleneck of the cells of each claim that does not hold here, and differences from the published conditions. */
private fun disagreements(report: Report): List<Block> {
    val items = report.analysis.claims.filter {
        it.outcome == ClaimOutcome.NOT_REPRODUCED || it.outcome == ClaimOutcome.SAME_DIRECTION
    }.map { claim ->
        val why = claim.cells.mapNotNull { id -> report.explanation(id)?.let { "$id: ${it.bottleneck?.sentence ?: it.missing}" } }
        Item(claim.text, detail = why + conditions(report, claim))
    }.ifEmpty { return emptyList() }
    return listOf(heading("Claims that differ, and the limits here"), Bullets(items))
}

private fun conditions(report: Report, claim: ClaimJudged): String {
    val published = report.experiment.source?.takeIf { it.key == claim.source }?.conditions
    val here = listOfNotNull(warmth(report, claim), plural(report.analysis.roundsDone, "round")).joinToString(", ")
    return published?.let { "Published: $it. " }.orEmpty() + "Here: $here."
}

private fun warmth(report: Report, claim: ClaimJudged): String? {
    val warmUps = report.analysis.run.trials.filter { it.record.trial.cell in claim.cells }.mapNotNull { it.record.warmUp }
    return when {
        warmUps.isEmpty() -> null
        warmUps.all { it.certified == true } -> "certified warm-up"
        warmUps.all { it.isNone } -> "no warm-up"
        warmUps.any { it.certified == false } -> "warm-up not certified"
        else -> "short warm-up: a pool, not the JIT compiler, limits the throughput"
    }
}

/** The experiment's gates and their outcomes. */
internal fun gatesSection(report: Report): Section? {
    val table = table("Gates", report.analysis.gates.ifEmpty { return null }) {
        column(Column("rule", importance = 0, whenTight = WhenTight.WRAP)) { Words(it.rule) }
        figure("observed", importance = 2) { observed(report, it) }
        text("outcome", importance = 1) {
            badge(sign(it.outcome)).copy(beside = doubtOf(it) ?: report.unsteadyMark(cellsOf(report, it)))
        }
    }
    val lead =
        "Undecided: the interval contains the limit. Not measured: no valid trial has the figure. A cell that fails more " +
            "requests than the other does not pass."
    return Section("gates", "Gates", lead, listOf(table))
}

internal const val ONE_FAILS_MORE = "one side fails more requests"

/** Why the interval alone does not decide it; null if it does. */
internal fun doubtOf(gate: GateJudged): String? = doubtOf(gate.moreErrors, gate.twoGroups)

private fun doubtOf(moreErrors: Boolean, twoGroups: Boolean): String? = when {
    moreErrors -> ONE_FAILS_MORE
    twoGroups -> "two groups of rounds"
    else -> null
}

private fun cellsOf(report: Report, gate: GateJudged): List<CellId> =
    report.experiment.gates.find { it.text == gate.rule }?.let { listOfNotNull(it.left.cell, it.right?.cell) }.orEmpty()

/** A ratio for two cells; otherwise a value in the unit of the measure. */
private fun observed(report: Report, gate: GateJudged): Words {
    val rule = report.experiment.gates.find { it.text == gate.rule }
    if (rule == null || rule.right != null) return measured(gate.observed, gate.bound)
    return measured(gate.observed, gate.bound) { spoken(rule.left.measure, it) }
}
