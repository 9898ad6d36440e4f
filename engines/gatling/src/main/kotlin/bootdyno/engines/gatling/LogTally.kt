package bootdyno.engines.gatling

import bootdyno.engine.SampleTally
import bootdyno.model.ErrorCause

/**
 * Which part of a run counts: from [settleMillis] after the first user's start, for [limitMillis] at the latest. Unless it [lasts] as long
 * as that, it ends when all are done.
 */
internal data class Span(val settleMillis: Long = 0, val limitMillis: Long = Long.MAX_VALUE, val lasts: Boolean = false)

/**
 * What is known of a run of our own simulation. Only the users of its [scenario] count; [sendingSince], ms of the wall clock, is
 * when the first of them began to send: nobody decides to send any more when the span is over, counted from there. [steps] are
 * those of a chain.
 */
internal data class OurRun(val scenario: String, val sendingSince: Long? = null, val steps: List<String> = emptyList())

/**
 * Counts the requests of one [span] of a run's log. A request belongs to the span when it ended in it; one that started before the
 * span's end and ended after it is in flight. So is one of [ours] that was decided on before the span's end and left after it.
 */
internal class LogTally(private val span: Span, private val drainMillis: Long, private val ours: OurRun? = null) :
    SampleTally(ours?.steps.orEmpty()) {
    private var scenarios = emptyList<String>()
    private var started: Long? = ours?.sendingSince
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

    /** Of the span: requests not answered when the drain was over, and those that started in it. */
    var left = 0L
        private set
    var due = 0L
        private set

    /** When the span began and ended, ms of the wall clock. */
    val from: Long get() = checkNotNull(started) { "nobody started" } + span.settleMillis
    val to: Long get() = if (span.lasts) cut else minOf(cut, maxOf(lastEnd, from))
    val drained: Long get() = maxOf(lastDrained, to) - to

    /** No request that ended at it or later is in the span. */
    private val cut: Long get() = if (span.limitMillis == Long.MAX_VALUE) Long.MAX_VALUE else from + span.limitMillis

    fun take(record: LogRecord) {
        when (record) {
            is LogRecord.Run -> scenarios = record.scenarios
            is LogRecord.User -> if (ours == null || scenarios.getOrNull(record.scenario) == ours.scenario) user(record)
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
        val begunInTime = request.start < cut || ours != null
        if (request.start >= from && begunInTime) due++
        when {
            request.end in from..<cut -> ended(request.operation, causeOf(request), request.end - request.start)

            request.end >= cut && begunInTime -> {
                underWay(request.operation, (cut - request.start).coerceAtLeast(0))
                if (request.end > cut + drainMillis) left++
                lastDrained = maxOf(lastDrained, minOf(request.end, cut + drainMillis))
            }
        }
    }

    private fun causeOf(request: LogRecord.Request): ErrorCause? =
        if (request.good) null else request.message.cause ?: ErrorCause.CLIENT.also { unknown.add(request.message.text) }
}

/** Its name, with the groups around it. */
private val LogRecord.Request.operation: String
    get() = if (groups.isEmpty()) name.text else (groups + name).joinToString(" / ") { it.text }

/** How often something odd was seen, and the first few of its texts. */
internal class Oddities {
    var count = 0L
        private set
    val texts = LinkedHashSet<String>()

    fun add(text: String) {
        count++
        if (texts.size < MOST_TEXTS) texts.add(text)
    }
}

private const val MOST_TEXTS = 5
