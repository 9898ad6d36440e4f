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

/** A machine that cannot see a tenth cannot attest that two things are the same: beyond this δ "within ±δ" stays undecided. */
const val COARSEST_SAMENESS = 0.10

/** What every cell is compared by; a run ranks by the first. */
internal val comparedBy = listOf(Measure.THROUGHPUT, Measure.P99)

/**
 * [baseline] against itself: [measure] of its second measurement by that of the first within each round. Judged by the default
 * δ: a difference here is a fault of the measurement, and must not widen the zone it is judged by.
 */
internal fun resolutionOf(measured: Measurements, measure: Measure, baseline: CellId, operation: String? = null): Comparison? {
    val ratio = measured.againstItself(baseline, measure, operation) ?: return null
    return decided(listOf(Compared(baseline, baseline, ratio)), measure) { Zone(DEFAULT_DELTA) }.single()
}

/**
 * δ for a measure of [cell]: 3 %, or the far end of the A/A interval of the baseline measured alike where that is farther from 1. No
 * difference inside what the same thing shows against itself is ever called one.
 */
internal fun zoneOf(measured: Measurements, measure: Measure, cell: CellId, operation: String? = null): Zone {
    val way = measured.run.plan.cell(cell).way
    val baselines = measured.run.plan.baselines()
    val baseline = baselines.find { it.way == way } ?: baselines.firstOrNull()
    return baseline?.let { resolutionOf(measured, measure, it.id, operation) }.zone
}

internal val Comparison?.zone: Zone get() = zoneReaching(this?.ratio?.interval, atLeast = DEFAULT_DELTA)

/** Every cell against its baseline, measure after measure; the comparisons of one measure are one family (Holm). */
internal fun comparisonsOf(measured: Measurements): List<Comparison> = measuresIn(measured).flatMap { measure ->
    val zones = measured.run.plan.cells.map { it.way to it.id }.distinctBy { it.first }
        .associate { (way, id) -> way to zoneOf(measured, measure, id) }
    decided(compared(measured, measure), measure) { zones.getValue(measured.run.plan.cell(it).way) }
}

private fun measuresIn(measured: Measurements): List<Measure> =
    if (measured.asksForStarts) comparedBy + Measure.STARTUP else comparedBy

/** How a cell is measured: what is compared is measured alike. */
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
