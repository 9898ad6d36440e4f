package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.EngineSpec
import bootdyno.model.Measure
import bootdyno.model.Stack
import bootdyno.stats.DEFAULT_LEVEL
import bootdyno.stats.Estimate
import bootdyno.stats.Looks
import bootdyno.stats.Passing
import bootdyno.stats.RatioAt
import bootdyno.stats.Side
import bootdyno.stats.Spread
import bootdyno.stats.Zone
import bootdyno.stats.passing

/** Cells that differ only in one swept value, as curves along its axis. */
data class Sweep(
    /** The swept parameter: `limit`. */
    val axis: String,
    val profile: String,
    val lines: List<SweptLine>,
)

/** One variant and workload, in ascending order of the axis. */
data class SweptLine(
    val name: String,
    /** The line of the same stack that it is compared with; null for that line itself. */
    val baseline: String?,
    val points: List<SweptPoint>,
    val against: List<SweptComparison>,
)

data class SweptPoint(val value: Double, val cell: CellId)

/** Ratios to the baseline along the axis, and the value from which the line is better. */
data class SweptComparison(val measure: Measure, val ratios: List<SweptRatio>, val pays: Passing?)

data class SweptRatio(val value: Double, val ratio: Estimate, val bound: Bound)

/** What is compared along an axis. */
private val drawn = listOf(Measure.THROUGHPUT, Measure.P99)

/** In the experiment's order; empty without a sweep. */
internal fun sweepsOf(measured: Measurements, comparisons: Comparisons): List<Sweep> {
    val declared = measured.run.plan.run { cells.find { it.id == experiment.baseline } }
    return measured.run.plan.cells.filter { it.point != null }
        .groupBy { SweptAxis(it.point?.axis.orEmpty(), it.profileOfAxis) }
        .map { (swept, cells) -> sweep(swept, cells, declared, Judged(measured, comparisons)) }
}

private data class SweptAxis(val axis: String, val profile: String)

/** The profile without its swept value. Each protocol and engine of a swept load is a separate sweep. */
private val Cell.profileOfAxis: String
    get() = if (profile.point == null) profile.name else "${profile.declared}, ${profile.protocol.word}$byEngine"

private val Cell.byEngine get() = if (profile.engine.copy(network = null) == EngineSpec()) "" else ", ${profile.engine.name}"

private class CellsOfLine(val cells: List<Cell>) {
    val variant = cells.first().variant
    val workload = cells.first().workload.declared
    val stack = cells.first().subject.stack
    val name = cells.first().line

    fun at(value: Double): Cell? = cells.find { it.point?.value == value }
}

private fun sweep(swept: SweptAxis, cells: List<Cell>, declared: Cell?, of: Judged): Sweep {
    val lines = cells.groupBy { it.line }.values.map { CellsOfLine(it.sortedBy { c -> c.point?.value }) }
    return Sweep(swept.axis, swept.profile, lines.map { line -> swept(line, baselineOf(line, lines, declared), of) })
}

/**
 * The declared baseline's workload on the first variant of the same stack. The declared baseline itself if the stack has no such line, or only one.
 */
private fun baselineOf(line: CellsOfLine, lines: List<CellsOfLine>, declared: Cell?): CellsOfLine? {
    val likely = lines.filter { it.workload == declared?.workload?.declared }
    val ofStack = lines.filter { it.stack == line.stack && line.stack != Stack.UNKNOWN }
    val sameStack = likely.find { it in ofStack && ofStack.size > 1 }
    return (sameStack ?: likely.find { it.variant.name == declared?.variant?.name }).takeIf { it?.name != line.name }
}

private fun swept(line: CellsOfLine, baseline: CellsOfLine?, of: Judged) = SweptLine(
    name = line.name,
    points = line.cells.map { SweptPoint(it.point?.value ?: 0.0, it.id) },
    baseline = baseline?.name,
    against = if (baseline == null) emptyList() else drawnOf(line).mapNotNull { against(line, baseline, it, of) },
)

private fun drawnOf(line: CellsOfLine) = drawn.filter { it.isComparedUnder(line.cells.first().profile.loadInWindow) }

private fun against(line: CellsOfLine, baseline: CellsOfLine, measure: Measure, of: Judged): SweptComparison? {
    val points = line.cells.mapNotNull { cell ->
        val value = cell.point?.value ?: return@mapNotNull null
        val other = baseline.at(value) ?: return@mapNotNull null
        val comparison = of.comparisons.between(cell.id, other.id, measure) ?: return@mapNotNull null
        of.measured.ratio(cell.id, other.id, measure)?.let { RatioAtValue(value, comparison, it.spread) }
    }
    if (points.isEmpty()) return null
    return SweptComparison(
        measure = measure,
        ratios = points.map { SweptRatio(it.value, it.comparison.ratio, it.comparison.bound) },
        pays = paysFrom(points.filter { it.comparison.bound == Bound.EXACT }, of.measured.looks)
            // Nothing is known of the far end.
            .takeIf { points.last().run { value == line.cells.last().point?.value && comparison.bound == Bound.EXACT } },
    )
}

private class Judged(val measured: Measurements, val comparisons: Comparisons)

private class RatioAtValue(val value: Double, val comparison: Comparison, private val ratio: Spread) {
    /** Above 1 where it is better. */
    val better get() = RatioAt(value, if (comparison.measure.moreIsBetter) ratio else ratio.copy(mean = -ratio.mean))
}

/** Null for fewer than two points. */
private fun paysFrom(points: List<RatioAtValue>, looks: Looks): Passing? {
    if (points.size < 2) return null
    val first = points.minBy { it.value }
    val isNearOne = first.comparison.ratio.interval == null && !isAhead(first.comparison)
    val last = points.maxBy { it.value }.comparison
    return when {
        isAhead(last) -> passing(
            points.map { it.better },
            looks.levelAt(last.ratio.n, 1 - (last.ratio.interval?.level ?: DEFAULT_LEVEL)),
        ).let { if (it is Passing.Everywhere && isNearOne) Passing.At(first.value, reach = null) else it }

        last.verdict == Verdict.UNDECIDED || (last.verdict == null && last.gainOfOneRound != Side.BELOW) -> Passing.Undecided

        else -> Passing.Nowhere
    }
}

/** Single windows of one warm subject differ by up to 5 % on a shared machine: one round must show more. */
const val SPREAD_OF_ONE_ROUND = 0.05

/** Whether the difference is real and not too small to matter, as for a verdict; a smaller crossing of 1 is noise. */
private fun isAhead(of: Comparison): Boolean = of.run {
    if (ratio.interval != null) verdict == Verdict.FASTER else gainOfOneRound == Side.ABOVE && failsMore != candidate
}

/** Above: better. */
private val Comparison.gainOfOneRound: Side
    get() = Zone(maxOf(delta, SPREAD_OF_ONE_ROUND)).sideOf(if (measure.moreIsBetter) ratio.value else 1 / ratio.value)
