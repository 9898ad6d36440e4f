package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.RunFacts
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.significant
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import kotlin.math.sqrt

/** A figure or ratio is exact enough within ± this share (docs/method.md): 2 %; of a capacity, the distance of its rates is added. */
internal val Measure.tight: Double get() = 0.02 + step

/**
 * Why no further rounds are needed, as a sentence for the user; null to continue. Called after every complete round. The planned rounds are always
 * measured. Further rounds follow until every comparison is settled, the maximum is reached, or the budget has no time for another.
 *
 * A comparison is settled if it has a verdict other than *undecided*, or is known to ± [tight]. Its intervals hold after all
 * of these rounds together, so whatever ends a run, they are right. Settled is also what further rounds would not change: no verdict (censored,
 * most rounds failed), or undecided because one side fails more requests. Closed load and bursts are judged by what they are ranked
 * by, or by the capacity that was searched. Open load is judged by p99, because its throughput is the offered rate.
 *
 * A rule (gate) about a ratio of two cells is settled if it passes or fails. It then settles the comparison that it is about, too. A run with a prediction
 * ends when it is confirmed or refuted, or its ratio has such an interval.
 */
fun reasonToStop(run: RunFacts): String? {
    val repetition = run.plan.experiment.repetition
    val done = roundsDone(run)
    if (done < repetition.rounds) return null
    if (done >= repetition.maxRounds) return "All ${plural(done, "round")} are done."
    val measured = Measurements(run)
    val comparisons = Comparisons(measured, forecasts = false)
    val confirmation = confirmationOf(measured, comparisons)
    if (confirmation != null && confirmation.outcome != ConfirmationOutcome.UNDECIDED) {
        return "After ${plural(done, "round")} the prediction is ${confirmation.outcome.word}."
    }
    val open = when {
        confirmation == null && comparisons.decisive.isEmpty() -> wideCells(measured, comparisons)
        confirmation == null -> OpenComparisons(measured, comparisons).names
        confirmation.isOpen -> listOf(confirmation.changed.text)
        else -> emptyList()
    }
    return when {
        open.isEmpty() -> "After ${plural(done, "round")} ${settled(measured, comparisons)}."

        run.outOfTime ->
            "After ${plural(done, "round")}, the time budget of ${repetition.budget} leaves no time for another; " +
                "undecided: ${open.joinToString()}."

        else -> null
    }
}

/** What is known of all decisive comparisons; without any, the figures count. */
private fun settled(measured: Measurements, comparisons: Comparisons): String {
    val decisive = comparisons.decisive
    val figures = measured.run.plan.cells.map { measured.figure(it.id, comparisons.judgedBy(it.id)) }
    if (decisive.isEmpty() && figures.all { it == null }) return "no cell has a figure; more rounds are not likely to give one"
    val isKnown = decisive.none { it.verdict == null || it.moreErrors } &&
        (decisive.isNotEmpty() || figures.all { it?.estimate?.interval != null })
    val exact = "known to ± ${rounded(100 * measured.run.plan.cells.maxOf { comparisons.judgedBy(it.id).tight })} %"
    val all = if (decisive.isEmpty()) "figure is $exact" else "ratio has a verdict or is $exact"
    return "every $all" + if (isKnown) "" else ", or more rounds do not decide it"
}

/** Why another round is needed, after one that may be the last: each gate, and each comparison with its interval, that is not settled. */
fun undecided(run: RunFacts): List<String> {
    val measured = Measurements(run)
    return OpenComparisons(measured, Comparisons(measured, forecasts = false)).names
}

/**
 * Cells that need no further round: their comparisons are settled, and they cannot be the best of a work in which others are open. The intervals of
 * each comparison hold after each of its own rounds, so a cell may leave. One that is unsettled again, because a family's common variance has
 * changed, comes back. The baseline that is measured twice stays, and so do all cells of a run with a prediction.
 */
