package bootdyno.report

import bootdyno.analyse.EngineSide
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.significant

/** The same cells asked by several load engines: whether they agree, and which figure is the generator's own. */
internal fun enginesSection(report: Report): Section? {
    val comparisons = report.analysis.engineComparisons
    if (comparisons.none { it.sides.any { side -> side.throughput != null } }) return null
    val sides = comparisons.flatMap { it.sides }
    // Counts of a whole run stand beside no figure here.
    val printed = sides.flatMap { it.printed.keys }.distinct().filter { it.endsWith(" ms") || it.endsWith("/s") }
    val table = Table(
        caption = "Load engines, side by side",
        columns = listOf(
            Column("cell", importance = 0),
            Column("engine", importance = 0),
            Column("requests/s", right = true),
            Column("by the first", right = true),
            Column("p50", "ms", right = true, importance = 3),
            Column("p99", "ms", right = true, importance = 2),
            Column("generator's CPU", right = true),
        ) + printed.map { Column("printed $it", right = true, importance = 5) },
        rows = comparisons.flatMap { comparison -> comparison.sides.map { row(report, it, printed) } },
    )
    val lead =
        "Each by its own clock: some count connecting into the response time. A generator that used more than 90 % of its CPU " +
            "measured itself; its figures are shown and count for nothing." +
            if (printed.isEmpty()) "" else " Printed: what the engine's own summary says, where its samples say otherwise."
    return Section("engines", "Load engines side by side", lead, listOf(Paragraph(summary(sides)), table))
}

private fun row(report: Report, side: EngineSide, printed: List<String>): Row {
    val cell = report.analysis.cell(side.cell)
    val throughput = side.throughput?.let {
        Words(significant(it.value), if (side.ownLimit) Tone.WARN else Tone.PLAIN, plusMinus(it))
    }
    return Row(
        listOf(
            Words(side.cell.text, mark = report.mark(side.cell)),
            Words(side.version ?: side.engine.name),
            throughput ?: Words("–", Tone.DIM),
            side.ratio?.let { Words("${point(it)}×", beside = range(it)) } ?: Words("–", Tone.DIM),
            latency(cell?.latency?.get(Measure.P50)?.estimate?.value),
            latency(cell?.latency?.get(Measure.P99)?.estimate?.value),
            side.generatorCpu?.let {
                Words(
                    percent(it.value) + if (side.ownLimit) ", its own limit" else "",
                    if (side.ownLimit) Tone.WARN else Tone.PLAIN,
                )
            }
                ?: Words("–", Tone.DIM),
        ) + printed.map { name -> latency(side.printed[name]) },
    )
}

private fun latency(value: Double?) = value?.let { Words(significant(it)) } ?: Words("–", Tone.DIM)

private fun summary(sides: List<EngineSide>): String {
    val own = sides.filter { it.ownLimit }.map { it.engine.name }.distinct()
    val ratios = sides.filterNot { it.ownLimit }.mapNotNull { it.ratio?.value }
    val agree = when (ratios.size) {
        0 -> "No other engine measured the subject rather than itself."

        else -> "Where no generator was its own limit, the others found ${listOf(
            ratios.min(),
            ratios.max(),
        ).map(::significant).distinct().joinToString(" to ")} times the first engine's throughput."
    }
    return agree + if (own.isEmpty()) "" else " ${listed(own)}: the generator's limit, not the subject's."
}
