package bootdyno.report

import bootdyno.explain.CellExplanation
import bootdyno.model.plural
import bootdyno.model.significant

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
        listOf("${fastestFirst.first().cell} – $sentence", "Likewise ${listed(shortened(others))}.") +
            listOfNotNull(HIDDEN_BY_LOAD.takeIf { explanations.all { ofLoad(it, limit) } })
    }
    val number = limit.substringBefore(' ').replace(",", "").toDoubleOrNull()
    val verb = if (number == null || number == 1.0) "binds" else "bind"
    return Item("$limit $verb ${cells(fastestFirst.map { it.cell }, report.measured.size)}", Tone.STRONG, detail)
}

private fun ofLoad(explanation: CellExplanation, limit: String): Boolean =
    explanation.ceilings.any { it.limit == limit && it.ofLoad }

private const val HIDDEN_BY_LOAD =
    "That is the load's own ceiling, and it hides what else differs between them: compare their latency and CPU per request, " +
        "or drive them harder."

/** More than a reader follows in one sentence are counted. */
private fun shortened(others: List<String>): List<String> =
    if (others.size <= MOST_NAMED) others else others.take(MOST_NAMED) + "${others.size - MOST_NAMED} more"

private const val MOST_NAMED = 12

private fun unnamed(explanations: List<CellExplanation>, of: Int): List<Item> = explanations
    .groupBy { it.missing ?: "no limit is known for it" }
    .map { (missing, cells) -> Item("No limit named for ${cells(cells.map { it.cell }, of)}", Tone.WARN, listOf(missing)) }

private fun nextSteps(explanations: List<CellExplanation>, of: Int): List<Block> {
    val advised = explanations.filter { it.next != null }
    val items = advised.groupBy { it.next.orEmpty().substringBefore(THEN) }.map { (knob, cells) -> advice(knob, cells, of) }
    if (items.isEmpty()) return emptyList()
    return listOf(Paragraph("What to try next", Tone.STRONG, heading = true), Bullets(items))
}

/** Between the knob to turn and what that predicts. */
private const val THEN = ": then "
private const val MOST_PREDICTED = 3

/** One knob, and what turning it predicts: for all its cells, or for the first few where they differ. */
private fun advice(knob: String, explanations: List<CellExplanation>, of: Int): Item {
    val predictions = explanations.groupBy { it.next.orEmpty().substringAfter(THEN) }
    if (predictions.size == 1) {
        return Item("$knob$THEN${predictions.keys.single()}", detail = listOf("for ${cells(explanations.map { it.cell }, of)}"))
    }
    val shown = predictions.entries.take(MOST_PREDICTED).map { (prediction, cells) ->
        "then $prediction, for ${cells(cells.map { it.cell }, of)}"
    }
    val more = explanations.size - predictions.values.take(MOST_PREDICTED).sumOf { it.size }
    return Item("$knob:", detail = shown + listOfNotNull("and likewise for ${plural(more, "more cell")}".takeIf { more > 0 }))
}
