package bootdyno.diagnose

import bootdyno.system.pause
import kotlin.math.ln
import kotlin.random.Random
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/** Collects one kind of facts until its end, and adds them to a draft as they come. [what] is the subject of sentences. */
internal class Collector(val what: String, private val collect: Collector.() -> Unit) {
    /** Whether it has read what changes with the load. What is left takes as long as a heap or a file is large. */
    @Volatile
    var isFinishing = false

    /** In a thread of its own. A failure is a sentence of [draft]. */
    fun start(draft: DiagnosisDraft): Thread = Thread.ofVirtual().name(what).start { run(draft) }

    /** Whether [thread], of [start], ends within [time], or a little later if it [isFinishing]. */
    fun ends(thread: Thread, time: Duration): Boolean =
        thread.join(time.toJavaDuration()) || (isFinishing && thread.join(FINISHING.toJavaDuration()))

    private fun run(draft: DiagnosisDraft) {
        try {
            collect()
        } catch (_: InterruptedException) {
            // The diagnosis is over.
        } catch (failed: Exception) {
            draft.missing("${what.replaceFirstChar(Char::uppercase)} could not be read: ${failed.message ?: failed}.")
        }
    }
}

private val FINISHING = 2.seconds

/** The end of an observation: at [latest], or before it when enough is known. Any thread may end it. */
internal class ObservationEnd(private val latest: ComparableTimeMark) {
    @Volatile
    var isEarly = false
        private set

    /** Whether it is over, or will be after [gap]. */
    fun isOver(gap: Duration = Duration.ZERO): Boolean = isEarly || (latest - gap).hasPassedNow()

    fun endNow() {
        isEarly = !latest.hasPassedNow()
    }

    /** Throws [InterruptedException]. */
    fun await() {
        while (!isOver()) pause(minOf(LOOK, -latest.elapsedNow()))
    }
}

private val LOOK = 20.milliseconds

/**
 * Random moments until [ends]. The gaps are exponential, [LEAST] and [mean] together, because equal ones could be in step with periodic work,
 * such as the periods of a CPU quota. A gap is at least as long as the work before it, so that observing takes at most half of the time. The
 * first work does not count for this: it loads classes, which may take seconds.
 */
internal class Moments(private val ends: ObservationEnd, private val mean: Duration, seed: Long) {
    private val random = Random(seed)

    fun forEach(work: () -> Unit) {
        var busy = Duration.ZERO
        var isFirst = true
        while (true) {
            val gap = maxOf(LEAST + mean * -ln(1 - random.nextDouble()), busy)
            if (ends.isOver(gap)) return
            pause(gap)
            if (ends.isOver()) return
            val from = TimeSource.Monotonic.markNow()
            work()
            if (!isFirst) busy = from.elapsedNow()
            isFirst = false
        }
    }
}

private val LEAST = 30.milliseconds
