package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.RunFacts
import bootdyno.stats.Estimate
import bootdyno.stats.Looks
import bootdyno.stats.RatioRule
import bootdyno.stats.Spread
import bootdyno.stats.TwoGroups
import bootdyno.stats.Zone
import bootdyno.stats.contradictingGroups
import bootdyno.stats.ratioOfIndependent
import bootdyno.stats.scaleFor
import bootdyno.stats.spreadOfBlocks

/**
 * Two runs of the same cells, judged together. They were not measured in the same rounds: a change of the machine between them counts as a
 * difference of the builds.
 */
data class TwoRuns(
    val base: RunFacts,
    val head: RunFacts,
    val ratios: List<RatioOfRuns>,
    val gates: List<GateJudged>,
    val common: CommonCells,
    /** Failed trials of the compared cells, and damaged trials. */
    val failures: List<RunFailure>,
    /** Those of [gates], in their order. */
    val rules: List<Gate>,
) {
    /** Those of [ratios] of what each cell is judged by. */
    val primary: List<RatioOfRuns>
        get() = common.comparable.flatMap { cell ->
            val own = ratios.filter { it.comparison.candidate == cell.id }
            val measure = primaryMeasure(cell, searched = own.any { it.comparison.measure == Measure.CAPACITY })
            own.filter { it.comparison.measure == measure }
        }
}

/** What failed in a run, as a sentence without a full stop. */
data class RunFailure(val isOfHead: Boolean, val what: String) {
    override fun toString(): String = (if (isOfHead) "head" else "base") + ": $what"
}

/** A measure of the newer run divided by that of the older one; both sides of [comparison] name the same cell. */
data class RatioOfRuns(val comparison: Comparison, val base: Estimate, val head: Estimate)

/**
 * Judges the comparable cells of [common]; both sides of a gate of [gates] name the same cell. [pairs]: how many runs are compared with [base];
 * the ratios of all of them hold together.
 */
fun compareRuns(base: RunFacts, head: RunFacts, common: CommonCells, gates: List<Gate>, pairs: Int = 1): TwoRuns =
    JudgedRuns(Measurements(base), Measurements(head), common.comparable, pairs).run {
        val failures = failures(base, isOfHead = false) + failures(head, isOfHead = true)
        TwoRuns(base, head, ratios(), gates.map(::judged), common, failures, gates)
    }

private class JudgedRuns(
    private val base: Measurements,
    private val head: Measurements,
    private val cells: List<Cell>,
    private val pairs: Int,
) {
    private val levels = mutableMapOf<NamedMeasure, Double>()

    /** A run may have ended because of what it had measured. These are the looks of the run with more of them. */
    private val looks = listOf(base, head).sortedBy { roundsDone(it.run) }.map { it.looks }.maxBy { it.last - it.first }

    fun ratios(): List<RatioOfRuns> = cells.flatMap { it.comparedBy }.distinct().flatMap { measure ->
        cells.filter { measure in it.comparedBy }.mapNotNull { cell ->
            ratio(cell.id, measure)?.let { compared(cell.id, measure, it, levelOf(NamedMeasure(measure, null))) }
        }
    }

    /** The ratios of a measure hold together with 95 % (Bonferroni), in verdicts and in rules. */
    private fun levelOf(of: NamedMeasure): Double = levels.getOrPut(of) {
        1 - ALPHA / (cells.count { ratio(it.id, of.measure, of.operation) != null }.coerceAtLeast(1) * pairs)
    }

    fun judged(gate: Gate): GateJudged {
        val level = levelOf(NamedMeasure(gate.left.measure, gate.left.operation))
        val ratio = ratio(gate.left.cell, gate.left.measure, gate.left.operation)
        val outcome = ratio?.run { judgedRatio(gate, figure(level)).unlessOf { groupsAround(gate.factor) } }
            ?: sideBySide(gate, head.figure(gate.left), base.figure(gate.left))
        return outcome.with(gate, errors(head, gate.left.cell), errors(base, gate.left.cell))
    }

    fun failures(run: RunFacts, isOfHead: Boolean): List<RunFailure> {
        val compared = cells.map { it.id }
        val failed = analyse(run, forecasts = false).failures.filter { it.cell in compared }.groupBy { it.cell }
        val sentences = failed.map { (cell, trials) -> "${trials.size} failed of $cell: ${trials.first().reason}" } +
            run.damaged.map { "${it.file}: ${it.reason}" }
        return sentences.map { RunFailure(isOfHead, it) }
    }

    private fun compared(cell: CellId, measure: Measure, ratio: IndependentRatio, level: Double): RatioOfRuns? {
        val before = base.figure(cell, measure)?.estimate ?: return null
        val after = head.figure(cell, measure)?.estimate ?: return null
        val (more, fewer) = listOf(head to base, base to head).map { (one, other) ->
            !measure.countsFailures && MoreErrors(errors(one, cell), errors(other, cell)).isSeen
        }
        val test = RatioRule(Zone(head.run.plan.experiment.matters[measure]), 1 - level, looks)
        val judged = JudgedRatio(measure, ratio.spread, ratio.bound, test, more, fewer, closed = false, ratio::groupsAround)
        return RatioOfRuns(judged.comparison(cell, cell), before, after)
    }

    private fun errors(run: Measurements, cell: CellId) = run.figure(cell, Measure.ERRORS)

    private fun ratio(cell: CellId, measure: Measure, operation: String? = null): IndependentRatio? {
        val above = Samples(head, cell, measure, operation)
        val below = Samples(base, cell, measure, operation)
        val spread = ratioOfIndependent(above.spread ?: return null, below.spread ?: return null) ?: return null
        return IndependentRatio(spread, boundOfRatio(above.censored, below.censored), above.ofRounds, below.ofRounds, looks)
    }
}

/** A value of each round. */
private class Samples(run: Measurements, cell: CellId, measure: Measure, operation: String?) {
    private val values = run.counted(cell, at = null, measure).filter { it.lagAllows(measure) }
        .mapNotNull { trial -> trial.sample(measure, operation)?.let { ValueOfTrial(trial, it) } }
    private val scale = scaleFor(values.map { it.value.value })
    val censored = values.any { it.value.censored }
    val ofRounds: List<Double> = values.groupBy { it.trial.round }.values.map { round -> round.map { it.value.value }.average() }
    val spread: Spread? = spreadOfBlocks(values.meansOfRounds(scale), scale)?.roundedTo(measure.step)
}

/** [above] and [below]: a value of each round of the newer and of the older run. */
private class IndependentRatio(
    val spread: Spread,
    val bound: Bound,
    private val above: List<Double>,
    private val below: List<Double>,
    private val looks: Looks,
) {
    fun figure(level: Double): Figure = spread.estimate(level, looks).toFigure(bound)

    /** The groups that the rounds of one run form, if not both of them differ from [limit] as the ratio does; null without such groups. */
    fun groupsAround(limit: Double): TwoGroups? {
        if (bound != Bound.EXACT) return null
        return contradictingGroups(above.map { it / below.average() / limit })
            ?: contradictingGroups(below.map { above.average() / it / limit })
    }
}
