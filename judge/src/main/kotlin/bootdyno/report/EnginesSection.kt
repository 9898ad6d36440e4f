package bootdyno.report

import bootdyno.analyse.EngineSide
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.significant

/** Cells measured by several load engines: whether they agree, and which engines were saturated. */
internal fun enginesSection(report: Report): Section? {
    val sides = report.analysis.engineComparisons.flatten()
    if (sides.none { it.throughput != null }) return null
    // No columns for counts of whole runs.
    val printed = sides.flatMap { it.printed.keys }.distinct().filter { it.endsWith(" ms") || it.endsWith("/s") }
    val table = table("Load engines", sides) {
        text(report.noun) { Words(it.cell.text, mark = report.mark(it.cell)) }
        text("engine") { Words(it.version ?: it.engine.name) }
        figure("requests/s") { withInterval(it.throughput, if (it.ownLimit) Tone.WARN else Tone.PLAIN) }
        figure("ratio to the first engine") { ratioOf(it.ratio) }
        figure("p50", "ms", importance = 3) { latencyOf(report.cell(it.cell).latency[Measure.P50]) }
        figure("p99", "ms", importance = 2) { latencyOf(report.cell(it.cell).latency[Measure.P99]) }
        figure("load generator, share of its CPU") { side ->
            val share = estimated(side.generatorCpu, ::percent)
            if (side.ownLimit) share.copy(text = "${share.text}, saturated", tone = Tone.WARN) else share
        }
        printed.forEach { name ->
            figure("printed $name", importance = 5) { side -> side.printed[name]?.let { Words(significant(it)) } ?: nothing }
        }
    }
    val lead =
        "Each engine uses its own clock; some count the connect time as response time. An engine that used more than 90 % of " +
            "its CPU was saturated: its figures do not count." +
            if (printed.isEmpty()) "" else " Printed: the summary of the engine, where it differs from its samples."
    return Section("engines", "Load engines", lead, listOf(Paragraph(summary(sides)), table))
}

private fun summary(sides: List<EngineSide>): String {
    val saturated = sides.filter { it.ownLimit }.map { it.engine.name }.distinct()
    val ratios = sides.filterNot { it.ownLimit }.mapNotNull { it.ratio?.value }
    val agree = if (ratios.isEmpty()) {
        "No other load generator measured the application in the same rounds."
    } else {
        "Engines that were not saturated measured ${spread(ratios)} times the throughput of the first engine."
    }
    return agree + if (saturated.isEmpty()) "" else " Saturated: ${listed(saturated)}."
}
