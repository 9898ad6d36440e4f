package bootdyno.report.format

import bootdyno.analyse.CellAnalysis
import bootdyno.model.Measure
import bootdyno.stats.Estimate

/** An estimate of a cell, for other programs. */
internal class CellFigure(val measure: Measure, val estimate: Estimate)

/** The exact figures of [cell]: lower bounds are left out, because other programs would take them for values. */
internal fun figuresOf(cell: CellAnalysis): List<CellFigure> {
    val bounded = cell.latency + cell.burst + mapOf(Measure.CAPACITY to cell.capacity)
    val all = mapOf(Measure.THROUGHPUT to cell.throughput) +
        bounded.mapValues { (_, latency) -> latency?.takeUnless { it.censored }?.estimate } + cell.resources
    return Measure.entries.mapNotNull { measure -> all[measure]?.let { CellFigure(measure, it) } }
}
