package bootdyno.explain

import bootdyno.model.Change
import bootdyno.model.Prediction
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.roundedRange
import bootdyno.stats.ClosedNetwork
import bootdyno.stats.Station
import kotlin.math.max
import kotlin.math.min
import kotlin.math.pow
import kotlin.math.roundToInt

/** Lowest and highest possible value. */
internal typealias Possible = ClosedFloatingPointRange<Double>

/** What requests of a cell need, as measured under closed load. The load is a closed network, see [predicted]. */
internal data class Demands(
    /** Requests in the system: the connections of the load. */
    val population: Int,
    /** Successful requests per second. */
    val throughput: Double,
    /** CPUs of the subject, and those of others that it waits for. */
    val processors: List<CpuDemand>,
    val resources: List<ResourceDemand> = emptyList(),
    /** Response time of a single request without load, seconds; null if unknown. */
    val aloneSeconds: Double? = null,
    /** What the [population] is: `client connections`. */
    val clients: Units = CLIENTS,
    /** Whether [processors] are all that requests need; otherwise a change may gain nothing, because the CPU is the next limit. */
    val isCpuKnown: Boolean = true,
    /** Requests that wait for something of unknown size: such a wait may end with the change, or remain. */
    val queuedElsewhere: Double = 0.0,
) {
    /** The same after [change], which gives the resource [id] another [size] if it is not about CPUs or connections. */
    fun after(change: Change, id: String? = null, size: Int? = null): Demands = when (change) {
        is Change.Cpus -> copy(processors = processors.map { if (it.of.isEmpty()) it.copy(count = change.cpus) else it })

        is Change.Connections -> copy(population = change.connections)

        is Change.Setting, is Change.JvmFlag, is Change.EnvironmentVariable, is Change.Memory ->
            copy(resources = resources.map { if (it.id == id && size != null) it.copy(size = size) else it })
    }
}

/**
 * [count] CPUs, and the CPU [seconds] of a request on them. [of]: who uses them, ` of the database and the load generator`; empty for the subject's. [taken]: CPUs that
 * other work uses, whatever the throughput, and may cease to use: the JIT compiler.
 */
internal data class CpuDemand(val count: Double, val seconds: Possible, val of: String = "", val taken: Double = 0.0)

/** Something of which a request holds a unit for a part of its time. Mean numbers at a time, over the window or the diagnosis. */
internal data class ResourceDemand(
    val id: String,
    val units: Units,
    val size: Int,
    /** Units in use by requests that do not wait for another resource of the list. */
    val inUse: Possible,
    /** Requests that waited for a unit. */
    val waiting: Possible = 0.0..0.0,
    /** Whether a request holds its unit from its beginning to its end, as a thread of Tomcat: no more requests than units are inside. */
    val isOuter: Boolean = false,
)

/**
 * The throughput [after] a change, divided by that [before] it; null without a throughput.
 *
 * The requests inside the subject circulate between its processors, the resources that they hold, and a delay, which is their remaining time
 * (see [ClosedNetwork]). A resource holds each request for H = units in use / throughput (Little's law).
 *
 * The lower end is exact for exponential holding times (mean value analysis). The upper end is the asymptotic bound, which waits of a fixed length
 * come close to, because they queue less. Both ends are taken at both ends of the measured quantities. No prediction exceeds what the
 * processors, the resources and the connections allow.
 */
internal fun predicted(before: Demands, after: Demands): Possible? {
    if (before.throughput <= 0) return null
    val corners = Corner.entries.flatMap { corner ->
        val delay = before.delay(corner)
        listOf(
            after.network(corner, before.throughput, delay.endInclusive).throughput,
            after.network(corner, before.throughput, delay.start).bound,
        )
    }
    return corners.min() / before.throughput..corners.max() / before.throughput
}

/**
 * [predicted] as it is stored and printed; null also if [change] is not seen in the demands. A change adds something, which costs no
 * throughput. It is not above [most] requests per second, what the next limit allows. [mayGainNothing]: whether nothing excludes that it
 * gains nothing, as where requests compute one after the other, so that the interval begins at 1.
 */
internal fun prediction(
    change: Change,
    before: Demands,
    after: Demands,
    most: Double = Double.MAX_VALUE,
    mayGainNothing: Boolean = false,
): Prediction? {
    val all = predicted(before, after)?.takeIf { after != before } ?: return null
    val ratio = min(all.start, most / before.throughput)..min(all.endInclusive, most / before.throughput)
    val least = if (mayGainNothing || !before.isCpuKnown) 1.0 else max(1.0, ratio.start)
    val limit = "The limit is then ${after.limit(before)}."
    return prediction(change, least..max(1.0, ratio.endInclusive), before.throughput, limit)
}

/** The effect of [change], which gives a limit its largest value of [move]: measured in the running application. Null if that has none. */
internal fun predictionOf(move: JudgedMove, change: Change, throughput: Double): Prediction? {
    val elasticity = move.upwards?.interval ?: return null
    val times = (move.largest ?: return null) / move.moved.original
    // Twice the units serve at most twice as much: requests that were waiting when the value rose make it look like more.
    val (low, high) = listOf(elasticity.low, elasticity.high).map { max(1.0, times.pow(min(1.0, it))) }
    return prediction(change, low..high, throughput, "It was measured in the running application.")
}

