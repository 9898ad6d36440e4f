package bootdyno.stats

import kotlin.math.ceil
import kotlin.math.max
import kotlin.math.min
import kotlin.random.Random

/** A shift of the level before the value number [at], from 0; [p]: of so large a shift anywhere if there were none. */
data class ChangePoint(val at: Int, val p: Double)

/**
 * Where the level of [values] shifts, in their order; [alpha]: the chance of any false shift.
 *
 * A shift is the place with the largest two-sample t statistic (Worsley 1979), judged among random orders of the same values (Antoch &
 * Hušková 2001), which is exact whatever the distribution. The values before and after it are searched likewise (Vostrikova 1981), with half of the error
 * each. On each side of a shift are at least three values. The same values give the same answer: the orders are drawn with a fixed seed.
 */
fun changePoints(values: List<Double>, alpha: Double = 1 - DEFAULT_LEVEL): List<ChangePoint> =
    search(values.toDoubleArray(), alpha, Random(SEED)).sortedBy { it.at }

private const val SEED = 1L
private const val FEWEST = 3

/** So many random orders are as extreme at the error alpha. Fewer where that takes more than [MOST_ORDERS], but at least one. */
private const val AS_EXTREME = 50
private const val MOST_ORDERS = 10_000

private fun search(values: DoubleArray, alpha: Double, random: Random): List<ChangePoint> {
    val (at, shift) = largest(values) ?: return emptyList()
    val shuffled = values.copyOf()
    val orders = max(min(MOST_ORDERS, ceil(AS_EXTREME / alpha).toInt()), ceil(1 / alpha).toInt())
    val most = max(1, (alpha * orders).toInt())
    var asLarge = 1
    repeat(orders - 1) {
        shuffled.shuffle(random)
        if (checkNotNull(largest(shuffled)).second >= shift * (1 - ROUNDING) && ++asLarge > most) return emptyList()
    }
    val parts = search(values.copyOf(at), alpha / 2, random) +
        search(values.copyOfRange(at, values.size), alpha / 2, random).map { it.copy(at = it.at + at) }
    return parts + ChangePoint(at, asLarge / orders.toDouble())
}

/** Sums of the same values in another order differ in their last digits. */
private const val ROUNDING = 1e-9

/** The place of the largest shift and its sum of squares, which grows with its t statistic; null of too few values, and where all are equal. */
private fun largest(values: DoubleArray): Pair<Int, Double>? {
    val mean = values.average()
    var sum = 0.0
    var at = 0
    var most = 0.0
    for (before in 1..values.size - FEWEST) {
        sum += values[before - 1] - mean
        val squares = sum * sum * values.size / (before.toDouble() * (values.size - before))
        if (before >= FEWEST && squares > most) {
            most = squares
            at = before
        }
    }
    return if (at == 0 || values.all { it == values[0] }) null else at to most
}
