package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.LatencyEstimate
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.count
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.model.times
import bootdyno.stats.Estimate

/** A column of a table whose rows are made of [T]s: its head, and what stands below it for each of them. */
internal class Shown<in T>(val column: Column, val entry: (T) -> Entry)

internal fun <T> table(caption: String, rows: List<T>, columns: List<Shown<T>>, emphasised: (T) -> Boolean = { false }) =
    Table(caption, columns.map { it.column }, rows.map { row -> Row(columns.map { it.entry(row) }, emphasised(row)) })

internal fun <T> shown(
    head: String,
    unit: String? = null,
    importance: Int = 1,
    short: String? = null,
    entry: (T) -> Entry,
): Shown<T> = Shown(Column(head, unit, right = true, importance = importance, short = short), entry)

internal fun <T> text(head: String, importance: Int = 0, entry: (T) -> Entry): Shown<T> =
    Shown(Column(head, importance = importance), entry)

/** A resource of the cell of a row. */
internal fun <T> resource(
    measure: Measure,
    head: String = measure.title,
    importance: Int = 1,
    short: String? = null,
    cell: (T) -> CellAnalysis?,
): Shown<T> = shown(head, unitOf(measure), importance, short) { resourceOf(cell(it), measure) }

internal fun cellColumn(report: Report): Shown<CellAnalysis> = text("cell") { nameOf(report, it) }

internal fun nameOf(report: Report, cell: CellAnalysis) =
    Words(cell.cell.id.text, hint = styleOf(cell.cell), mark = report.mark(cell.cell.id))

/** Nothing was measured. */
internal val nothing = Words("–", Tone.DIM)

/** The value of [measure] without its unit, which stands in the head of the column. */
internal fun inColumn(measure: Measure, value: Double): String = when (measure.unit) {
    MeasureUnit.BYTES -> mebibytes(value)
    MeasureUnit.SHARE -> percent(value)
    MeasureUnit.COUNT -> if (value % 1.0 == 0.0) count(value.toLong()) else significant(value)
    MeasureUnit.PER_SECOND, MeasureUnit.MILLISECONDS, MeasureUnit.SECONDS -> significant(value)
}

internal fun unitOf(measure: Measure): String? = when (measure.unit) {
    MeasureUnit.BYTES -> "MiB"
    MeasureUnit.SHARE, MeasureUnit.COUNT -> null
    MeasureUnit.PER_SECOND -> "requests/s"
    MeasureUnit.MILLISECONDS -> "ms"
    MeasureUnit.SECONDS -> "s"
}

internal fun resourceOf(cell: CellAnalysis?, measure: Measure): Words =
    estimated(cell?.resources?.get(measure)) { inColumn(measure, it) }

internal fun estimated(estimate: Estimate?, text: (Double) -> String = ::significant): Words =
    estimate?.let { Words(text(it.value), hint = range(it, text)) } ?: nothing

/** With the width of its interval beside it. */
internal fun withInterval(estimate: Estimate?, tone: Tone = Tone.PLAIN): Words =
    estimate?.let { Words(significant(it.value), tone, beside = plusMinus(it), hint = intervalHint(it)) } ?: nothing

private fun intervalHint(estimate: Estimate): String? = range(estimate)?.let { "$it, ${plural(estimate.n, "trial")}" }

internal fun ratioOf(ratio: Estimate?, hint: String? = null): Words =
    ratio?.let { Words(times(it), beside = range(it), hint = hint) } ?: nothing

internal fun latencyOf(cell: CellAnalysis, measure: Measure): Words = latencyOf(cell.latency[measure])

internal fun latencyOf(latency: LatencyEstimate?): Words = when {
    latency == null -> nothing
    latency.censored -> Words("≥" + significant(latency.estimate.value), hint = "some requests had no response: a lower bound")
    else -> Words(significant(latency.estimate.value), hint = range(latency.estimate))
}
