package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Measure
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.model.RunFacts
import bootdyno.model.TrialFacts
import bootdyno.model.Workload
import bootdyno.model.associateWithNotNull
import bootdyno.model.windowReadings
import bootdyno.stats.CensoredValue
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.Looks
import bootdyno.stats.ONE_LOOK
import bootdyno.stats.Paired
import bootdyno.stats.Spread
import bootdyno.stats.TwoGroups
import bootdyno.stats.contradictingGroups
import bootdyno.stats.ratioOf
import bootdyno.stats.scaleFor
import bootdyno.stats.spreadOf
import bootdyno.stats.trimmedMean

/** A figure or a ratio, and how censoring bounds it. [ofBounds]: the interval of several bounds, which differ from round to round as values do. */
internal data class Figure(val estimate: Estimate, val bound: Bound, val ofBounds: Interval? = null) {
    /** The possible true values: the interval, or all beyond the bound of a round, or the end of the interval of several. Null without these. */
    val reach: ClosedRange<Double>?
        get() = when (bound) {
            Bound.EXACT -> estimate.interval?.let { it.low..it.high }
            Bound.AT_LEAST -> (ofBounds?.low ?: single)?.let { it..Double.POSITIVE_INFINITY }
            Bound.AT_MOST -> (ofBounds?.high ?: single)?.let { 0.0..it }
            Bound.UNKNOWN -> null
        }

    private val single get() = estimate.value.takeIf { estimate.n < 2 }
}

internal fun Estimate.toFigure(bound: Bound): Figure =
    if (bound == Bound.EXACT) Figure(this, bound) else Figure(copy(interval = null), bound, interval)

/** The rounds after which the run may end. If it is out of time, the last one has been, and spends all that is left of the error. */
internal val RunFacts.looks: Looks
    get() = plan.experiment.repetition.run {
        Looks(rounds, if (outOfTime) roundsDone(this@looks).coerceIn(rounds, maxRounds) else maxRounds, planned = maxRounds)
    }

/** The ratio of two cells: of each round, [pairs], and over the rounds and their machines, [spread]. */
internal class RatioOfCells(
    private val pairs: Map<Int, Paired>,
    val spread: Spread,
    val bound: Bound,
    private val looks: Looks,
    private val step: Double,
) {
    val figure: Figure get() = spread.estimate(looks = looks).toFigure(bound)

    private val ratios: List<Double> get() = pairs.values.map { it.numerator / it.denominator }

    private val isOfOneMachine: Boolean get() = bound == Bound.EXACT && pairs.values.distinctBy { it.block }.size == 1

    /** Of the rounds without the quarter at each end; null with fewer than six rounds, without exact values, and of several machines. */
    val trimmed: Estimate? get() = if (isOfOneMachine) trimmedMean(ratios) else null

    /** The groups of rounds, of one machine, of which not both differ from [limit] as the mean does; null without such groups. */
    fun groupsAround(limit: Double): TwoGroups? = if (isOfOneMachine) contradictingGroups(ratios.map { it / limit }) else null

    /** By round, the spread of the other rounds. */
    fun withoutEach(): Map<Int, Spread> =
        pairs.keys.associateWithNotNull { round -> ratioOf((pairs - round).values.toList(), step) }
}

/** What a sample is of; [at]: see [Measurements.figure]. */
private data class Sampled(val cell: CellId, val measure: Measure, val operation: String?, val at: OpenRate?)

/** [facts] with its values; null if it was not measured. */
internal fun measuredTrial(
    plan: Plan,
    facts: TrialFacts,
    machine: MachineOfTrial = MachineOfTrial(),
    looks: Looks = ONE_LOOK,
): MeasuredTrial? {
    val cell = plan.cells.find { it.id == facts.record.trial.cell }
    val load = facts.record.load?.takeIf { it.windowSeconds > 0 }
    if (facts.record.ending !is Ending.Measured || cell == null || load == null) return null
    val matters = plan.experiment.matters[Measure.THROUGHPUT]
    return MeasuredTrial(facts, cell, load, facts.windowReadings(), matters, plan.experiment.capacity, machine, looks)
}

/**
 * The trials of a run by cell. Only this class decides which trials count. Of a trial that was repeated, the last measured attempt counts; the
 * earlier ones are [replaced], and not in [run].
 */
internal class Measurements(all: RunFacts) {
    val looks: Looks = all.looks
    val machines: List<MachineOfTrial> = all.machines.mapIndexed { index, it -> MachineOfTrial(index, it.cpuModel) }
    private val attempts: List<MeasuredTrial> = all.trials
        .mapNotNull { measuredTrial(all.plan, it, machines[all.machineOf(it.record.trial.round)], looks) }
        .sortedWith(compareBy({ it.number }, { it.facts.record.trial.attempt }))
    val replaced: List<MeasuredTrial> = attempts.groupBy { it.facts.record.trial.copy(attempt = 1) }.values
        .flatMap { it.dropLast(1) }
    val run: RunFacts = all.copy(trials = all.trials - replaced.map { it.facts }.toSet())
    private val byCell: Map<CellId, List<MeasuredTrial>> = (attempts - replaced.toSet()).groupBy { it.cell.id }

    /** The samples of each cell: it is compared with every other one. */
    private val sampled = mutableMapOf<Sampled, Map<Int, CensoredValue>>()

    /** All measured trials: valid and invalid, including second measurements of the baseline. */
    fun trials(cell: CellId): List<MeasuredTrial> = byCell[cell].orEmpty()

    /** The trials for estimates; of a baseline both measurements of a round. */
    fun counted(cell: CellId): List<MeasuredTrial> = trials(cell).filter { it.valid }

