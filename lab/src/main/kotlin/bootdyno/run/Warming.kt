package bootdyno.run

import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.LimitsFound
import bootdyno.model.Metric
import bootdyno.model.Stage
import bootdyno.model.WarmUp
import bootdyno.model.WarmUpFound
import bootdyno.model.WarmUpSlice
import bootdyno.model.hasCpuToSpare
import bootdyno.rules.certified
import bootdyno.rules.compiled
import bootdyno.rules.compilerIsIdle
import bootdyno.rules.heapSuffices
import bootdyno.rules.isJudgedByThroughput
import bootdyno.rules.isWarm
import bootdyno.rules.steady
import bootdyno.schedule.lawLikeAtMost
import bootdyno.system.parseCpuList
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit.SECONDS

/** How a subject reaches its steady state (docs/method.md, "Warm-up"). [method] is the name in records. */
enum class WayToWarm(val method: String) {
    /** Compiler threads get priority and additional CPUs; a quota is lifted. Without permission, [LOAD_AND_REST] is used. */
    FAVOURED("certified, compiler favoured"),

    /** Load with pauses in which no request thread needs the CPU. */
    LOAD_AND_REST("certified, load and rest"),

    /** Load without pauses, as in manual warm-ups. For comparison only. */
    SATURATE("certified, saturating load alone"),
}

private val SLICE = 2.5.seconds

/** The first drive has three short slices: one for the start, and two that may already be steady. */
private val FIRST_SLICE = 2.seconds
private const val FIRST_SLICES = 3

/** A slice that is judged alone: of the measured work after cheap parameters, or where only the throughput can tell what is warm. */
private val LONG_SLICE = 4.seconds

/** If the compiler is still busy after this number of slices of the measured work, the warm-up is not certified. */
private const val MOST_REAL_SLICES = 3

/** Duration of a pause after each slice, in which the compiler gets the CPU without priority. */
private const val REST_SECONDS = 1.0

/**
 * Warms a subject of [cell] before its window (docs/method.md, "Warm-up").
 * [lent]: CPUs for the compiler besides the subject's own. [drive] executes one order, including its drain, and reports each second. It returns
 * the number of requests left in flight.
 */
