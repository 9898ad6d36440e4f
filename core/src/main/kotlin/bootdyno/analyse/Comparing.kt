package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.stats.CorrectedP
import bootdyno.stats.Side
import bootdyno.stats.Zone
import bootdyno.stats.furtherSamples
import bootdyno.stats.holm
import bootdyno.stats.pOf
import bootdyno.stats.zoneReaching

private const val ALPHA = 0.05

/** With a δ above this, "within ±δ" remains undecided: the machine's resolution is too coarse to show equality. */
const val COARSEST_SAMENESS = 0.10

/** The measures of comparisons. Cells are ranked by the first. */
internal val comparedBy = listOf(Measure.THROUGHPUT, Measure.P99)

/**
 * A/A comparison of [baseline]: within-round ratios of [measure], second by first measurement. It uses the default δ, because the
 * resolution found here determines the δ of all other comparisons.
 */
internal fun resolutionOf(measured: Measurements, measure: Measure, baseline: CellId, operation: String? = null): Comparison? {
    val ratio = measured.againstItself(baseline, measure, operation) ?: return null
    return decided(listOf(Compared(baseline, baseline, ratio)), measure) { Zone(DEFAULT_DELTA) }.single()
}

/**
 * δ for a measure of [cell]: 3 %, or the farther end of the A/A interval of its baseline if that is larger. Smaller differences than the
 * baseline shows against itself never count.
 */
internal fun zoneOf(measured: Measurements, measure: Measure, cell: CellId, operation: String? = null): Zone {
    val way = measured.run.plan.cell(cell).way
    val baselines = measured.run.plan.baselines()
    val baseline = baselines.find { it.way == way } ?: baselines.firstOrNull()
    return baseline?.let { resolutionOf(measured, measure, it.id, operation) }.zone
}

internal val Comparison?.zone: Zone get() = zoneReaching(this?.ratio?.interval, atLeast = DEFAULT_DELTA)

/** Compares each cell with its baseline. The comparisons of one measure are one family for Holm's correction. */
internal fun comparisonsOf(measured: Measurements): List<Comparison> = measuresIn(measured).flatMap { measure ->
    val zones = measured.run.plan.cells.map { it.way to it.id }.distinctBy { it.first }
        .associate { (way, id) -> way to zoneOf(measured, measure, id) }
    decided(compared(measured, measure), measure) { zones.getValue(measured.run.plan.cell(it).way) }
}

private fun measuresIn(measured: Measurements): List<Measure> =
    if (measured.comparesStarts) comparedBy + Measure.STARTUP else comparedBy

/** Only cells with the same protocol and engine are compared. */
private val Cell.way get() = profile.protocol to profile.engine

private class Compared(val candidate: CellId, val baseline: CellId, val ratio: RatioOfCells) {
    val decidable get() = ratio.bound == Bound.EXACT && ratio.spread.n >= 2
}

private fun compared(measured: Measurements, measure: Measure): List<Compared> = measured.run.plan.cells.mapNotNull { cell ->
    val baseline = measured.baselineOf(cell)?.takeIf { it.id != cell.id }
    val ratio = baseline?.let { measured.ratio(cell.id, it.id, measure) }
    if (baseline == null || ratio == null) null else Compared(cell.id, baseline.id, ratio)
}

private fun decided(all: List<Compared>, measure: Measure, zoneOf: (CellId) -> Zone): List<Comparison> {
    val family = all.filter { it.decidable }
    val corrected = family.zip(holm(family.map { zoneOf(it.candidate).pOf(it.ratio.spread) })).toMap()
    return all.map { comparison(it, measure, zoneOf(it.candidate), corrected[it]) }
}

private fun comparison(compared: Compared, measure: Measure, zone: Zone, p: CorrectedP?): Comparison {
    val sure = p != null && p.adjusted <= ALPHA
    val verdict = p?.let { if (sure) verdict(compared.ratio.spread.point, measure, zone) else Verdict.UNDECIDED }
    val further = if (p != null && !sure) zone.furtherSamples(compared.ratio.spread, ALPHA / p.factor) else null
    return Comparison(
        baseline = compared.baseline,
        candidate = compared.candidate,
        measure = measure,
        ratio = compared.ratio.figure.estimate,
        verdict = verdict,
        furtherRounds = further,
        delta = zone.tolerance,
        bound = compared.ratio.bound,
        p = p?.adjusted,
    )
}

private fun verdict(ratio: Double, measure: Measure, zone: Zone) = when (zone.sideOf(ratio)) {
    Side.WITHIN -> if (zone.tolerance <= COARSEST_SAMENESS) Verdict.EQUIVALENT else Verdict.UNDECIDED
    Side.ABOVE -> if (measure.moreIsBetter) Verdict.FASTER else Verdict.SLOWER
    Side.BELOW -> if (measure.moreIsBetter) Verdict.SLOWER else Verdict.FASTER
}
