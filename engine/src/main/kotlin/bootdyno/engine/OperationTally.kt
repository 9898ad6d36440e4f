package bootdyno.engine

import bootdyno.model.ErrorCause

/**
 * What one event loop counted of one step of a chain: a part of its [Tally], under the same law. Touched by that loop's thread only;
 * others read it after the loop has handed it over.
 */
internal class OperationTally(val name: String) {
    private var started = 0L
    private var answered = 0L
    private val errors = LongArray(ErrorCause.entries.size)
    private var opened: OperationCount? = null
    var closed: OperationCount? = null
        private set
    val response = nanoHistogram()
    val unanswered = nanoHistogram()

    private val inFlight: Long get() = started - answered - errors.sum()

    fun started() {
        started++
    }

    fun answered(nanos: Long) {
        answered++
        if (opened != null) response.recordNanos(nanos)
    }

    fun failed(cause: ErrorCause) {
        errors[cause.ordinal]++
    }

    fun unanswered(nanos: Long) {
        if (opened != null) unanswered.recordNanos(nanos)
    }

    fun openWindow() {
        opened = count()
    }

    /** [ages] of its requests in flight. Asserts that every request is in exactly one class. */
    fun closeWindow(ages: List<Long>) {
        val from = opened ?: return
        ages.forEach { unanswered.recordNanos(it) }
        opened = null
        check(ages.size.toLong() == inFlight) { "$name: $inFlight requests are counted in flight, ${ages.size} are" }
        closed = count().since(from)
    }

    private fun count() = OperationCount(started, answered, errors.clone(), inFlight)
}

/** [errors] by the ordinal of their cause. */
internal class OperationCount(val started: Long, val answered: Long, val errors: LongArray, val inFlight: Long) {
    fun since(before: OperationCount): OperationCount {
        val count = OperationCount(
            started - before.started,
            answered - before.answered,
            LongArray(errors.size) { errors[it] - before.errors[it] },
            inFlight,
        )
        check(before.inFlight + count.started == count.answered + count.errors.sum() + inFlight) {
            "${before.inFlight} in flight and ${count.started} sent, but ${count.answered} answered, ${count.errors.sum()} errors, $inFlight in flight"
        }
        return count
    }
}
