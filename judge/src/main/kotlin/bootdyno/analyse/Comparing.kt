package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.OpenRate
import bootdyno.model.Work
import bootdyno.stats.DEFAULT_LEVEL
import bootdyno.stats.Looks
import bootdyno.stats.RatioRule
import bootdyno.stats.Zone
import bootdyno.stats.furtherSamples
import bootdyno.stats.moderated
import bootdyno.stats.pooled

/** The chance of any false difference among the comparisons of a family. */
internal const val ALPHA = 1 - DEFAULT_LEVEL

/** Fewer rounds cannot spare one. */
private const val FEWEST_TO_SPARE_ONE = 4

/**
 * The comparisons of a run. Ranking, verdicts, claims and gates take theirs from here, so that they agree.
 *
 * Cells that do the same [Work] are compared, measure by measure. The experiment names the first family before any data: each cell with the
 * baseline, and the two cells of a claim or a gate. The [primary][isPrimary] ones of all works share the error of 5 % (Bonferroni), all others another
 * 5 %. The other pairs of a work are its second family. It gets the share of the work's error
 * that belongs to comparisons of the first found different (parallel gatekeeping: Dmitrienko, Offen, Westfall 2003). Where none of these
 * differs, no other pair is called different. Without a first family it has all of the work's error.
 *
 * [forecasts]: see [analyse].
 *
 * Where rounds are added as they are needed, all intervals hold after each round that may be the last (see [Looks]).
 */
internal class Comparisons(private val measured: Measurements, private val forecasts: Boolean = true) {
    private val plan = measured.run.plan
    private val works = plan.cells.groupBy(plan::workOf)
    private val families = mutableMapOf<Quantity, FamiliesOfWork>()
    private val looks = measured.looks

    /** By whether they are primary, the number of comparisons that share an error. */
    private val sizes = mutableMapOf<Boolean, Int>()

    /** The comparisons of claims and gates between cells that do different work. */
    private val acrossWorks: List<Pair> by lazy {
        plan.experiment.named().distinctBy { it.measure to it.operation }.flatMap { named ->
            plan.experiment.pairsNamedFor(named.measure, named.operation).map { it.toList() }
                .filter { (one, other) -> workOf(one) != workOf(other) }
                .mapNotNull { (one, other) -> pair(one, other, Quantity(workOf(one), named.measure, named.operation)) }
        }.filter { it.bounded }
    }

    /** Every cell against the baseline of its work: measure after measure, then the response times at each open rate after the windows. */
    val withBaseline: List<Comparison> by lazy { quantities.flatMap { familiesOf(it).withBaseline } }

    /** Those of [withBaseline] that decide when a run ends: in the windows, by what is primary for their cells. */
    val decisive: List<Comparison> by lazy { works.keys.flatMap { familiesOf(Quantity(it, judgedBy.getValue(it))).withBaseline } }

    /** What each work is judged by: the capacity if any of its cells has one. */
    private val judgedBy: Map<Work, Measure> by lazy {
        works.mapValues { (_, cells) -> cells.map(measured::judgedBy).run { find { it == Measure.CAPACITY } ?: first() } }
    }

    fun judgedBy(cell: CellId): Measure = judgedBy.getValue(workOf(cell))

    private val quantities: List<Quantity> by lazy {
        val inWindows = works.flatMap { (work, cells) -> cells.first().comparedBy.map { Quantity(work, it) } }
            .groupBy { it.measure }.values.flatten()
        val atRates = works.flatMap { (work, cells) ->
            cells.flatMap { it.latencyAt }.distinct().flatMap { rate -> RESPONSE_TIMES.map { Quantity(work, it, at = rate) } }
        }
        inWindows + atRates
    }

    /** What claims, gates and published figures compare beside these. */
    private val beside: List<Quantity> by lazy {
        val named = plan.experiment.named().flatMap { named -> works.keys.map { Quantity(it, named.measure, named.operation) } }
        val published = plan.experiment.published.filter { measured.referenceOf(it) != null }
            .map { Quantity(workOf(it.cell), it.measure, it.operation) }
        (named.filter(::isNamed) + published).distinct() - quantities.toSet()
    }

    /** What a run is made for: the measure that its load is judged by, and what claims and gates compare. */
    private fun isPrimary(of: Quantity) = of.at == null &&
        ((of.operation == null && of.measure == judgedBy.getValue(of.work)) || isNamed(of))