internal class Warming(
    private val subject: RunningSubject,
    private val cell: Cell,
    private val observation: Observation,
    private val clock: RunClock,
    private val lent: List<Int>,
    private val way: WayToWarm,
    private val drive: (LoadOrder, (LoadSecond) -> Unit) -> Long,
) {
    /** [left]: requests that no drain saw the end of. The engine no longer counts them, but the subject may still work on them. */
    data class Warmed(val found: WarmUpFound, val left: Long)

    private var left = 0L

    /** Read before it is lifted. */
    private val cpus = subject.limits.cpuCount

    /** [atLeast]: minimum duration, for a trial whose window was not steady after a shorter one. */
    fun warm(warmUp: WarmUp, seed: Long, atLeast: Duration = Duration.ZERO): Warmed = when (warmUp) {
        is WarmUp.Cold -> Warmed(WarmUpFound("none", 0.0, certified = null), left = 0)

        is WarmUp.Certified -> if (cell.lawLike) {
            forSeconds(maxOf(warmUp.lawLike, atLeast), seed)
        } else {
            untilSteady(maxOf(warmUp.budget, atLeast), atLeast, seed)
        }
    }

    /** For [length], then until the compiler is done with what this load runs, at most for [lawLikeAtMost]. */
    private fun forSeconds(length: Duration, seed: Long): Warmed {
        val began = clock.seconds()
        val ends = began + lawLikeAtMost(length).toDouble(SECONDS)
        val used = favourWhereAsked()
        val slices = slices(length / 2, number = 2, cheap = true, used, seed).toMutableList()
        while (!compilerIsIdle(slices) && timeFor(FIRST_SLICE, ends)) {
            slices += slices(FIRST_SLICE, number = 1, cheap = true, used, seed + slices.size)
        }
        if (used == WayToWarm.FAVOURED) restore()
        return Warmed(WarmUpFound("seconds", clock.seconds() - began, certified = null, slices), left)
    }

    private fun untilSteady(budget: Duration, atLeast: Duration, seed: Long): Warmed {
        val began = clock.seconds()
        val ends = began + budget.toDouble(SECONDS)
        val least = began + atLeast.toDouble(SECONDS)
        val used = favourWhereAsked()
        val slices = mutableListOf<WarmUpSlice>()
        val hasCheap = cell.workload.warmUpParameters.isNotEmpty()
        var steadyAfter: Double? = null
        while (!(isWarm(slices) && (hasCheap || clock.seconds() >= least)) && timeFor(SLICE, ends)) {
            slices += nextSlices(slices, hasCheap, used, ends, seed + slices.size)
            if (steadyAfter == null && steady(slices)) steadyAfter = clock.seconds() - began
        }
        val all = if (hasCheap) slices + realWork(slices, used, least, ends, seed + slices.size) else slices
        if (used == WayToWarm.FAVOURED) restore()
        // Under the limit again. With CPU to spare, it was never felt.
        if (!hasCpuToSpare(all.lastOrNull()?.cpuShare)) {
            left += drive(warmUpOrder(cell, subject.base, 1.seconds, cheap = true, seed)) {}
        }
        return Warmed(WarmUpFound(used.method, clock.seconds() - began, certified(all), all, steadyAfter), left)
    }

    /** The first three are one drive, because its drain takes as long as a response under full load. */
    private fun nextSlices(done: List<WarmUpSlice>, cheap: Boolean, way: WayToWarm, ends: Double, seed: Long): List<WarmUpSlice> {
        val isFirst = done.isEmpty() && way != WayToWarm.LOAD_AND_REST && timeFor(FIRST_SLICE * FIRST_SLICES, ends)
        return when {
            isFirst -> slices(FIRST_SLICE, FIRST_SLICES, cheap, way, seed)
            done.lastOrNull()?.isJudgedByThroughput == true -> slices(LONG_SLICE, number = 1, cheap, way, seed)
            else -> slices(SLICE, number = 1, cheap, way, seed)
        }
    }

    /** @return the way that is used */
    private fun favourWhereAsked(): WayToWarm {
        if (way != WayToWarm.FAVOURED) return way
        if (!subject.favourCompiler()) return WayToWarm.LOAD_AND_REST
        subject.liftCpuLimit(lent)
        return way
    }

    /** Restores and reads back all lifted limits. */
    private fun restore() {
        val asBefore = subject.restoreCpuLimit() and subject.unfavourCompiler()
        if (!asBefore) throw LaunchFailed(Stage.WARM_UP, "the limits lifted for the warm-up could not be put back as they were")
    }

    /**
     * Drives slices after [cheap] ones until the compiler is idle with the measured work too, and its heap suffices; at least one. What is left of a
     * longer warm-up is spent here: a window was not warm because of this work.
     */
    private fun realWork(cheap: List<WarmUpSlice>, way: WayToWarm, least: Double, ends: Double, seed: Long): List<WarmUpSlice> {
        val real = mutableListOf<WarmUpSlice>()
        do {
            real += slices(LONG_SLICE, number = 1, cheap = false, way, seed + real.size)
            val isCompiled = compiled(real) || real.size >= MOST_REAL_SLICES
        } while (!(isCompiled && heapSuffices(cheap + real) && clock.seconds() >= least) && timeFor(LONG_SLICE, ends))
        return real
    }

    private fun timeFor(length: Duration, ends: Double) = clock.seconds() + length.toDouble(SECONDS) <= ends

    /** One drive of [number] slices of [length]; the drain belongs to the last. */
    private fun slices(length: Duration, number: Int, cheap: Boolean, way: WayToWarm, seed: Long): List<WarmUpSlice> {
        val readings = mutableListOf(Reading(null))
        var last: LoadSecond? = null
        left += drive(warmUpOrder(cell, subject.base, length * number, cheap, seed)) { second ->
            last = second
            if (readings.size < number && second.at >= (length * readings.size).toDouble(SECONDS)) readings += Reading(second)
        }
        // With CPU to spare, the compiler needs no pause.
        if (way == WayToWarm.LOAD_AND_REST && !hasCpuToSpare(slice(readings.last(), Reading(last), cheap).cpuShare)) {
            clock.sleep(REST_SECONDS)
        }
        readings += Reading(last)
        return readings.zipWithNext { from, to -> slice(from, to, cheap) }
    }

    /** What is known at a moment of a drive: [second] is the last reported, null before the first. */
    private inner class Reading(second: LoadSecond?) {
        val at = second?.at ?: 0.0
        val answered = second?.answered ?: 0
        val cpu = observation.cpuUse()
        val gcSeconds = observation.last(Metric.GC_TIME)
        val heap = observation.last(Metric.HEAP_COMMITTED)
    }

    private fun slice(from: Reading, to: Reading, cheap: Boolean): WarmUpSlice {
        val seconds = to.at - from.at
        fun share(used: Double?) = used?.div(seconds)?.takeIf { it.isFinite() }
        return WarmUpSlice(
            seconds = seconds,
            perSecond = share((to.answered - from.answered).toDouble()) ?: 0.0,
            c2CpuSeconds = growth(Metric.C2_CPU, from.cpu, to.cpu),
            cheap = cheap,
            heapCommitted = to.heap?.let { Bytes(it.toLong()) },
            c2WaitSeconds = growth(Metric.C2_WAIT, from.cpu, to.cpu),
            cpuShare = share(growth(Metric.CPU, from.cpu, to.cpu)?.div(cpus)),
            gcShare = share(from.gcSeconds?.let { to.gcSeconds?.minus(it) }),
        )
    }

    private fun growth(metric: Metric, before: Map<Metric, Double>, after: Map<Metric, Double>): Double? =
        before[metric]?.let { from -> after[metric]?.minus(from) }
}

/** The CPU limit: as applied, or all CPUs that the subject may use. Zero if unknown. */
private val LimitsFound.cpuCount: Double get() = cpus ?: cpuList?.let(::parseCpuList).orEmpty().size.toDouble()
