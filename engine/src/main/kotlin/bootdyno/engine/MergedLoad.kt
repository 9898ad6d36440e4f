package bootdyno.engine

import bootdyno.model.AgentFound
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.NetworkFound
import bootdyno.model.OWN_ENGINE
import bootdyno.model.OperationFound
import bootdyno.model.commonestFailures
import org.HdrHistogram.Histogram

/**
 * The sum of [parts] of [order] that [hosts] measured, as one engine would have recorded all requests: counts and buckets of histograms are
 * added. The window is the mean of the hosts' windows; of a burst, the longest one.
 */
internal fun merged(order: LoadOrder, hosts: List<String>, parts: List<StartedMeasured>): LoadMeasured {
    val all = parts.map { it.measured }
    val found = all.map { it.found }
    val agents = hosts.zip(parts) { host, part ->
        with(part.measured.found) {
            AgentFound(host, answered, windowSeconds, generator, network, part.startedWithinNanos / NANOS_PER_MILLI)
        }
    }
    val total = LoadFound(
        engine = OWN_ENGINE,
        windowSeconds = found.map { it.windowSeconds }.let { if (order.load.isBurst) it.max() else it.average() },
        answered = found.sumOf { it.answered },
        errors = sum(found.map { it.errors }),
        inFlight = found.sumOf { it.inFlight },
        due = found.map { it.due }.reduce { sum, due -> if (sum == null || due == null) null else sum + due },
        generator = sum(found.map { it.generator }),
        leftBefore = 0,
        leftAfter = found.sumOf { it.leftAfter },
        drainSeconds = found.maxOf { it.drainSeconds },
        operations = found.first().operations.map { first ->
            sum(found.map { it.operations.first { own -> own.name == first.name } })
        },
        unsent = found.sumOf { it.unsent },
        failures = commonestFailures(found.flatMap { it.failures.entries }),
        agents = agents,
        network = sum(found.mapNotNull { it.network }),
    )
    if (order.window.isPositive() && order.requestsPerArrival == 1) checkBurst(order, total)
    return LoadMeasured(total, sum(all.map { it.latencies }))
}

internal const val NANOS_PER_MILLI = 1e6

/** The shortest and the longest round trip of all, and the highest of the medians: that of the most distant host. Null without one. */
@JvmName("sumOfNetworks")
private fun sum(networks: List<NetworkFound>): NetworkFound? = if (networks.isEmpty()) {
    null
} else {
    NetworkFound(
        probes = networks.sumOf { it.probes },
        rttMinMs = networks.mapNotNull { it.rttMinMs }.minOrNull(),
        rttP50Ms = networks.mapNotNull { it.rttP50Ms }.maxOrNull(),
        rttMaxMs = networks.mapNotNull { it.rttMaxMs }.maxOrNull(),
        segments = networks.mapNotNull { it.segments }.takeIf { it.size == networks.size }?.sum(),
        sentAgain = networks.mapNotNull { it.sentAgain }.takeIf { it.size == networks.size }?.sum(),
    )
}

private fun sum(errors: List<Map<ErrorCause, Long>>): Map<ErrorCause, Long> =
    errors.flatMap { it.entries }.groupingBy { it.key }.fold(0L) { sum, entry -> sum + entry.value }.toSortedMap()

@JvmName("sumOfOperations")
private fun sum(operations: List<OperationFound>) = OperationFound(
    name = operations.first().name,
    answered = operations.sumOf { it.answered },
    errors = sum(operations.map { it.errors }),
    inFlight = operations.sumOf { it.inFlight },
)

