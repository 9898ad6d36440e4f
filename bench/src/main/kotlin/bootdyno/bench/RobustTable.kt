package bootdyno.bench

import bootdyno.model.LoadFound
import bootdyno.model.RunFacts
import bootdyno.model.percent
import bootdyno.stats.DEFAULT_LEVEL
import bootdyno.stats.Interval
import bootdyno.stats.contradictingGroups
import bootdyno.stats.logMean
import bootdyno.stats.trimmedMean
import java.util.Random
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

internal const val ROBUST_TITLE = "Outliers: one candidate, 8 rounds, noise 3 %, by method"

/** The 95 % interval of a ratio, of its values in each round. */
internal enum class RatioMethod(val words: String, val interval: (List<Double>) -> Interval?) {
    DECLARED("Student, unless the rounds form two groups: decides", ::declared),
    STUDENT("Student", { logMean(it)?.interval }),
    SIGNED_RANKS("Hodges, Lehmann: signed ranks", { signedRanks(it) }),
    TRIMMED("trimmed mean", { trimmedMean(it)?.interval }),
}

private fun declared(ratios: List<Double>): Interval? = logMean(ratios)?.interval?.takeIf { contradictingGroups(ratios) == null }

/** [slow]: share of all trials at half speed; [low]: share of the candidate's trials at 0.8 of its speed. */
internal class Outliers(val words: String, val truth: Double, val slow: Double = 0.0, val low: Double = 0.0) {
    /** The shares of [runs] runs in which each method finds more, or less, than the baseline. */
    fun found(runs: Int): Map<RatioMethod, Double> {
        val random = Random(SEED)
        val all = SimulatedRuns(listOf(1.0, truth), List(2) { NOISE }, rounds = 8, slow = slow)
        val ratios = List(runs) { ratiosOf(all.run(random)).map { if (random.nextDouble() < low) it * LOW else it } }
        return RatioMethod.entries.associateWith { method ->
            ratios.count { method.interval(it)?.contains(1.0) == false } / runs.toDouble()
        }
    }

    companion object {
        private const val SEED = 20_261_126L
        private const val NOISE = 0.03
        private const val LOW = 0.8
        val CASES = listOf(
            Outliers("equal: false", 1.0),
            Outliers("+5 %", 1.05),
            Outliers("equal, one trial in eight at half speed: false", 1.0, slow = 1 / 8.0),
            Outliers("+8 %, one trial in eight at half speed", 1.08, slow = 1 / 8.0),
            Outliers("30 % of its trials at 0.8×: said to differ", 1.0, low = 0.3),
        )
    }
}

internal fun robustTable(runs: Int): List<String> {
    val rows = RatioMethod.entries
    return headOf(ROBUST_TITLE, rows.map { it.words }) + Outliers.CASES.map { case ->
        val found = case.found(runs)
        "| ${case.words} | ${rows.joinToString(" | ") { percent(found.getValue(it)) }} |"
    } + ""
}

private fun ratiosOf(run: RunFacts): List<Double> = run.trials.map { it.record }.groupBy { it.trial.round }.values.map { round ->
    val (baseline, candidate) = round.partition { it.trial.cell == SimulatedRuns.BASELINE }
    candidate.single().load.answers() / sqrt(baseline.map { it.load.answers() }.reduce(Double::times))
}

private fun LoadFound?.answers() = checkNotNull(this).answered.toDouble()

/** Exact, by the means of all pairs (Hodges, Lehmann 1963; Wilcoxon 1945); null of too few values. */
private fun signedRanks(values: List<Double>): Interval? {
    val logs = values.map { ln(it) }
    val means = logs.flatMapIndexed { i, one -> logs.drop(i).map { (one + it) / 2 } }.sorted()
    // How many of the 2ⁿ signs give each sum of ranks.
    val ways = DoubleArray(means.size + 1).also { it[0] = 1.0 }
    for (rank in 1..logs.size) for (sum in means.size downTo rank) ways[sum] += ways[sum - rank]
    val all = ways.sum()
    var below = 0
    var tail = ways[0]
    while (tail / all <= (1 - DEFAULT_LEVEL) / 2) tail += ways[++below]
    return if (below == 0) null else Interval(exp(means[below - 1]), exp(means[means.size - below]))
}
