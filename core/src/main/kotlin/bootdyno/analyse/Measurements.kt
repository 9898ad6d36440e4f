package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Measure
import bootdyno.model.RunFacts
import bootdyno.model.windowReadings
import bootdyno.stats.Estimate
import bootdyno.stats.Paired
import bootdyno.stats.Spread
import bootdyno.stats.ratioOf

/** A figure or a ratio together with what censoring left of it. */
internal data class Figure(val estimate: Estimate, val bound: Bound) {
    /** The values the truth may have: the interval, or what lies beyond a bound. Null with neither. */
    val reach: ClosedRange<Double>?
        get() = when (bound) {
            Bound.EXACT -> estimate.interval?.let { it.low..it.high }
            Bound.AT_LEAST -> estimate.value..Double.POSITIVE_INFINITY
            Bound.AT_MOST -> 0.0..estimate.value
            Bound.UNKNOWN -> null
        }
}

/** A ratio with the spread its verdict is computed from. */
internal data class RatioOfCells(val spread: Spread, val bound: Bound) {
    val figure: Figure
        get() = Figure(spread.estimate().let { if (bound == Bound.EXACT) it else it.copy(interval = null) }, bound)
}

/** The trials of a run, sorted by cell; the one place that knows which of them count. */
internal class Measurements(val run: RunFacts) {
    private val byCell: Map<CellId, List<MeasuredTrial>> = run.trials
        .filter { it.record.ending is Ending.Measured }
        .mapNotNull { facts ->
            val cell = run.plan.cells.find { it.id == facts.record.trial.cell }
            val load = facts.record.load?.takeIf { it.windowSeconds > 0 }
            if (cell == null || load == null) null else MeasuredTrial(facts, cell, load, facts.windowReadings())
        }
        .sortedBy { it.number }
        .groupBy { it.cell.id }

    /** All that were measured, valid or not, second measurements of the baseline included. */
    fun trials(cell: CellId): List<MeasuredTrial> = byCell[cell].orEmpty()

    /** Those an estimate is made of. */
    fun counted(cell: CellId): List<MeasuredTrial> = trials(cell).filter { it.valid && !it.again }

    /** Of [operation] only, where it is not null. Null where nothing was measured. */
    fun figure(cell: CellId, measure: Measure, operation: String? = null): Figure? {
        val samples = counted(cell).mapNotNull { it.sample(measure, operation) }
        val estimate = measure.mean(samples.map { it.value }) ?: return null
        val censored = samples.any { it.censored }
        return if (censored) Figure(estimate.copy(interval = null), Bound.AT_LEAST) else Figure(estimate, Bound.EXACT)
    }

    /** From the rounds in which both were measured; null when there is none. */
    fun ratio(candidate: CellId, baseline: CellId, measure: Measure, operation: String? = null): RatioOfCells? =
        ratio(counted(candidate), counted(baseline), measure, operation)

    /** As [ratio], of invalid trials too: for comparing generators. */
    fun ratioOfAll(candidate: CellId, baseline: CellId, measure: Measure): RatioOfCells? =
        ratio(trials(candidate).filterNot { it.again }, trials(baseline).filterNot { it.again }, measure)

    /** The second measurement of [cell] in each round by the first: both are the same thing (A/A). */
    fun againstItself(cell: CellId, measure: Measure, operation: String? = null): RatioOfCells? =
        ratio(trials(cell).filter { it.valid && it.again }, counted(cell), measure, operation)

    /**
     * What [cell] is compared with: the declared baseline or, under another profile or at another value of a swept axis, the same
     * variant and workload under that one.
     */
    fun baselineOf(cell: Cell): Cell? {
        val declared = run.plan.cells.find { it.id == run.plan.experiment.baseline } ?: return null
        return run.plan.cells.find {
            it.profile.name == cell.profile.name &&
                it.variant.name == declared.variant.name &&
                it.workload.declared == declared.workload.declared &&
                it.workload.point?.value == (cell.workload.point ?: declared.workload.point)?.value
        }
    }

    /** A round that holds a cell twice (a trial was repeated) counts its last trial. */
    private fun ratio(
        candidates: List<MeasuredTrial>,
        baselines: List<MeasuredTrial>,
        measure: Measure,
        operation: String? = null,
    ): RatioOfCells? {
        val base = baselines.associateBy { it.round }
        val pairs = candidates.associateBy { it.round }.toSortedMap().mapNotNull { (round, candidate) ->
            val below = base[round]?.sample(measure, operation)
            below?.let { candidate.sample(measure, operation)?.to(it) }
        }
        val spread = ratioOf(pairs.map { (above, below) -> Paired(above.value, below.value) }) ?: return null
        val bound = when (pairs.any { (above, _) -> above.censored } to pairs.any { (_, below) -> below.censored }) {
            true to true -> Bound.UNKNOWN
            true to false -> Bound.AT_LEAST
            false to true -> Bound.AT_MOST
            else -> Bound.EXACT
        }
        return RatioOfCells(spread, bound)
    }
}