    /**
     * What [measure] is counted of: the open loads of the counted trials [at] a rate; null: the windows. Each rate of a capacity search is checked by
     * itself, whatever the window before was; a start is valid whatever the load generator does later.
     */
    fun counted(cell: CellId, at: OpenRate?, measure: Measure? = null): List<MeasuredTrial> = when {
        measure == Measure.CAPACITY || measure in Measure.startUp -> trials(cell)
        at == null -> counted(cell)
        else -> counted(cell).mapNotNull { it.openLoads[at] }.filter { it.valid }
    }

    /** The offered rate of the open load of [cell] at [rate]. */
    fun offered(cell: CellId, rate: OpenRate): Double? = counted(cell, rate).firstNotNullOfOrNull { it.offered }

    /**
     * The estimate of [measure], of all requests or of one [operation], in the windows or under open load [at] a rate. Null without data, and of a
     * capacity if no rate met the objective in any trial.
     */
    fun figure(cell: CellId, measure: Measure, operation: String? = null, at: OpenRate? = null): Figure? =
        orZero(cell, measure, operation, at)?.takeUnless { measure == Measure.CAPACITY && it.estimate.value == 0.0 }

    /** The same, and 0 of a capacity if no rate met the objective: a rule about it fails. */
    fun orZero(cell: CellId, measure: Measure, operation: String?, at: OpenRate? = null): Figure? =
        counted(cell, at, measure).filter { it.lagAllows(measure) }
            .estimate(measure.mayBeZero, measure.step) { it.sample(measure, operation) }
            ?.run { Figure(estimate, if (censored) Bound.AT_LEAST else Bound.EXACT, ofBounds) }

    /** The ratio from rounds with both cells; null without such a round, and under open load [at] a rate that one of them cannot serve. */
    fun ratio(
        candidate: CellId,
        baseline: CellId,
        measure: Measure,
        operation: String? = null,
        at: OpenRate? = null,
    ): RatioOfCells? {
        val saturated = at != null && listOf(candidate, baseline).any { saturation.of(counted(it, at, measure)) != null }
        fun samples(cell: CellId) = sampled.getOrPut(Sampled(cell, measure, operation, at)) {
            byRound(counted(cell, at, measure), measure, operation)
        }
        return if (saturated) null else ratio(samples(candidate), samples(baseline), measure)
    }

    /** Like [ratio], but with invalid trials too, to compare generators. */
    fun ratioOfAll(candidate: CellId, baseline: CellId, measure: Measure): RatioOfCells? =
        ratio(byRound(trials(candidate), measure), byRound(trials(baseline), measure), measure)

    /** A/A: the second measurement of [cell] in each round divided by the first. */
    fun againstItself(cell: CellId, measure: Measure): RatioOfCells? = counted(cell, at = null, measure).partition { it.again }
        .let { (again, first) -> ratio(byRound(again, measure), byRound(first, measure), measure) }

    /**
     * The baseline of [cell]: the declared one, or the same variant and workload with the profile, axis value, protocol and engine of [cell].
     * If the baseline's workload is other work, the baseline's variant with the workload of [cell].
     */
    fun baselineOf(cell: Cell): Cell? {
        val plan = run.plan
        val declared = plan.cells.find { it.id == plan.experiment.baseline } ?: return null
        val ofVariant = plan.cells.filter { it.profile.name == cell.profile.name && it.variant.name == declared.variant.name }
        fun with(workload: Workload) = ofVariant.find {
            it.workload.declared == workload.declared &&
                it.workload.point?.value == (cell.workload.point ?: workload.point)?.value
        }
        return with(declared.workload)?.takeIf { plan.workOf(it) == plan.workOf(cell) } ?: with(cell.workload)
    }

    private fun ratio(candidates: Map<Int, CensoredValue>, baselines: Map<Int, CensoredValue>, measure: Measure): RatioOfCells? {
        val pairs = candidates.mapNotNull { (round, above) -> baselines[round]?.let { round to (above to it) } }.toMap()
        val paired = pairs.mapValues { (round, pair) -> Paired(pair.first.value, pair.second.value, run.machineOf(round)) }
        val spread = ratioOf(paired.values.toList(), measure.step) ?: return null
        // What is left out because nothing can be divided by 0 was larger than all others.
        val endless = paired.values.any { it.denominator == 0.0 && it.numerator > 0 }
        val bound = boundOfRatio(
            endless || pairs.values.any { (above, _) -> above.censored },
            pairs.values.any { (_, below) -> below.censored },
        )
        return RatioOfCells(paired, spread, bound, looks, measure.step)
    }
}

/** Of a ratio with lower bounds [above] or [below] the line. */
internal fun boundOfRatio(above: Boolean, below: Boolean): Bound = when {
    above && below -> Bound.UNKNOWN
    above -> Bound.AT_LEAST
    below -> Bound.AT_MOST
    else -> Bound.EXACT
}

/**
 * One sample a round: the geometric mean of both measurements of a baseline, the arithmetic one where one of them is 0. A trial that was
 * repeated (a resumed run) counts once, by its last record.
 */
private fun byRound(trials: List<MeasuredTrial>, measure: Measure, operation: String? = null): Map<Int, CensoredValue> =
    trials.groupBy { it.round }.toSortedMap().mapNotNull { (round, ofRound) ->
        val samples = ofRound.associateBy { it.again }.values
            .filter { it.lagAllows(measure) }.mapNotNull { it.sample(measure, operation) }
        val values = samples.map { it.value }
        spreadOf(values, scaleFor(values))?.let { round to CensoredValue(it.point, samples.any { sample -> sample.censored }) }
    }.toMap()