    private fun isNamed(of: Quantity): Boolean {
        val cells = works.getValue(of.work).map { it.id }
        return of.at == null && plan.experiment.pairsNamedFor(of.measure, of.operation).any { cells.containsAll(it) }
    }

    private fun sizeWith(of: Quantity): Int = sizeOf(isPrimary(of))

    /** How many comparisons share the error of those that are [primary]. */
    fun sizeOf(primary: Boolean): Int = sizes.getOrPut(primary) {
        val all = (quantities + beside).filter { isPrimary(it) == primary }
        (all.sumOf { familiesOf(it).size } + if (primary) acrossWorks.size else 0).coerceAtLeast(1)
    }

    /** [candidate] divided by [other]; null where no round has both. */
    fun between(candidate: CellId, other: CellId, measure: Measure, operation: String? = null): Comparison? =
        pair(candidate, other, Quantity(workOf(candidate), measure, operation))?.let { judged(it, familyOf(it)) }

    /**
     * The faster one, by the verdict of [between]; null where neither is shown to be. Nothing can be divided by the zeros of [other]: then, by the
     * inverse ratio.
     */
    fun faster(one: CellId, other: CellId, measure: Measure): CellId? {
        val of = Quantity(workOf(one), measure)
        val verdict = verdictOf(pair(one, other, of))
        return when (verdict ?: verdictOf(pair(other, one, of))) {
            Verdict.FASTER -> if (verdict != null) one else other
            Verdict.SLOWER -> if (verdict != null) other else one
            Verdict.EQUIVALENT, Verdict.UNDECIDED, null -> null
        }
    }

    /** Those of [cells], which do the same work, that none of them is shown to be better than by [measure]. */
    fun best(cells: Collection<CellId>, measure: Measure): Set<CellId> =
        cells.filter { one -> cells.none { faster(one, it, measure) == it } }.toSet()

    private fun verdictOf(pair: Pair?): Verdict? = pair?.let { judging(it, familyOf(it)).verdict }

    /** [cell] against itself: the second measurement of each round by the first. */
    fun itself(cell: CellId, measure: Measure): Comparison? = measured.againstItself(cell, measure)?.let { ratio ->
        val pair = Pair(cell, cell, Quantity(workOf(cell), measure), ratio)
        judged(pair, Family(listOf(pair)))
    }

    /** A pair of different work is a family of its own; that of a claim or a gate shares the error of the primary ones. */
    private fun familyOf(pair: Pair): Family = when {
        workOf(pair.other) == pair.of.work -> familiesOf(pair.of).of(pair.candidate, pair.other)
        acrossWorks.any { it.isOfSameCells(pair) } -> Family(listOf(pair), ALPHA / sizeOf(primary = true))
        else -> Family(listOf(pair))
    }

    private fun workOf(cell: CellId) = plan.workOf(plan.cell(cell))

    private fun familiesOf(of: Quantity) = families.getOrPut(of) { FamiliesOfWork(of) }

    private fun pair(candidate: CellId, other: CellId, of: Quantity): Pair? =
        measured.ratio(candidate, other, of.measure, of.operation, of.at)?.let { Pair(candidate, other, of, it) }

    /** [at]: under open load at this rate after the windows; null: in the windows. */
    private data class Quantity(val work: Work, val measure: Measure, val operation: String? = null, val at: OpenRate? = null) {
        fun rateOf(cell: CellId, measured: Measurements): ComparedRate? = at?.let { rate ->
            measured.offered(cell, rate)?.let { ComparedRate((rate as? OpenRate.Share)?.share, it) }
        }
    }

    private class Pair(val candidate: CellId, val other: CellId, val of: Quantity, val ratio: RatioOfCells) {
        val exact get() = ratio.bound == Bound.EXACT && ratio.spread.n >= 2

        val decidable get() = of.measure.isDecidedBy(ratio.bound) && ratio.spread.n >= 2

        /** What decides a claim or a gate. */
        val bounded get() = ratio.bound != Bound.UNKNOWN && ratio.spread.n >= 2

        fun isOfSameCells(pair: Pair) = setOf(candidate, other) == setOf(pair.candidate, pair.other) &&
            of.measure == pair.of.measure && of.operation == pair.of.operation
    }

