package bootdyno.report

import bootdyno.analyse.ClaimJudged
import bootdyno.report.Column.WhenTight

/** What the articles say, and whether it holds here. */
internal fun claimsSection(report: Report): Section? {
    val claims = report.analysis.claims
    if (claims.isEmpty()) return null
    val table = Table(
        caption = "Claims and whether they hold here",
        columns = listOf(
            Column("claim", importance = 0, whenTight = WhenTight.WRAP),
            Column("published", right = true, importance = 2),
            Column("measured", right = true, importance = 3),
            Column("outcome", importance = 1),
            Column("source", importance = 4, whenTight = WhenTight.DROP),
        ),
        rows = claims.map(::row),
    )
    val lead =
        "Published on other hardware, so ratios are compared rather than absolute figures. Reproduced: within the claim's " +
            "tolerance; same direction: only the sign agrees."
    return Section("claims", "Claims", lead, listOf(table))
}

private fun row(claim: ClaimJudged): Row = Row(
    listOf(
        Words(claim.text),
        Words(significant(claim.published)),
        measured(claim.measured, claim.bound),
        badge(sign(claim.outcome)),
        Words(claim.source, Tone.DIM),
    ),
)
