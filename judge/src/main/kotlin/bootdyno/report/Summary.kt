package bootdyno.report

import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.GateOutcome
import bootdyno.model.plural

/**
 * A summary for one terminal screen: answer, ranking, limits, failed trials, doubts about the answer, and the paths of the full report.
 */
fun summary(report: Report): Page {
    val whole = page(report)
    return whole.copy(
        conditions = listOfNotNull(
            Fact("", report.rounds),
            Fact("", plural(report.analysis.machines.size, "machine")).takeIf { report.analysis.machines.isNotEmpty() },
            Fact("", limitsOf(report).let { if (it == NO_LIMITS) "no limits" else it }),
            databaseWords(report)?.let { Fact("", it) },
            composeWords(report)?.let { Fact("", it) },
            Fact("", loads(report.analysis.run.plan.cells)),
        ),
        sections = listOfNotNull(
            headlineSection(report).let { it.copy(blocks = it.blocks + outcomes(report)) },
            (capacitySection(report) ?: rankingSection(report) ?: sweepSection(report) ?: footprintSection(report))?.let(::brief),
            lines("proof", "Proof", proofItems(report)),
            lines("why", "Why", reasons(report).map { Item(it.line, if (it.tone == Tone.WARN) Tone.WARN else Tone.PLAIN) }),
            lines("trust", "Doubts", damagedItems(report) + failureItems(report) + answerDoubts(report)),
            whereSection(report, more = true),
        ),
    )
}

private const val MOST_ROWS = 12
private const val MOST_LINES = 5

/** Only the tables of a section, with equal widths and few rows. */
private fun brief(section: Section): Section {
    val kept = section.blocks.filter { it is Table || (it is Paragraph && it.heading) }
    var left = MOST_ROWS
    val blocks = kept.map { block ->
        if (block is Table) block.brief(left).also { left -= it.rows.size } else block
    }
    val cut = kept.filterIsInstance<Table>().sumOf { it.rows.size } - (MOST_ROWS - left)
    return section.copy(lead = null, blocks = blocks.filterNot { it is Table && it.rows.isEmpty() } + listOfNotNull(more(cut)))
}

private fun lines(id: String, heading: String, items: List<Item>): Section? {
    if (items.isEmpty()) return null
    return Section(id, heading, null, listOf(Bullets(items.take(MOST_LINES))) + listOfNotNull(more(items.size - MOST_LINES)))
}

private fun more(count: Int): Paragraph? = if (count > 0) Paragraph("… and $count more: --verbose", Tone.DIM) else null

/** Gates without a pass, and the number of claims that hold. */
private fun outcomes(report: Report): List<Block> {
    val gates = report.analysis.gates
    val undecided = gates.count { it.outcome == GateOutcome.UNDECIDED }
    val claims = report.analysis.claims.filter { it.measured != null }
        .filter { it.outcome != ClaimOutcome.NO_VERDICT }
    val hold = claims.count { it.outcome == ClaimOutcome.REPRODUCED }
    val counts = listOfNotNull(
        "$undecided of ${plural(gates.size, "gate")} undecided.".takeIf { undecided > 0 && !report.indicative },
        "${plural(gates.size, "gate")} passed.".takeIf { gates.isNotEmpty() && gates.all { it.outcome == GateOutcome.PASS } },
        "$hold of ${plural(claims.size, "published claim")} reproduced.".takeIf { claims.isNotEmpty() && !report.indicative },
    ).joinToString(" ")
    return gates.filter { it.outcome == GateOutcome.FAIL }.map { Paragraph("Gate failed: ${it.rule}", Tone.BAD) } +
        gates.filter { it.outcome == GateOutcome.NOT_MEASURED }.map { Paragraph("Gate not measured: ${it.rule}", Tone.BAD) } +
        listOfNotNull(Paragraph(counts).takeIf { counts.isNotEmpty() })
}
