package bootdyno.report

import bootdyno.explain.CellExplanation

/** The limit that binds each cell, same-limit cells together, and what to change next. */
internal fun whySection(report: Report): Section? {
    val measured = report.measured.map { it.cell.id }
    val explanations = report.explanations.filter { it.cell in measured }
    val items = explanations.groupBy { it.bottleneck?.limit }.entries
        .sortedBy { it.key == null }
        .flatMap { (limit, cells) -> if (limit == null) unnamed(cells, measured.size) else listOf(bound(report, limit, cells)) }
    if (items.isEmpty()) return null
    return Section("why", "Why", null, listOf(Bullets(items)) + nextSteps(explanations, measured.size))
}

/** The arithmetic of the fastest cell, and which others are bound likewise. */
private fun bound(report: Report, limit: String, explanations: List<CellExplanation>): Item {
    val fastestFirst = explanations.sortedByDescending { report.analysis.cell(it.cell)?.throughput?.value ?: 0.0 }
    val sentence = fastestFirst.first().bottleneck?.sentence.orEmpty()
    val others = fastestFirst.drop(1).map {
        "${it.cell} (${report.analysis.cell(it.cell)?.throughput?.value?.let(::significant)}/s)"
    }
    val detail = if (others.isEmpty()) {
        listOf(sentence)
    } else {
        listOf("${fastestFirst.first().cell} – $sentence", "Likewise ${listed(others)}.")
    }
    val verb = if (limit.substringBefore(' ').replace(",", "").toDoubleOrNull() == 1.0) "binds" else "bind"
    return Item("$limit $verb ${cells(fastestFirst.map { it.cell }, report.measured.size)}", Tone.STRONG, detail)
}

private fun unnamed(explanations: List<CellExplanation>, of: Int): List<Item> = explanations
    .groupBy { it.missing ?: "no limit is known for it" }
    .map { (missing, cells) -> Item("No limit named for ${cells(cells.map { it.cell }, of)}", Tone.WARN, listOf(missing)) }

private fun nextSteps(explanations: List<CellExplanation>, of: Int): List<Block> {
    val items = explanations.filter { it.next != null }.groupBy { it.next.orEmpty() }
        .map { (next, cells) -> Item(next, detail = listOf("for ${cells(cells.map { it.cell }, of)}")) }
    if (items.isEmpty()) return emptyList()
    return listOf(Paragraph("What to try next", Tone.STRONG, heading = true), Bullets(items))
}
