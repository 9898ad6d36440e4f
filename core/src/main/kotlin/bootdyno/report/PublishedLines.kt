package bootdyno.report

import bootdyno.analyse.Sweep
import bootdyno.analyse.SweptLine
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.model.significant

/** The source's tables again, each of its rows with ours below: one table a measure, folded; empty where nothing was swept. */
internal fun publishedLines(report: Report): List<Block> = report.drawnSweeps.groupBy { it.axis }.flatMap { (axis, sweeps) ->
    listOf(Measure.THROUGHPUT, Measure.P99).mapNotNull { measure ->
        val rows = rows(report, sweeps, measure).ifEmpty { return@mapNotNull null }
        val unit = if (measure == Measure.THROUGHPUT) "Requests/s" else "p99 in ms"
        val columns = listOf(Column("", importance = 0), Column("", importance = 0)) +
            sweeps.flatMap(::valuesOf).distinct().sorted().map { Column(exact(it), right = true) }
        Folded("$unit by $axis, published and measured", listOf(Table("$unit by $axis", columns, rows)))
    }
}

private fun rows(report: Report, sweeps: List<Sweep>, measure: Measure): List<Row> {
    val values = sweeps.flatMap(::valuesOf).distinct().sorted()
    return sweeps.flatMap { it.lines }.distinctBy { it.name }.filter { isPublished(report, it, measure) }.flatMap { swept ->
        val first =
            Row(
                listOf(nameOf(report, swept), Words("published", Tone.DIM)) + values.map {
                    published(report, swept, it, measure)
                },
            )
        listOf(first) +
            sweeps.mapNotNull { sweep -> sweep.lines.find { it.name == swept.name }?.let { sweep to it } }.map { (sweep, own) ->
                val whose = if (sweeps.size == 1) "measured" else sweep.profile
                Row(listOf(Words(""), Words(whose)) + values.map { measured(report, own, it, measure) })
            }
    }
}

private fun isPublished(report: Report, swept: SweptLine, measure: Measure): Boolean = report.analysis.published.any { figure ->
    figure.measure == measure && figure.operation == null &&
        swept.points.any { it.cell == figure.cell }
}

private fun published(report: Report, swept: SweptLine, value: Double, measure: Measure): Words {
    val cell = swept.points.find { it.value == value }?.cell
    return Words(cell?.let { publishedOf(report, it, measure) }?.let(::significant).orEmpty(), Tone.DIM)
}

private fun measured(report: Report, swept: SweptLine, value: Double, measure: Measure): Words {
    val cell = swept.points.find { it.value == value }?.let { report.analysis.cell(it.cell) } ?: return Words("")
    if (measure == Measure.P99) return latencyOf(cell, Measure.P99)
    return cell.throughput?.let { Words(significant(it.value), hint = range(it)) } ?: Words("–", Tone.DIM)
}

/** What the source printed of [cell] as a whole, not of one operation; null where it printed nothing. */
internal fun publishedOf(report: Report, cell: CellId, measure: Measure): Double? =
    report.analysis.published.find { it.cell == cell && it.measure == measure && it.operation == null }?.published