fun settledCells(run: RunFacts): Set<CellId> {
    val whole = run.wholeRounds
    val plan = run.plan
    if (whole.size < plan.experiment.repetition.rounds || plan.prediction != null) return emptySet()
    val measured = Measurements(run.copy(trials = run.trials.filter { it.record.trial.round in whole }))
    val comparisons = Comparisons(measured, forecasts = false)
    val needed = OpenComparisons(measured, comparisons).cells
    return plan.cells.groupBy(plan::workOf).values.map { cells -> cells.map { it.id }.toSet() }.flatMap { cells ->
        when {
            comparisons.decisive.none { it.candidate in cells } -> emptySet()

            cells.none { it in needed } -> cells

            else -> {
                val measure = comparisons.judgedBy(cells.first())
                cells - needed - comparisons.best(cells.filter { measured.figure(it, measure) != null }, measure)
            }
        }
    }.toSet() - plan.twice.map { it.id }.toSet()
}

/** The gates and comparisons that are not settled. */
private class OpenComparisons(measured: Measurements, all: Comparisons) {
    private val gates: List<Gate>
    private val comparisons: List<Comparison>

    init {
        // Further rounds decide rules about ratios; one about a figure often stays on its edge.
        val judged = measured.run.plan.experiment.gates.zip(gatesJudged(measured, all)).filter { (gate, _) -> gate.right != null }
        val (open, settled) = judged.partition { (_, result) -> result.outcome == GateOutcome.UNDECIDED && !result.moreErrors }
        gates = open.map { (gate, _) -> gate }
        val sides = settled.map { (gate, _) -> setOf(gate.left, gate.right) }
        val rounds = roundsDone(measured.run)
        comparisons = all.decisive.filter { of ->
            of.isUnsettledAfter(rounds) && setOf(of.candidate, of.baseline).map { Operand(it, of.measure) }.toSet() !in sides
        }
    }

    val names: List<String> get() = gates.map { it.text } + comparisons.map { it.candidate.text + words(it.ratio, it.baseline) }
    val cells: Set<CellId>
        get() = (
            gates.flatMap { listOfNotNull(it.left, it.right) }.map { it.cell } +
                comparisons.flatMap { listOf(it.candidate, it.baseline) }
            ).toSet()
}

/** ` (0.97 to 1.05 of base/work)`. */
private fun words(ratio: Estimate, baseline: CellId): String {
    val interval = ratio.interval ?: return ""
    if (interval.isUseless) return " (ratio to $baseline not known within a factor of $WIDEST_FACTOR)"
    return " (${significant(interval.low)} to ${significant(interval.high)} of $baseline)"
}

/** An interval that is wider, as after few rounds of a noisy machine, is not shown as a figure. */
const val WIDEST_FACTOR: Int = 10

val Interval.isUseless: Boolean get() = high > WIDEST_FACTOR * low

private fun Comparison.isUnsettledAfter(rounds: Int): Boolean =
    (verdict == Verdict.UNDECIDED && !moreErrors && ratio.isWide(measure)) || (bound == Bound.EXACT && ratio.lacksTrials(rounds))

/** Whether one of two [rounds] has no trial: a third may give an interval. After more rounds without one, another would probably fail, too. */
private fun Estimate.lacksTrials(rounds: Int) = n == 1 && rounds == 2

private val Confirmation.isOpen get() = ratio?.run { !moreErrors && failsMore != candidate && this.ratio.isWide(measure) } == true

/** A cell that searched for its capacity is judged by that, though no rate met the objective. */
internal fun Measurements.judgedBy(cell: Cell): Measure =
    primaryMeasure(cell, searched = trials(cell.id).any { it.sample(Measure.CAPACITY) != null })

internal fun primaryMeasure(cell: Cell, searched: Boolean): Measure = when (cell.profile.loadInWindow) {
    is LoadProfile.Open -> Measure.P99
    is LoadProfile.Closed, is LoadProfile.Burst, null -> if (searched) Measure.CAPACITY else cell.rankedBy
}

/** Without comparisons, the intervals of the cells' own figures count. */
private fun wideCells(measured: Measurements, comparisons: Comparisons): List<String> = measured.run.plan.cells.map { it.id }
    .filter { cell ->
        val measure = comparisons.judgedBy(cell)
        measured.figure(cell, measure)?.run {
            estimate.isWide(measure) || (bound == Bound.EXACT && estimate.lacksTrials(roundsDone(measured.run)))
        } == true
    }.map { it.text }

/** By half the width of an interval that is symmetric on a logarithmic scale, as a share of its middle. Of nothing but zeros it has none. */
internal fun Estimate.isWide(measure: Measure): Boolean =
    interval?.run { high > 0 && sqrt(high / low) - 1 > measure.tight } ?: false
