package bootdyno.run

import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.model.Cell
import bootdyno.model.Stage
import bootdyno.model.WarmUp
import bootdyno.model.WarmUpFound
import bootdyno.model.WarmUpSlice
import bootdyno.plan.IdleMeans
import bootdyno.plan.certified
import bootdyno.plan.compiled
import bootdyno.plan.heapStands
import bootdyno.plan.steady
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit.SECONDS

/** How a subject reaches its steady state (docs/method.md, "Warm-up"). [method] is the name in records. */
enum class WayToWarm(val method: String) {
    /** Compiler threads get priority and additional CPUs; a quota is lifted. Without permission, [LOAD_AND_REST] is used. */
    FAVOURED("certified, compiler favoured"),

    /** Load with pauses in which no request thread needs the CPU. */
    LOAD_AND_REST("certified, load and rest"),

    /** Load without pauses, as in manual warm-ups. An idle C2 may only lack CPU time. For comparison only. */
    SATURATE("certified, saturating load alone"),
}

/** Duration of load between two pauses. */
private val BETWEEN_RESTS = 5.seconds

/** Without pauses, slices are shorter than the spans of the certificate. */
private val SLICE = 2.5.seconds

/** A slice of the measured work, after the warm-up with cheap parameters. */
private val REAL_SLICE = 4.seconds

/** If the compiler is still busy after this number of slices of the measured work, the warm-up is not certified. */
private const val MOST_REAL_SLICES = 3

/** Duration of a pause, in which the compiler gets the CPU without priority. */
private const val REST_SECONDS = 2.0

/**
 * Warms a subject before its window (docs/method.md, "Warm-up").
 * [lent]: CPUs for the compiler besides the subject's own. [drive] executes one order, including its drain.
 */
internal class Warming(
    private val subject: RunningSubject,
    private val base: URI,
    private val observation: Observation,
    private val clock: RunClock,
    private val lent: List<Int>,
    private val way: WayToWarm,
    private val drive: (LoadOrder) -> Driven,
) {
    /** [left]: requests in flight at the end of the drain. */
    data class Driven(val seconds: List<LoadSecond>, val left: Long)

    data class Warmed(val found: WarmUpFound, val left: Long)

    fun warm(cell: Cell, warmUp: WarmUp, seed: Long): Warmed = when (warmUp) {
        is WarmUp.Cold -> Warmed(WarmUpFound("none", 0.0, certified = null), left = 0)

        is WarmUp.Certified -> {
            if (cell.lawLike) forSeconds(cell, warmUp.lawLike, seed) else untilSteady(cell, warmUp.budget, seed)
        }
    }

    private fun forSeconds(cell: Cell, length: Duration, seed: Long): Warmed {
        val began = clock.seconds()
        val driven = drive(warmUpOrder(cell, base, length, cheap = true, seed))
        return Warmed(WarmUpFound("seconds", clock.seconds() - began, certified = null), driven.left)
    }

    private fun untilSteady(cell: Cell, budget: Duration, seed: Long): Warmed {
        val began = clock.seconds()
        val ends = began + budget.toDouble(SECONDS)
        val used = favourWhereAsked()
        val rests = used == WayToWarm.LOAD_AND_REST
        val slices = mutableListOf<WarmUpSlice>()
        val hasCheap = cell.workload.warmUpParameters.isNotEmpty()
        val idle = if (used == WayToWarm.FAVOURED) IdleMeans.FINISHED else IdleMeans.FINISHED_OR_STARVED
        val length = if (rests) BETWEEN_RESTS else SLICE
        var steadyAfter: Double? = null
        fun isWarm() = steady(slices, idle) && heapStands(slices)
        while (!isWarm() && timeFor(length, ends)) {
            slices += slice(cell, length, hasCheap, rests, seed + slices.size).slice
            if (steadyAfter == null && steady(slices, idle)) steadyAfter = clock.seconds() - began
        }
        val real = if (hasCheap) realWork(cell, idle, rests, ends, seed + slices.size) else emptyList()
        if (used == WayToWarm.FAVOURED) restore()
        val left = drive(warmUpOrder(cell, base, 1.seconds, cheap = true, seed)).left
        val all = slices + real.map { it.slice }
        // Requests that the drain of the measured work abandoned are not counted by the engine, but the subject still works on them.
        val found = WarmUpFound(used.method, clock.seconds() - began, certified(all, idle), all, steadyAfter)
        return Warmed(found, left + real.sumOf { it.left })
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

    /** Drives slices until the compiler is idle with the measured work too; at least one. */
    private fun realWork(cell: Cell, idle: IdleMeans, rests: Boolean, ends: Double, seed: Long): List<Sliced> {
        val real = mutableListOf<Sliced>()
        do {
            real += slice(cell, REAL_SLICE, cheap = false, rests, seed + real.size)
        } while (!compiled(real.map { it.slice }, idle) && real.size < MOST_REAL_SLICES && timeFor(REAL_SLICE, ends))
        return real
    }

    private fun timeFor(length: Duration, ends: Double) = clock.seconds() + length.toDouble(SECONDS) <= ends

    private class Sliced(val slice: WarmUpSlice, val left: Long)

    private fun slice(cell: Cell, length: Duration, cheap: Boolean, rests: Boolean, seed: Long): Sliced {
        val before = observation.c2CpuSeconds()
        val driven = drive(warmUpOrder(cell, base, length, cheap, seed))
        if (rests) clock.sleep(REST_SECONDS)
        val after = observation.c2CpuSeconds()
        val last = driven.seconds.lastOrNull()
        val slice = WarmUpSlice(
            seconds = last?.at ?: 0.0,
            perSecond = if (last == null || last.at <= 0) 0.0 else last.answered / last.at,
            c2CpuSeconds = if (before == null || after == null) null else after - before,
            cheap = cheap,
            heapCommitted = observation.heapCommitted(),
        )
        return Sliced(slice, driven.left)
    }
}
