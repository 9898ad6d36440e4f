package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Comparison
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.isUseless
import bootdyno.model.Bytes
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.count
import bootdyno.model.exact
import bootdyno.model.fixed
import bootdyno.model.mebibytes
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.significant
import bootdyno.model.timeOfMillis
import bootdyno.model.timeOfSeconds
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import kotlin.math.max

/** Builds the columns of a table with one row per [T]. */
internal class Columns<T> {
    private val columns = mutableListOf<Column>()
    private val entries = mutableListOf<(T) -> TableEntry>()

    fun table(caption: String, rows: List<T>, emphasised: (T) -> Boolean) =
        Table(caption, columns, rows.map { row -> Row(entries.map { it(row) }, emphasised(row)) })

    fun column(column: Column, entry: (T) -> TableEntry) {
        columns += column
        entries += entry
    }

    fun text(head: String, importance: Int = 0, short: String? = null, entry: (T) -> TableEntry) =
        column(Column(head, importance = importance, short = short), entry)

    fun figure(head: String, unit: String? = null, importance: Int = 1, short: String? = null, entry: (T) -> TableEntry) =
        column(Column(head, unit, right = true, importance = importance, short = short), entry)

    /** A resource measure of the row's cell. */
    fun resource(
        measure: Measure,
        head: String = measure.title,
        importance: Int = 1,
        short: String? = null,
        cell: (T) -> CellAnalysis?,
    ) = figure(head, measure.unit.inHeading, importance, short) { row ->
        estimated(cell(row)?.resources?.get(measure)) { inColumn(measure, it) }
    }
}

internal fun <T> table(
    caption: String,
    rows: List<T>,
    emphasised: (T) -> Boolean = { false },
    columns: Columns<T>.() -> Unit,
): Table = Columns<T>().apply(columns).table(caption, rows, emphasised)

internal fun Columns<CellAnalysis>.cell(report: Report) = text(report.noun) { nameOf(report, it) }

internal fun nameOf(report: Report, cell: CellAnalysis) = Words(
    cell.cell.id.text,
    beside = cell.unsteady?.what,
    hint = listOfNotNull(styleOf(cell.cell), cell.unsteady?.why).joinToString("; ").ifEmpty { null },
    mark = report.mark(cell.cell.id),
)

/** The title of a cell, with its id below. */
internal fun titledName(report: Report, cell: CellAnalysis): Words = nameOf(report, cell).run {
    val title = report.title(cell.cell.id)
    if (title == text) this else copy(text = title, hint = listOfNotNull(text, hint).joinToString("; "))
}

/** Shown for missing values. */
internal val nothing = Words("–", Tone.DIM)

/** The value of [measure] without its unit, which is in the column's heading. */
internal fun inColumn(measure: Measure, value: Double): String = when (measure.unit) {
    MeasureUnit.BYTES -> mebibytes(value)
    MeasureUnit.SHARE -> percent(value)
    MeasureUnit.COUNT -> if (value % 1.0 == 0.0) count(value.toLong()) else shortly(value)
    MeasureUnit.PER_SECOND, MeasureUnit.MILLISECONDS, MeasureUnit.SECONDS -> significant(value)
}

internal fun estimated(estimate: Estimate?, text: (Double) -> String = ::significant): Words =
    estimate?.let { Words(text(it.value), hint = range(it, text)) } ?: nothing

/** With the width of the interval. */
internal fun withInterval(estimate: Estimate?, tone: Tone = Tone.PLAIN): Words = estimate?.let { own ->
    val hint = range(own)?.let { "$it, ${plural(own.n, "round")}" }
    Words(significant(own.value), tone, beside = plusMinus(own), hint = hint)
} ?: nothing

internal fun ratioOf(ratio: Estimate?, hint: String? = null): Words =
    ratio?.let { Words(times(it), beside = range(it), hint = hint) } ?: nothing

internal fun ratioOf(comparison: Comparison?): Words = when (val bound = comparison?.bound) {
    null, Bound.UNKNOWN -> nothing
    else -> ratioOf(comparison.ratio, comparison.verdict?.word).let { it.copy(text = bound.sign + it.text) }
}

