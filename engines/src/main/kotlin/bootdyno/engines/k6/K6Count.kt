package bootdyno.engines.k6

import bootdyno.engine.Failure
import bootdyno.engine.LoadOrder
import bootdyno.engine.SampleTally
import bootdyno.engine.ofWholeRun
import bootdyno.model.ErrorCause

/**
 * Counts the requests that ended [from] and before [to], in µs since 1970. Requests that started before [to] and ended after it are in flight.
 * Those that our [own] script did not send for want of a user are failures.
 */
internal class K6Count(val from: Long, val to: Long, private val order: LoadOrder, private val own: Boolean) :
    SampleTally(connectKnown = true, nanosPerTick = 1_000) {
    /** Of the whole run. */
    var requests = 0L
        private set
    private var failed = 0L
    private var failedOutside = 0L
    private var dropped = 0L
    private var failedChecks = 0L

    /** Answers of our own script with the expected status and another body, which [add] counts as answered. */
    var wrongBodies = 0L
        private set

    /** Requests without a response when the drain was over. */
    var left = 0L
        private set

    /** Duration of the drain, µs. */
    var drained = 0L
        private set

    /** Requests that started in the window, or should have. */
    var due = 0L
        private set

    fun add(request: K6Request) {
        requests++
        if (request.failure != null) failed++
        if (!request.isOfLoad) {
            if (request.failure != null) failedOutside++
            return
        }
        if (request.start in from..<to) due++
        when {
            request.end < from -> Unit
            request.end < to -> ended(request.operation, request.failure, request.lasted, request.end - from, request.connecting)
            request.start < to -> outlived(request)
        }
    }

    private fun outlived(request: K6Request) {
        underWay(request.operation, to - request.start, at = to - from)
        val drain = order.drain.inWholeMicroseconds
        if (request.end - to > drain) left++
        drained = maxOf(drained, minOf(request.end - to, drain))
    }

    fun add(sample: K6Sample) {
        val isInWindow = sample.at in from..<to
        when (sample.metric) {
            "dyno_wrong_bodies" -> if (isInWindow) wrongBodies += sample.value.toLong()

            "dropped_iterations" -> {
                dropped += sample.value.toLong()
                // Open load has a sample for each.
                if (own && isInWindow) notSent(sample.at)
            }

            "checks" -> if (sample.value == 0.0) failedChecks++
        }
    }

    private fun notSent(at: Long) {
        due++
        ended(order.steps.single().let { "${it.method} ${it.path}" }, Failure(ErrorCause.CLIENT), ticks = 0, at = at - from)
    }

    fun printed(): Map<String, Double> = ofWholeRun(requests, failed)

    /** Of the whole run, of a user's script: our own has a class for each of them. */
    fun complaints(): Map<String, Long> = mapOf(
        "checks failed" to failedChecks,
        "iterations dropped" to dropped,
        "failed requests of setup and teardown, which are not counted" to failedOutside,
    ).filterValues { it > 0 }.takeUnless { own }.orEmpty()
}
