package bootdyno.run

import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.load.LoadOrder
import bootdyno.load.LoadSecond
import bootdyno.model.Cell
import bootdyno.model.Stage
import bootdyno.model.WarmUp
import bootdyno.model.WarmUpFound
import bootdyno.model.WarmUpSlice
import bootdyno.plan.steady
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit.SECONDS

private val SLICE = 5.seconds

/** Long enough for the real work to be compiled after the cheap parameter has warmed the framework around it. */
private val REAL_WORK = 4.seconds

/** Without priority the compiler needs a moment in which no request thread wants the CPU. */
private const val REST_SECONDS = 2.0

/**
 * Warms a subject before its window (docs/method.md, "Warm-up").
 * [lent] are the CPUs it may use besides its own while warming. [drive] runs one order to its end, its drain included.
 */
internal class Warming(
    private val subject: RunningSubject,
    private val observation: Observation,
    private val clock: RunClock,
    private val lent: List<Int>,
    private val drive: (LoadOrder) -> Driven,
) {
    /** [left] requests were still in flight when the drain gave up. */
    data class Driven(val seconds: List<LoadSecond>, val left: Long)

    data class Warmed(val found: WarmUpFound, val left: Long)

    fun warm(cell: Cell, warmUp: WarmUp, seed: Long): Warmed = when (warmUp) {
        is WarmUp.Cold -> Warmed(WarmUpFound("none", 0.0, certified = null), left = 0)

        is WarmUp.Certified -> {
            if (cell.workload.lawLike) forSeconds(cell, warmUp.lawLike, seed) else untilSteady(cell, warmUp.budget, seed)
        }
    }

    private fun forSeconds(cell: Cell, length: Duration, seed: Long): Warmed {
        val began = clock.seconds()
        val driven = drive(warmUpOrder(cell, subject.base, length, cheap = true, seed))
        return Warmed(WarmUpFound("seconds", clock.seconds() - began, certified = null), driven.left)
    }

    private fun untilSteady(cell: Cell, budget: Duration, seed: Long): Warmed {
        val began = clock.seconds()
        val favoured = subject.favourCompiler()
        val lifted = favoured && subject.liftCpuLimit(lent)
        val slices = mutableListOf<WarmUpSlice>()
        while (!steady(slices) && clock.seconds() - began + SLICE.toDouble(SECONDS) <= budget.toDouble(SECONDS)) {
            slices += slice(cell, rest = !favoured, seed + slices.size)
        }
        if (cell.workload.warmUpParameters.isNotEmpty()) drive(warmUpOrder(cell, subject.base, REAL_WORK, cheap = false, seed))
        val asBefore = (!lifted || subject.restoreCpuLimit()) and (!favoured || subject.unfavourCompiler())
        if (!asBefore) throw LaunchFailed(Stage.WARM_UP, "the limits lifted for the warm-up could not be put back as they were")
        val left = drive(warmUpOrder(cell, subject.base, 1.seconds, cheap = true, seed)).left
        val method = if (favoured) "certified, compiler favoured" else "certified, load and rest"
        return Warmed(WarmUpFound(method, clock.seconds() - began, steady(slices), slices.toList()), left)
    }

    private fun slice(cell: Cell, rest: Boolean, seed: Long): WarmUpSlice {
        val before = observation.c2CpuSeconds()
        val driven = drive(warmUpOrder(cell, subject.base, SLICE, cheap = true, seed))
        if (rest) clock.sleep(REST_SECONDS)
        val after = observation.c2CpuSeconds()
        val last = driven.seconds.lastOrNull()
        return WarmUpSlice(
            seconds = last?.at ?: 0.0,
            perSecond = if (last == null || last.at <= 0) 0.0 else last.answered / last.at,
            c2CpuSeconds = if (before == null || after == null) null else after - before,
        )
    }
}
