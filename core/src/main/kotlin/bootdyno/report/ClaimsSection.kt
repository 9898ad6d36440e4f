package bootdyno.report

import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.ClaimOutcome
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.report.Column.WhenTight

/** What the articles say, and whether it holds here. */
internal fun claimsSection(report: Report): Section? {
    val claims = report.analysis.claims
    if (claims.isEmpty()) return null
    val several = report.analysis.protocolPairs.isNotEmpty()
    val table = Table(
        caption = "Claims and whether they hold here",
        columns = listOf(
            Column("claim", importance = 0, whenTight = WhenTight.WRAP),
            Column("published", right = true, importance = 2),
        ) + listOfNotNull(Column("protocol", importance = 2).takeIf { several }) + listOf(
            Column("measured", right = true, importance = 3),
            Column("outcome", importance = 1),
            Column("source", importance = 4, whenTight = WhenTight.DROP),
        ),
        rows = claims.map { row(report, it, several) },
    )
    val lead =
        "Published on other hardware, so ratios are compared. Reproduced: within the tolerance of the claim. " +
            "Same direction: only faster or slower agrees."
    return Section("claims", "Claims", lead, listOf(table) + disagreements(report))
}

/** What binds the cells of each claim that does not hold here, and what is different from when it was published. */
private fun disagreements(report: Report): List<Block> {
    val differing = report.analysis.claims.filter {
        it.outcome == ClaimOutcome.NOT_REPRODUCED || it.outcome == ClaimOutcome.SAME_DIRECTION
    }
    if (differing.isEmpty()) return emptyList()
    val items = differing.map { claim ->
        val why = claim.cells.mapNotNull { id ->
            report.explanation(id)?.let { "$id: ${it.bottleneck?.sentence ?: it.missing}" }
        }
        Item(claim.text, detail = why + conditions(report, claim))
    }
    return listOf(Paragraph("Claims that differ, and the limits here", Tone.STRONG, heading = true), Bullets(items))
}

private fun conditions(report: Report, claim: ClaimJudged): String {
    val published = report.experiment.source?.takeIf { it.key == claim.source }?.conditions
    val here = listOfNotNull(warmth(report, claim), plural(report.analysis.roundsDone, "round")).joinToString(", ")
    return listOfNotNull(published?.let { "Published: $it." }, "Here: $here.").joinToString(" ")
}

private fun warmth(report: Report, claim: ClaimJudged): String? {
    val warmUps = report.analysis.run.trials.filter { it.record.trial.cell in claim.cells }.mapNotNull { it.record.warmUp }
    return when {
        warmUps.isEmpty() -> null
        warmUps.all { it.certified == true } -> "certified warm-up"
        warmUps.all { it.method == "none" } -> "no warm-up"
        warmUps.any { it.certified == false } -> "warm-up not certified"
        else -> "short warm-up: a pool, not the JIT compiler, limits the throughput"
    }
}

/** The protocol the cells of a claim were measured in. */
private fun protocol(report: Report, claim: ClaimJudged): Words {
    val protocols = claim.cells.mapNotNull { report.analysis.cell(it)?.cell?.profile?.protocol }.distinct()
    return Words(protocols.joinToString(" / ") { it.word }, Tone.DIM)
}

/** The figure as printed, or the one word that stands for it. */
internal fun published(claim: ClaimJudged): String = claim.published?.let(::significant) ?: claim.tendency?.word ?: "–"

private fun row(report: Report, claim: ClaimJudged, severalProtocols: Boolean): Row = Row(
    listOfNotNull(
        Words(claim.text),
        Words(published(claim)),
        protocol(report, claim).takeIf { severalProtocols },
        measured(claim.measured, claim.bound),
        badge(sign(claim.outcome, claim.measured)),
        Words(claim.source, Tone.DIM),
    ),
)
