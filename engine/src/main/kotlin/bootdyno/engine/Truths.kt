package bootdyno.engine

import io.netty.buffer.ByteBuf
import org.HdrHistogram.Histogram
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

// Replies of a test server with latencies that can be computed.

private val OK: ByteBuf = okAnswer("ok")

/** Immediately, at the same cost for each request. */
fun atOnce(): (ReceivedRequest) -> Unit = { it.answer(OK) }

/** Each response exactly [delay] after its request. */
fun after(delay: Duration): (ReceivedRequest) -> Unit = { it.answerAfter(delay, OK) }

/** Each response after [usual], but every [n]-th after [slow]. */
fun everyNth(n: Int, slow: Duration, usual: Duration): (ReceivedRequest) -> Unit =
    { it.answerAfter(if (it.number % n == n - 1L) slow else usual, OK) }

/** Immediately, but no responses for [length] from each of [starts], counted from the first request. One event loop. */
class Freezes(private val starts: List<Duration>, private val length: Duration) : (ReceivedRequest) -> Unit {
    private var first: Long? = null

    override fun invoke(asked: ReceivedRequest) {
        val now = System.nanoTime()
        val at = (now - (first ?: now.also { first = it })).nanoseconds
        val wait = waitAt(at)
        if (wait.isPositive()) asked.answerAfter(wait, OK) else asked.answer(OK)
    }

    /** True response times of [perSecond] requests at a constant rate that are due in [from]..[to] after the first one. */
    fun truth(perSecond: Double, from: Duration, to: Duration): Histogram {
        val truth = Histogram(LONGEST_NANOS, 3)
        generateSequence(0L) { it + 1 }.map { (it * 1e9 / perSecond).toLong().nanoseconds }
            .dropWhile { it < from }.takeWhile { it < to }
            .forEach { truth.recordValue(waitAt(it).inWholeNanoseconds) }
        return truth
    }

    private fun waitAt(at: Duration): Duration =
        starts.find { at >= it && at < it + length }?.let { it + length - at } ?: Duration.ZERO
}
