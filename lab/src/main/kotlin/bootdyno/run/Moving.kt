package bootdyno.run

import bootdyno.engine.LoadSecond
import bootdyno.model.MovedLimit
import bootdyno.model.MovedSlice
import bootdyno.model.exact
import bootdyno.rules.MovingSlices
import bootdyno.rules.movingSlices
import bootdyno.system.withoutInterrupts
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit.SECONDS
import kotlin.time.toJavaDuration

/** Time from one count of the load to the next, while limits are changed. */
internal val COUNTED_EVERY = 100.milliseconds

/** A limit and the values that it gets. [slices]: null if there is no time for them. */
internal class PlannedMove(val limit: MovableLimit, val slices: MovingSlices?)

/**
 * What to change within [time], the likeliest first. [perSecond]: successful requests per second meanwhile, from which follows how long a request
 * holds a unit (Little's law); null if unknown. In haste, only the first is changed.
 */
internal fun plannedMoves(limits: List<MovableLimit>, time: Duration, perSecond: Double?, inHaste: Boolean): List<PlannedMove> {
    var left = time - ENDING
    return limits.mapIndexed { index, limit ->
        val held = if (perSecond != null && perSecond > 0) limit.inUse?.div(perSecond)?.seconds else null
        val slices = if (inHaste && index > 0) {
            null
        } else {
            movingSlices(limit.original, limit.larger, limit.smaller, held ?: Duration.ZERO, left, inHaste)
        }
        left -= slices?.length ?: Duration.ZERO
        PlannedMove(limit, slices)
    }
}

/** Duration of the load for [moves]; zero if nothing is to be changed. */
internal fun lengthOf(moves: List<PlannedMove>): Duration {
    val slices = moves.mapNotNull { it.slices }.ifEmpty { return Duration.ZERO }
    return slices.fold(ENDING) { sum, it -> sum + it.length }
}

/** Until the queues are full; longer where the subject still works on requests of an earlier load. */
internal val FILLING = 0.3.seconds

/** Beyond the time that is planned, because changing takes some time as well. */
private val ENDING = 0.2.seconds

/**
 * Changes limits while a load goes on, which reports its counts to [counted], from `filling` after its first count on. [now]: seconds since the start of
 * the trial; [pause] waits. The original value is put back after each limit, also after an interrupt or a failure.
 */
internal class Moving(private val now: () -> Double, private val pause: (Duration) -> Unit) {
    private val counts = CopyOnWriteArrayList<Count>()

    fun counted(second: LoadSecond) {
        counts += Count(now(), second.at, second.answered)
    }

    /** [run], in a thread of its own, which is given up after [limit]: then no limit is known to have been tested. Throws [InterruptedException]. */
    fun runWithin(limit: Duration, moves: List<PlannedMove>, filling: Duration, goesOn: () -> Boolean): List<MovedLimit> {
        val task = FutureTask { run(moves, filling, goesOn) }
        val thread = Thread.ofVirtual().name("changed limits").start(task)
        return try {
            task.get(limit.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        } catch (_: TimeoutException) {
            moves.map { Done(it.limit, emptyList(), NO_ANSWER, null).record() }
        } catch (failed: ExecutionException) {
            throw failed.cause ?: failed
        } finally {
            // The original value is put back before it ends.
            thread.interrupt()
            thread.join(PUT_BACK_WITHIN.toJavaDuration())
        }
    }

    /** While the load [goesOn]; nothing without one. */
    fun run(moves: List<PlannedMove>, filling: Duration = FILLING, goesOn: () -> Boolean): List<MovedLimit> {
        if (moves.all { it.slices == null }) return moves.map { Done(it.limit, emptyList(), NO_TIME, null).record() }
        while (counts.isEmpty() && goesOn()) pause(COUNTED_EVERY)
        if (counts.isEmpty()) {
            return moves.map { Done(it.limit, emptyList(), if (it.slices == null) NO_TIME else NO_LOAD, null).record() }
        }
        pause(filling)
        val done = moves.map { move ->
            move.slices?.let { move(move.limit, it, goesOn) }
                ?: Done(move.limit, emptyList(), NO_TIME, null)
        }
        // Until the last slice is counted.
        pause(COUNTED_EVERY * 2)
        return done.map { it.record() }
    }

    private fun move(limit: MovableLimit, plan: MovingSlices, goesOn: () -> Boolean): Done {
        val slices = mutableListOf<Span>()
        var missing: String? = null
        try {
            for (value in plan.values) {
                missing = slice(limit, value, plan, goesOn, slices)
                if (missing != null) break
            }
        } finally {
            withoutInterrupts { if (limit.read() != limit.original) limit.set(limit.original) }
        }
        return Done(limit, slices, missing, limit.read())
    }

    /** Why there are to be no further slices; null if nothing speaks against them. */
    private fun slice(
        limit: MovableLimit,
        value: Double,
        plan: MovingSlices,
        goesOn: () -> Boolean,
        slices: MutableList<Span>,
    ): String? {
        val isChanged = slices.isNotEmpty() || value != limit.original
        if (isChanged && !limit.set(value)) return "The application did not take the value ${exact(value)}."
        pause(plan.transition)
        if (value > limit.original) {
            val until = now() + plan.transition.toDouble(SECONDS)
            while (now() < until && !limit.isTaken(value)) pause(TAKEN_EVERY)
        }
        val after = "${plan.transition} after the change"
        if (!limit.isObeyed(value)) return "More than ${exact(value)} ${limit.noun} were in use $after."
        val from = now()
        pause(plan.measured)
        val to = now()
        if (!goesOn()) return "The load ended."
        slices += Span(from, to, value)
        return null
    }

    private inner class Done(val limit: MovableLimit, val slices: List<Span>, val missing: String?, val readBack: Double?) {
        fun record() = MovedLimit(
            limit.resource,
            limit.noun,
            limit.original,
            slices.mapNotNull { span -> perSecond(span)?.let { MovedSlice(span.from, span.to - span.from, span.value, it) } },
            readBack,
            missing,
        )
    }

    /** Answers per second in [span], between counts interpolated; null if the load did not report them. */
    private fun perSecond(span: Span): Double? {
        // The engine's clock: reports arrive late, by different times. The smallest difference is closest.
        val offset = counts.minOfOrNull { it.received - it.at } ?: return null
        val answered = answeredAt(span.to - offset)?.let { last -> answeredAt(span.from - offset)?.let { last - it } }
        return answered?.div(span.to - span.from)
    }

    private fun answeredAt(at: Double): Double? {
        val after = counts.find { it.at >= at } ?: return null
        val before = counts.findLast { it.at < at } ?: return null
        return before.answered + (after.answered - before.answered) * (at - before.at) / (after.at - before.at)
    }

    /** Answers since the start of the load, [at] its clock; [received] on ours. */
    private class Count(val received: Double, val at: Double, val answered: Long)

    private class Span(val from: Double, val to: Double, val value: Double)

    private companion object {
        val TAKEN_EVERY = 50.milliseconds
        val PUT_BACK_WITHIN = 2.seconds
        const val NO_ANSWER = "The application did not answer."
        const val NO_LOAD = "There was no load."
        const val NO_TIME = "There was no time left."
    }
}