/** Beyond it, hardly anything is known about what requests need. */
private const val MOST_COLLECTING = 0.95

/**
 * The effect of twice the heap, where the collector runs for the share [collecting] of the time and nothing else limits. The space that a
 * collection frees more than doubles. So the collector runs half as often or less, and takes as long for the same live objects (Appel 1987, "Garbage
 * collection can be faster than stack allocation").
 */
internal fun predictionOfHeap(change: Change, throughput: Double, collecting: Double): Prediction {
    val share = min(collecting, MOST_COLLECTING)
    val ratio = 1 / (1 - share / 2)..1 / (1 - share)
    return prediction(change, ratio, throughput, "The garbage collector then runs half as often or less.")
}

/** [then]: a sentence. */
private fun prediction(change: Change, ratio: Possible, throughput: Double, then: String): Prediction {
    val (low, high) = listOf(ratio.start, ratio.endInclusive)
    val rates = roundedRange(low * throughput, high * throughput)
    val times = roundedRange(low, high).let { if (it == "1") "no more than now" else "$it times as many" }
    return Prediction(change, low, high, "Predicted: $rates/s, $times. $then")
}

/** The ends of the measured quantities that belong together: a request that needs more of one thing waits less elsewhere. */
private enum class Corner(val of: (Possible) -> Double) {
    LITTLE({ it.start }),
    MUCH({ it.endInclusive }),
}

/** Requests that are inside at once: those of the load, at most as many as an outer resource has units. */
private val Demands.inside: Int get() = resources.filter { it.isOuter }.fold(population) { most, it -> min(most, it.size) }

private fun Demands.held(measured: Double, corner: Corner): List<Station> =
    resources.filterNot { it.isOuter }.map { Station(it.size.toDouble(), corner.of(it.inUse) / measured) }

private fun Demands.working(corner: Corner): List<Station> =
    processors.map { Station(it.count - corner.of(0.0..it.taken), corner.of(it.seconds)) }

private fun Demands.network(corner: Corner, measured: Double, delay: Double) =
    ClosedNetwork(working(corner) + held(measured, corner), max(delay, LEAST_DELAY), inside)

/** Seconds; a network needs some time. */
private const val LEAST_DELAY = 1e-9

/** From this utilisation on, the queue of a processor cannot be calculated: it depends on the utilisation's last digit. */
private const val BUSY = 0.95

/**
 * Shortest and longest remaining time of a request, seconds: what is left of its time inside without resources, processors and their queue.
 * Where a processor is busy, it is what a single request without load shows.
 */
private fun Demands.delay(corner: Corner): Possible {
    val inner = resources.filterNot { it.isOuter }
    val working = working(corner)
    val others = inside - inner.sumOf { corner.of(it.inUse) + corner.of(it.waiting) }
    val (least, longest) = listOf(others - queuedElsewhere, others).map { withoutQueues(max(0.0, it / throughput), working) }
    if (processors.none { it.taken + throughput * it.seconds.endInclusive >= BUSY * it.count }) return least..longest
    val alone = aloneSeconds?.let { it - (working + held(throughput, corner)).sumOf { station -> station.demand } }
    val shortest = min(least, max(0.0, alone ?: 0.0))
    return shortest..if (alone == null) longest else shortest
}

private const val BISECTIONS = 40

/** The delay z for which z and the time at [working], queues included, are [seconds] at the measured throughput. */
private fun Demands.withoutQueues(seconds: Double, working: List<Station>): Double {
    val requests = (seconds * throughput).roundToInt().coerceAtLeast(1)
    var (low, high) = listOf(0.0, max(0.0, seconds - working.sumOf { it.demand }))
    if (working.all { it.demand == 0.0 } || high == 0.0) return high
    repeat(BISECTIONS) {
        val middle = (low + high) / 2
        if (requests / ClosedNetwork(working, middle, requests).throughput > seconds) high = middle else low = middle
    }
    return low
}

/** What allows the least: `20 HikariCP connections`. */
private fun Demands.limit(before: Demands): String {
    fun middle(of: Possible) = (of.start + of.endInclusive) / 2
    val stations = processors.map { Pair(cpusText(it.count) + it.of, Station(it.count, middle(it.seconds))) } +
        resources.filterNot { it.isOuter }
            .map { Pair(it.words, Station(it.size.toDouble(), middle(it.inUse) / before.throughput)) }
    val delay = before.delay(Corner.MUCH).run { if (queuedElsewhere > 0) start else endInclusive }
    val needed = delay + stations.sumOf { (_, station) -> station.demand }
    val outer = resources.filter { it.isOuter && it.size < population }.minByOrNull { it.size }
    val all = stations.filter { (_, station) -> station.demand > 0 }.map { (words, it) -> Pair(words, it.servers / it.demand) } +
        Pair(outer?.words ?: "${clients.counted(population)}", inside / needed)
    return all.minBy { (_, allows) -> allows }.first
}

private val ResourceDemand.words get() = "${units.counted(size)}"
