package bootdyno.report

import bootdyno.explain.CellExplanation
import bootdyno.explain.LimitName
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.model.plural
import bootdyno.model.significant

/** The limit of each group of cells, and what to change next. */
internal fun whySection(report: Report): Section? {
    val items = reasons(report).ifEmpty { return null }
    return Section("why", "Why", null, listOf(Bullets(items)) + nextSteps(report))
}

/** The common limit of cells, with their names; starts with the fastest cell's. */
private fun reasons(report: Report): List<Item> =
    explained(report).sortedByDescending { report.rate(it.cell) ?: 0.0 }.groupBy { it.bottleneck?.limit }.entries
        .sortedBy { it.key == null }
        .flatMap { (limit, cells) -> if (limit == null) unnamed(report, cells) else listOf(limited(report, limit, cells)) }

private fun explained(report: Report): List<CellExplanation> {
    val measured = report.measured.map { it.cell.id }
    return report.explanations.filter { it.cell in measured }
}

private fun named(report: Report, explanations: List<CellExplanation>) =
    report.cells(explanations.map { it.cell }, report.measured.size)

/** Cells above this number are counted instead of named. */
private const val MOST_NAMED = 12

/** Figures of the fastest cell, and other cells with the same limit. */
private fun limited(report: Report, limit: LimitName, fastestFirst: List<CellExplanation>): Item {
    val fastest = fastestFirst.first()
    val measured = fastest.bottleneck?.measured.orEmpty()
    val others = fastestFirst.drop(1).map { "${it.cell} (${perSecond(report.rate(it.cell) ?: 0.0)})" }
    val more = others.drop(MOST_NAMED).size
    val also = others.take(MOST_NAMED) + listOfNotNull("$more more".takeIf { more > 0 })
    val ofLoad = fastestFirst.all { it.binding?.ofLoad == true }
    val advice = "Compare latency and CPU time per request, or raise the load."
    return Item(
        "${if (ofLoad) "The load limits" else "$limit ${limit.verb("limit")}"} ${named(report, fastestFirst)}",
        Tone.STRONG,
        listOf(if (others.isEmpty()) measured else "${fastest.cell}: $measured") +
            fastest.bottleneck?.details.orEmpty() +
            listOfNotNull("Also: ${listed(also)}.".takeIf { others.isNotEmpty() }, advice.takeIf { ofLoad }),
    )
}

private fun unnamed(report: Report, explanations: List<CellExplanation>): List<Item> = explanations
    .groupBy { it.missing ?: "Nothing is known about it." }
    .map { (missing, cells) -> Item("Limit not found for ${named(report, cells)}", Tone.WARN, listOf(missing)) }

private fun nextSteps(report: Report): List<Block> {
    val (advised, useless) = explained(report).filter { it.next != null }.partition { it.next?.isWorthwhile == true }
    val items = advised.groupBy { it.next?.change.orEmpty() }.map { (change, cells) -> advice(report, change, cells) } +
        useless.groupBy { it.next?.change.orEmpty() }
            .map { (change, cells) -> advice(report, "Predicted to add less than 10 %: $change", cells).copy(tone = Tone.DIM) }
    return if (items.isEmpty()) emptyList() else listOf(heading("What to change next"), Bullets(items))
}

private const val MOST_PREDICTED = 3

/** One change with its predictions: for all its cells, or for the first few if they differ. */
private fun advice(report: Report, change: String, explanations: List<CellExplanation>): Item {
    val predictions = explanations.filter { it.next?.expectation != null }.groupBy { it.next?.expectation.orEmpty() }.entries
    val shown = predictions.take(MOST_PREDICTED).map { (prediction, cells) ->
        "${prediction.removeSuffix(".")} (${named(report, cells)})."
    }
    val more = predictions.drop(MOST_PREDICTED).sumOf { it.value.size }
    val others = "The same for ${plural(more, "more ${report.noun}")}.".takeIf { more > 0 }
    val whose = if (shown.isEmpty()) " (${named(report, explanations)})" else ""
    return Item("$change$whose.", detail = shown + listOfNotNull(others))
}

/** What a request costs in CPU time, what used it, and how many threads waited for it. */
internal fun cpuSection(report: Report): Section? {
    val cells = report.measured.filter { Measure.CPU_PER_REQUEST in it.resources }
    if (cells.isEmpty()) return null
    val table = table("CPU time", cells) {
        cell(report)
        figure("CPU time per request", "µs") { cell ->
            estimated(cell.resources[Measure.CPU_PER_REQUEST]) { cell.signOfCost + significant(it * 1e6) }
        }
        resource(Measure.COMPILER, "JIT compiler, share of CPU time") { it }
        resource(Measure.GC, "garbage collector, share of time") { it }
        resource(Measure.RUNNABLE) { it }
        resource(Measure.SWITCHES_PER_REQUEST) { it }
        resource(Measure.INVOLUNTARY_PER_REQUEST, "of these involuntary") { it }
        resource(Measure.THROTTLED, "throttled CPU periods") { it }
    }
    val lead = "What a request costs, whatever limits the throughput; ≤ where the JIT compiler still worked. " +
        "With more than one runnable thread per CPU, threads wait for a CPU."
    return Section("cpu", "CPU time", lead, listOf(table), setOf(Medium.HTML, Medium.MARKDOWN))
}