/** Of the lags and waits the largest, because the worst host counts. */
@JvmName("sumOfGenerators")
private fun sum(generators: List<GeneratorFound>) = GeneratorFound(
    cpuSeconds = generators.sumOf { it.cpuSeconds },
    cpus = generators.sumOf { it.cpus },
    lagP99Ms = generators.mapNotNull { it.lagP99Ms }.maxOrNull(),
    lagP999Ms = generators.mapNotNull { it.lagP999Ms }.maxOrNull(),
    lagMaxMs = generators.mapNotNull { it.lagMaxMs }.maxOrNull(),
    waitShare = generators.mapNotNull { it.waitShare }.maxOrNull(),
    transport = generators.mapNotNull { it.transport }.distinct().joinToString().ifEmpty { null },
)

@JvmName("sumOfLatencies")
private fun sum(all: List<LatencyHistograms>): LatencyHistograms {
    val first = all.first()
    fun optional(one: (LatencyHistograms) -> Histogram?): Histogram? =
        if (all.all { one(it) != null }) sum(all.mapNotNull(one)) else null

    fun byName(names: (LatencyHistograms) -> Map<String, Histogram>): Map<String, Histogram> =
        names(first).keys.associateWith { name -> sum(all.mapNotNull { names(it)[name] }) }
    return LatencyHistograms(
        response = sum(all.map { it.response }),
        service = sum(all.map { it.service }),
        unanswered = sum(all.map { it.unanswered }),
        connect = optional { it.connect },
        operations = byName { it.operations },
        unansweredOperations = byName { it.unansweredOperations },
        sinceStart = optional { it.sinceStart },
        entered = optional { it.entered },
        enteredOperations = byName { it.enteredOperations },
    )
}

/** All have the same precision, so that adding is exact. */
@JvmName("sumOfHistograms")
private fun sum(histograms: List<Histogram>): Histogram = spanHistogram().also { histograms.forEach(it::add) }

/** Merges the seconds that [parts] parts of a load report, by their number since the start. Thread-safe. */
internal class MergedSeconds(parts: Int, private val onSecond: (LoadSecond) -> Unit) {
    /** Of each part, the seconds that are not yet merged. Guarded by this. */
    private val waiting = List(parts) { ArrayDeque<DriveSecond>() }
    private val last = arrayOfNulls<LoadSecond>(parts)
    private val over = BooleanArray(parts)

    @Synchronized
    fun add(part: Int, second: DriveSecond) {
        waiting[part].addLast(second)
        tell()
    }

    /** Part number [part] has no further second: its last counts stay. */
    @Synchronized
    fun ended(part: Int) {
        over[part] = true
        tell()
    }

    private fun tell() {
        while (waiting.any { it.isNotEmpty() } && waiting.indices.all { waiting[it].isNotEmpty() || over[it] }) {
            val responses = nanoHistogram()
            var inWindow = true
            waiting.forEachIndexed { part, seconds ->
                val next = seconds.removeFirstOrNull() ?: return@forEachIndexed
                last[part] = next.second
                inWindow = inWindow && next.second.inWindow
                responses.add(next.responses)
            }
            val latest = last.filterNotNull()
            onSecond(
                LoadSecond(
                    at = latest.maxOf { it.at },
                    inWindow = inWindow,
                    answered = latest.sumOf { it.answered },
                    errors = latest.sumOf { it.errors },
                    inFlight = latest.sumOf { it.inFlight },
                    p99Ms = responses.p99Ms(),
                    p50Ms = responses.millisAt(50.0),
                    roundTripMs = latest.mapNotNull { it.roundTripMs }.maxOrNull(),
                ),
            )
        }
    }
}

/** A second of a drive, with its responses. */
internal class DriveSecond(val second: LoadSecond, val responses: Histogram)

/** Checks the number of requests of a burst; not for chains, where it depends on failures. */
internal fun checkBurst(order: LoadOrder, found: LoadFound) {
    val load = order.load as? LoadProfile.Burst ?: return
    val classes = found.answered + found.errors.values.sum() + found.inFlight + found.unsent
    check(classes == order.part.count(load.users).toLong() * load.requestsEach) {
        "$load, but $classes requests in all classes: $found"
    }
}
