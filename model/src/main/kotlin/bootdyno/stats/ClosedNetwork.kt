package bootdyno.stats

import kotlin.math.ceil
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.ln1p
import kotlin.math.max
import kotlin.math.min

/**
 * A station of a closed network. [servers] work at once, each on one request; a fraction works slower: 0.5 servers take twice the time.
 * [demand]: seconds of one server for a request, over all its visits.
 */
data class Station(val servers: Double, val demand: Double)

/**
 * A closed queueing network: [population] customers, each of which visits the [stations] and a [delay] (seconds without a queue) in turn.
 *
 * The results are exact for networks with a product form (exponential service times, or processor sharing with any: Baskett, Chandy, Muntz &
 * Palacios 1975), and the same as those of mean value analysis (Reiser & Lavenberg 1980). They are computed by convolution (Buzen 1973),
 * because mean value analysis subtracts probabilities for several servers and becomes unstable. All terms of the convolution are positive; on
 * the logarithm they neither overflow nor cancel. With n customers, a station takes n · min(servers, n) steps.
 */
class ClosedNetwork(private val stations: List<Station>, private val delay: Double, private val population: Int) {
    init {
        require(population > 0) { "a network needs a customer: $population" }
        require(delay >= 0 && delay.isFinite()) { "a delay is not negative: $delay" }
        stations.forEach { require(it.servers > 0 && it.demand >= 0 && it.demand.isFinite()) { "no station: $it" } }
        require(delay > 0 || stations.any { it.demand > 0 }) { "a network without any time" }
    }

    /** Logarithms of the normalising constants for 0 to [population] customers. */
    private val constants: DoubleArray by lazy {
        val ofDelay = DoubleArray(population + 1)
        for (n in 1..population) ofDelay[n] = ofDelay[n - 1] + ln(delay / n)
        stations.filter { it.demand > 0 }.fold(ofDelay) { before, station -> station.added(before) }
    }

    /** Customers per second. */
    val throughput: Double by lazy { exp(constants[population - 1] - constants[population]) }

    /** Seconds at all stations, waiting included. */
    val responseSeconds: Double get() = population / throughput - delay

    /**
     * Upper bound of the throughput, whatever the distributions of times: no customer ever waits, or a station is always busy (asymptotic bounds:
     * Muntz & Wong 1974; Denning & Buzen 1978).
     */
    val bound: Double
        get() {
            val alone = delay + stations.sumOf { it.demand / min(1.0, it.servers) }
            val busy = stations.filter { it.demand > 0 }.minOfOrNull { it.servers / it.demand }
            return min(population / alone, busy ?: Double.POSITIVE_INFINITY)
        }

    /** Logarithms of demand^k / (rate of 1 · … · rate of k), for k to [most]; the rate of k customers is min(k, servers). */
    private fun Station.weights(most: Int): DoubleArray {
        val weights = DoubleArray(most + 1)
        for (k in 1..most) weights[k] = weights[k - 1] + ln(demand / min(k.toDouble(), servers))
        return weights
    }

    /** From [Station.servers] on the weights are a geometric series, whose part of the sum follows from that of one customer less. */
    private fun Station.added(before: DoubleArray): DoubleArray {
        val all = min(ceil(servers).toInt(), before.size)
        val weights = weights(all)
        val result = DoubleArray(before.size)
        var busy = Double.NEGATIVE_INFINITY
        for (n in before.indices) {
            if (n >= all) busy = logSum(weights[all] + before[n - all], busy + ln(demand / servers))
            result[n] = logSum(busy, logSum(min(n, all - 1)) { k -> weights[k] + before[n - k] })
        }
        return result
    }
}

/** ln(e^[a] + e^[b]). */
private fun logSum(a: Double, b: Double): Double {
    val larger = max(a, b)
    return if (larger == Double.NEGATIVE_INFINITY) larger else larger + ln1p(exp(min(a, b) - larger))
}

/** The logarithm of the sum over 0 to [last] of e^[term]. */
private inline fun logSum(last: Int, term: (Int) -> Double): Double {
    var largest = Double.NEGATIVE_INFINITY
    for (k in 0..last) largest = max(largest, term(k))
    if (largest == Double.NEGATIVE_INFINITY) return largest
    var sum = 0.0
    for (k in 0..last) sum += exp(term(k) - largest)
    return largest + ln(sum)
}
