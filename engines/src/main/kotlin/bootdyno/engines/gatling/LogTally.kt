package bootdyno.engines.gatling

import bootdyno.engine.Failure
import bootdyno.engine.SampleTally
import bootdyno.engine.statusFailure
import bootdyno.model.ErrorCause

/**
 * The counted part of a run: from [settleMillis] after the first user's start, for at most [limitMillis]. Unless it [lasts] that long, it
 * ends when all users are done.
 */
internal data class Span(val settleMillis: Long = 0, val limitMillis: Long = Long.MAX_VALUE, val lasts: Boolean = false)

/**
 * A run of our own simulation. Only users of its [scenario] count. [sendingSince], ms of the wall clock, is the first user's first send;
 * the span counts from there, and no request is started after it. [steps] are those of a chain.
 */
internal data class OurRun(
    val scenario: String,
    val sendingSince: Long? = null,
    val steps: List<String> = emptyList(),
    val isBurst: Boolean = false,
)

/**
 * Counts the requests of a [span] in a log: those that ended in it. Requests that started before the span's end and ended after it are in
 * flight; with [ours], also requests that were started before the span's end and sent after it.
 */
internal class LogTally(private val span: Span, private val drainMillis: Long, private val ours: OurRun? = null) :
    SampleTally(ours?.steps.orEmpty(), isBurst = ours?.isBurst == true) {
    private var scenarios = emptyList<String>()
    private var started: Long? = ours?.sendingSince
    private var lastEnd = Long.MIN_VALUE
    private var lastDrained = Long.MIN_VALUE

    /** Of the whole run. */
    var good = 0L
        private set
    var bad = 0L
        private set
    var usersStarted = 0L
        private set
    var usersEnded = 0L
        private set
    val crashes = UnexpectedTexts()

    /** Unknown messages; their requests count as [ErrorCause.OTHER]. */
    val unknown = UnexpectedTexts()

    /** Of the span: requests without a response after the drain, and requests that started in it. */
    var left = 0L
        private set
    var due = 0L
        private set

    /** Start and end of the span, ms of the wall clock. */
    val from: Long get() = checkNotNull(started) { "nobody started" } + span.settleMillis
    val to: Long get() = if (span.lasts) cut else minOf(cut, maxOf(lastEnd, from))
    val drained: Long get() = maxOf(lastDrained, to) - to

    /** Requests that end at this time or later are not in the span. */
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
            request.end in from..<cut ->
                ended(request.operation, failureOf(request), request.end - request.start, at = request.end - from)

            request.end >= cut && begunInTime -> {
                underWay(request.operation, (cut - request.start).coerceAtLeast(0), at = cut - from)
                if (request.end > cut + drainMillis) left++
                lastDrained = maxOf(lastDrained, minOf(request.end, cut + drainMillis))
            }
        }
    }

    private fun failureOf(request: LogRecord.Request): Failure? {
        if (request.good) return null
        val message = request.message
        return when (val cause = message.cause) {
            null -> Failure(ErrorCause.OTHER, message.text).also { unknown.add(message.text) }

            ErrorCause.STATUS -> STATUS.find(message.text)?.let { statusFailure(it.groupValues[1].toInt()) }
                ?: Failure(ErrorCause.STATUS)

            else -> Failure(cause)
        }
    }
}

/** `status.find.is(200), but actually found 500`. */
private val STATUS = Regex("""found (\d{3})\b""")

/** The name, with its groups. */
private val LogRecord.Request.operation: String
    get() = if (groups.isEmpty()) name.text else (groups + name).joinToString(" / ") { it.text }

/** Number of unexpected texts, and the first few of them. */
internal class UnexpectedTexts {
    var count = 0L
        private set
    val texts = LinkedHashSet<String>()

    fun add(text: String) {
        count++
        if (texts.size < MOST_TEXTS) texts.add(text)
    }
}

private const val MOST_TEXTS = 5
