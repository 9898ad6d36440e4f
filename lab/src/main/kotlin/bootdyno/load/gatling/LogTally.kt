package bootdyno.load.gatling

import bootdyno.model.ErrorCause

/** Which part of a run counts. */
internal sealed interface Span {
    /** From [settleMillis] after the first user's start, for [windowMillis]. */
    data class Timed(val settleMillis: Long, val windowMillis: Long) : Span

    /** From the first user's start until all are done, [limitMillis] at the latest. */
    data class UntilDone(val limitMillis: Long) : Span
}

/**
 * Reads what a run's log tells of one [span], request by request. A request belongs to the span when it ended in it; one that started
 * before the span's end and ended after it is in flight.
 *
 * Only the users of [scenario] count where it is given; all requests do.
 */
internal class LogTally(private val span: Span, private val drainMillis: Long, private val scenario: String?) {
    private var scenarios = emptyList<String>()
    private var started: Long? = null
    private var lastEnd = Long.MIN_VALUE
    private var lastDrained = Long.MIN_VALUE

    /** Of the whole run, whatever the span. */
    var good = 0L
        private set
    var bad = 0L
        private set
    var usersStarted = 0L
        private set
    var usersEnded = 0L
        private set
    val crashes = Oddities()

    /** Messages that no class is known for; their requests are counted as the client's own failures. */
    val unknown = Oddities()

    // Of the span.
    val all = Counts()
    val operations = Operations()
    var inFlight = 0L
        private set
    var left = 0L
        private set

    /** Requests that started in the span. */
    var due = 0L
        private set

    /** When the span began and ended, ms of the wall clock. */
    val from: Long get() = checkNotNull(started) { "nobody started" } + if (span is Span.Timed) span.settleMillis else 0
    val to: Long get() = when (span) {
        is Span.Timed -> from + span.windowMillis
        is Span.UntilDone -> minOf(cut, maxOf(lastEnd, from))
    }
    val drained: Long get() = maxOf(lastDrained, to) - to

    /** No request that ended at it or later is in the span. */
    private val cut: Long get() = when (span) {
        is Span.Timed -> to
        is Span.UntilDone -> if (span.limitMillis == Long.MAX_VALUE) Long.MAX_VALUE else from + span.limitMillis
    }

    fun take(record: LogRecord) {
        when (record) {
            is LogRecord.Run -> scenarios = record.scenarios
            is LogRecord.User -> if (scenario == null || scenarios.getOrNull(record.scenario) == scenario) user(record)
            is LogRecord.Request -> request(record)
            is LogRecord.Crash -> crashes.add(record.message.text)
        }
    }

    private fun user(user: LogRecord.User) {
        if (user.starts) {
            usersStarted++
            if (started == null) started = user.at
        } else {
            usersEnded++
            lastEnd = maxOf(lastEnd, user.at)
        }
    }

    private fun request(request: LogRecord.Request) {
        if (request.good) good++ else bad++
        if (started == null) started = request.start
        lastEnd = maxOf(lastEnd, request.end)
        if (request.start in from..<cut) due++
        when {
            request.end in from..<cut -> count(request)
            request.start < cut && request.end >= cut -> inFlight(request)
        }
    }

    private fun count(request: LogRecord.Request) {
        val cause = if (request.good) {
            null
        } else {
            request.message.cause
                ?: ErrorCause.CLIENT.also { unknown.add(request.message.text) }
        }
        val millis = request.end - request.start
        all.add(cause, millis)
        operations.of(request).add(cause, millis)
    }

    private fun inFlight(request: LogRecord.Request) {
        inFlight++
        all.waited(cut - request.start)
        if (request.end > cut + drainMillis) left++
        lastDrained = maxOf(lastDrained, minOf(request.end, cut + drainMillis))
    }
}

/** How often something odd was seen, and the first few of its texts. */
internal class Oddities {
    var count = 0L
        private set
    val texts = LinkedHashSet<String>()

    fun add(text: String) {
        count++
        if (texts.size < MOST_TEXTS) texts.add(text)
    }

    private companion object {
        const val MOST_TEXTS = 5
    }
}
