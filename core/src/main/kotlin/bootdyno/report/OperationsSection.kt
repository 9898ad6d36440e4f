package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.OperationAnalysis
import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.significant

/** Cells that ask for several kinds of request, kind by kind: the steps of a chain, or what a script calls its requests. */
internal fun operationsSection(report: Report): Section? {
    val cells = report.measured.filter { it.operations.isNotEmpty() }
    if (cells.isEmpty()) return null
    val table = Table(
        caption = "Operation by operation",
        columns = listOf(
            Column("cell", importance = 0),
            Column("operation", importance = 0),
            Column("requests/s", right = true),
            Column("answered", right = true, importance = 4),
            Column("errors", right = true, importance = 2),
        ) + SHOWN.map { Column(it.word, "ms", right = true, importance = if (it == Measure.P99) 2 else 3) },
        rows = cells.flatMap { cell ->
            cell.operations.mapIndexed { index, operation ->
                row(
                    report,
                    cell,
                    operation,
                    first =
                    index == 0,
                )
            }
        },
    )
    return Section("operations", "By operation", lead(cells), listOf(table))
}

private fun lead(cells: List<CellAnalysis>): String {
    val together = "A cell's throughput is that of all its operations together."
    val steps = " A step is asked for when the one before it was answered well; after a failure the chain begins anew."
    return if (cells.any { it.cell.workload.operations.isNotEmpty() }) together + steps else together
}

private val SHOWN = listOf(Measure.MEAN, Measure.P50, Measure.P90, Measure.P99, Measure.MAX)

private fun row(report: Report, cell: CellAnalysis, operation: OperationAnalysis, first: Boolean) = Row(
    listOf(
        if (first) Words(cell.cell.id.text, mark = report.mark(cell.cell.id)) else Words(""),
        Words(operation.name),
        operation.throughput?.let { Words(significant(it.value), beside = plusMinus(it), hint = range(it)) }
            ?: Words("–", Tone.DIM),
        Words(count(operation.answered)),
        errorsOf(operation),
    ) + SHOWN.map { latency(operation.latency[it]) },
)

private fun errorsOf(operation: OperationAnalysis): Words {
    val causes = operation.errors.filterValues { it > 0 }
    if (causes.isEmpty()) return Words("0", Tone.DIM)
    val byCause = causes.entries.joinToString(", ") { "${it.key.word} ${count(it.value)}" }
    return Words(byCause, Tone.BAD)
}

private fun latency(latency: LatencyEstimate?): Words = when {
    latency == null -> Words("–", Tone.DIM)

    latency.censored -> Words(
        "≥" + significant(latency.estimate.value),
        hint = "requests were still unanswered: the truth lies at or beyond",
    )

    else -> Words(significant(latency.estimate.value), hint = range(latency.estimate))
}