    /** Comparisons that are judged together, each at [alpha]. [closed]: none of them may be called different. */
    private class Family(all: List<Pair>, val alpha: Double = ALPHA, val closed: Boolean = false) {
        val variance = pooled(all.filter { it.exact }.map { it.ratio.spread })
    }

    private inner class FamiliesOfWork(private val of: Quantity) {
        private val cells = works.getValue(of.work).map { it.id }
        private val baselines = cells.associateWith { id -> measured.baselineOf(plan.cell(id))?.id?.takeIf { it in cells } }
        private val named = plan.experiment.pairsNamedFor(of.measure, of.operation)
        private val ofBaseline = cells.mapNotNull { id -> baselines[id]?.takeIf { it != id }?.let { pair(id, it, of) } }
        private val ofNamed = pairs { one, other -> !hasBaseline(one, other) && setOf(one, other) in named }

        // Nearly half the square of the number of cells: only what ranks cells needs them.
        private val others by lazy { pairs { one, other -> !isInFirst(one, other) } }

        /** Those of the first family that decide a verdict, a claim or a gate. */
        private val decided = (ofBaseline + ofNamed).filter { it.decidable || (isNamed(it) && it.bounded) }

        /** The number of these; without any, of those of the second family. */
        val size = decided.size.takeIf { it > 0 } ?: others.count { it.decidable }
        private val first: Family by lazy { Family(ofBaseline + ofNamed, ALPHA / sizeWith(of)) }
        val withBaseline: List<Comparison> by lazy { ofBaseline.map { judged(it, first) } }

        private fun isNamed(pair: Pair) = setOf(pair.candidate, pair.other) in named

        private val second: Family by lazy {
            val number = others.count { it.decidable }.coerceAtLeast(1)
            val different = (ofBaseline + ofNamed).count { judging(it, first).verdict.isDifferent }
            when {
                decided.isEmpty() -> Family(others, ALPHA / sizeWith(of))
                different == 0 -> Family(others, ALPHA / sizeWith(of), closed = true)
                else -> Family(others, ALPHA / sizeWith(of) * different / number)
            }
        }

        fun of(one: CellId, other: CellId): Family = if (isInFirst(one, other)) first else second

        private fun pairs(wanted: (CellId, CellId) -> Boolean) = cells.flatMapIndexed { i, one ->
            cells.drop(i + 1).filter { wanted(one, it) }.mapNotNull { pair(one, it, of) }
        }

        private fun isInFirst(one: CellId, other: CellId) = hasBaseline(one, other) || setOf(one, other) in named

        private fun hasBaseline(one: CellId, other: CellId) = baselines[one] == other || baselines[other] == one
    }

    private fun judging(pair: Pair, family: Family): JudgedRatio {
        val measure = pair.of.measure
        fun fails(cell: CellId, moreThan: CellId) =
            !measure.countsFailures && measured.moreErrors(cell, moreThan, pair.of.at).isSeen
        return JudgedRatio(
            measure = measure,
            spread = pair.ratio.spread.moderated(family.variance),
            bound = pair.ratio.bound,
            test = RatioRule(Zone(plan.experiment.matters[measure]), family.alpha, looks),
            candidateFails = fails(pair.candidate, moreThan = pair.other),
            otherFails = fails(pair.other, moreThan = pair.candidate),
            closed = family.closed,
            groupsAround = pair.ratio::groupsAround,
        )
    }

    private fun judged(pair: Pair, family: Family): Comparison = judging(pair, family).run {
        comparison(pair.candidate, pair.other).copy(
            furtherRounds = if (forecasts && byInterval == Verdict.UNDECIDED && !family.closed) {
                furtherSamples(spread, test, pair.of.measure.tight)
            } else {
                null
            },
            failsMore = if (candidateFails) pair.candidate else pair.other.takeIf { otherFails },
            dependsOn = dependsOn(pair, family),
            at = pair.of.rateOf(pair.candidate, measured),
            trimmed = pair.ratio.trimmed,
        )
    }

    /** Rounds without any one of which the verdict would be another. */
    private fun JudgedRatio.dependsOn(pair: Pair, family: Family): List<Int> =
        if (!forecasts || !pair.decidable || groups != null || spread.n < FEWEST_TO_SPARE_ONE) {
            emptyList()
        } else {
            pair.ratio.withoutEach().filterValues { changesWith(it.moderated(family.variance)) }.keys.toList()
        }
}