internal fun latencyOf(latency: LatencyEstimate?): Words = when {
    latency == null -> nothing
    latency.censored -> Words("≥" + significant(latency.estimate.value), hint = "some requests had no response: a lower bound")
    else -> Words(significant(latency.estimate.value), hint = range(latency.estimate))
}

/** The value of [estimate] with as many decimals as its bounds: `1.004` beside `[0.991, 1.016]`. */
internal fun point(estimate: Estimate): String = inStep(estimate)(estimate.value)

/** `[1.94, 2.00]`, or null without an interval. Of two noisy rounds, the interval of a ratio may reach from nothing to anything. */
internal fun range(estimate: Estimate, text: (Double) -> String = inStep(estimate)): String? = estimate.interval?.let {
    if (it.isShown) "[${text(it.low)}, ${text(it.high)}]" else "(no useful interval)"
}

private val Interval.isShown: Boolean get() = if (low == 0.0) high <= LARGEST else !isUseless

/** No figure from zero on, be it in bytes, is as large. */
private const val LARGEST = 1e15

/**
 * Three significant digits for the smallest figure, but at most one decimal more than the value alone would have. Bounds of different
 * magnitudes have three digits each.
 */
internal fun inStep(estimate: Estimate): (Double) -> String {
    val bounds = listOfNotNull(estimate.interval?.low, estimate.interval?.high)
    if (bounds.isNotEmpty() && bounds.min() > 0 && bounds.max() / bounds.min() > 10) return ::significant
    val usual = decimals(estimate.value)
    val shown = max(usual, bounds.maxOfOrNull(::decimals) ?: 0).coerceAtMost(usual + 1)
    return { value -> if (shown == 0) significant(value) else fixed(value, shown) }
}

private fun decimals(value: Double): Int = significant(value).substringAfter('.', "").length

/** The wider side of the interval, relative to the value: `±1.0 %`; `±?` of one that says nothing. */
internal fun plusMinus(estimate: Estimate): String? = estimate.interval?.let {
    val half = max(it.high - estimate.value, estimate.value - it.low)
    val text = if (estimate.value == 0.0) significant(half) else percent(half / estimate.value)
    if (it.isShown) "±$text" else "±?"
}

/** A value of [measure] with its unit, for sentences. */
internal fun spoken(measure: Measure, value: Double): String = when (measure.unit) {
    MeasureUnit.PER_SECOND -> perSecond(value)
    MeasureUnit.MILLISECONDS -> timeOfMillis(value)
    MeasureUnit.SECONDS -> timeOfSeconds(value)
    MeasureUnit.BYTES -> "${rounded(value / Bytes.MIB)} MiB"
    MeasureUnit.COUNT -> exact(value)
    MeasureUnit.SHARE -> percent(value)
}

internal fun times(ratio: Estimate): String = "${point(ratio)}×"

/** `≥1.20×` of a bound; a dash where nothing is known. */
internal fun boundedTimes(of: Comparison): String = if (of.bound == Bound.UNKNOWN) "–" else of.bound.sign + times(of.ratio)

/** `95`, `99.2`; of the interval of one of many comparisons `99.958`, which is not 100. */
internal fun level(interval: Interval): String =
    (interval.level * 100).let { if (it < NEARLY_SURE) rounded(it) else significant(it, digits = 5) }

private const val NEARLY_SURE = 99.95

/** ` (95 % interval 1.97 to 2.01, 6 rounds)`; empty without an interval. */
internal fun interval(estimate: Estimate): String = estimate.interval?.let {
    val text = inStep(estimate)
    " (${level(it)} % interval ${text(it.low)} to ${text(it.high)}, ${plural(estimate.n, "round")})"
}.orEmpty()

/** `781 to 797`. */
internal fun spread(values: List<Double>): String =
    listOf(values.min(), values.max()).map(::shortly).distinct().joinToString(" to ")

private fun shortly(value: Double): String = if (value < 10) significant(value) else rounded(value)
