package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.OperationAnalysis
import bootdyno.model.Measure
import bootdyno.model.count

private class Line(val cell: CellAnalysis, val operation: OperationAnalysis)

/** Cells that ask for several kinds of request, kind by kind: the steps of a chain, or what a script calls its requests. */
internal fun operationsSection(report: Report): Section? {
    val lines = report.measured.flatMap { cell -> cell.operations.map { Line(cell, it) } }
    if (lines.isEmpty()) return null
    val table = table("Operations", lines) {
        text("cell") { if (it.operation === it.cell.operations.first()) nameOf(report, it.cell) else Words("") }
        text("operation") { Words(it.operation.name) }
        figure("requests/s") { withInterval(it.operation.throughput) }
        figure("answered", importance = 4) { Words(count(it.operation.answered)) }
        figure("errors", importance = 2) { errorsOf(it.operation) }
        SHOWN.forEach { measure ->
            figure(measure.word, "ms", if (measure == Measure.P99) 2 else 3) { latencyOf(it.operation.latency[measure]) }
        }
    }
    return Section("operations", "Operations", lead(lines), listOf(table))
}

private fun lead(lines: List<Line>): String {
    val together = "The throughput of a cell is the sum of its operations."
    val steps = " A step starts after the previous step succeeded; after a failure the chain starts again."
    return if (lines.any { it.cell.cell.workload.operations.isNotEmpty() }) together + steps else together
}

private val SHOWN = listOf(Measure.MEAN, Measure.P50, Measure.P90, Measure.P99, Measure.MAX)

private fun errorsOf(operation: OperationAnalysis): Words {
    val causes = operation.errors.filterValues { it > 0 }
    if (causes.isEmpty()) return Words("0", Tone.DIM)
    return Words(causes.entries.joinToString { "${count(it.value)} ${it.key.words}" }, Tone.BAD)
}
