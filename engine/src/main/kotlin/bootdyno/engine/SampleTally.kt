package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.OperationFound
import org.HdrHistogram.Histogram

/**
 * The requests of one window as another engine wrote them down, each in exactly one class, of all operations together and of each. Its
 * memory does not grow with their number. Times are whole milliseconds.
 *
 * The operations are the [expected] ones, whether they come or not, then others; there are none where nothing was expected and all
 * requests have one name. [connectKnown] says that the engine records the time to connect, which service time is without.
 */
open class SampleTally(private val expected: Collection<String> = emptyList(), private val connectKnown: Boolean = false) {
    private val all = Samples()
    private val byName = LinkedHashMap<String, Samples>().apply { expected.forEach { put(it, Samples()) } }
    private val service = if (connectKnown) nanoHistogram() else all.response
    private val connect = if (connectKnown) nanoHistogram() else null

    val answered: Long get() = all.answered
    val errors: Map<ErrorCause, Long> get() = all.causes()
    val inFlight: Long get() = all.inFlight
    val operations: List<OperationFound>
        get() = several().map { (name, it) -> OperationFound(name, it.answered, it.causes(), it.inFlight) }

    /** A request that ended in the window, well when [cause] is null; [connecting] is the part of its time that it took to connect. */
    fun ended(name: String, cause: ErrorCause?, millis: Long, connecting: Long = 0) {
        all.ended(cause, millis)
        samples(name).ended(cause, millis)
        if (connecting > 0) connect?.recordMillis(connecting)
        if (connectKnown && cause == null) service.recordMillis(millis - connecting)
    }

    /** A request under way when the window ended, [age] old then; [name] is null where nobody knows which. */
    fun underWay(name: String?, age: Long) {
        all.underWay(age)
        if (name != null) samples(name).underWay(age)
    }

    fun latencies() = LatencyHistograms(
        response = all.response,
        service = service,
        unanswered = all.unanswered,
        connect = connect,
        operations = several().mapValues { it.value.response },
        unansweredOperations = several().mapValues { it.value.unanswered },
    )

    fun toMeasured(
        engine: String,
        windowSeconds: Double,
        generator: GeneratorFound,
        due: Long? = null,
        leftAfter: Long = 0,
        drainSeconds: Double = 0.0,
        printed: Map<String, Double> = emptyMap(),
    ) = LoadMeasured(
        LoadFound(
            engine = engine,
            windowSeconds = windowSeconds,
            answered = answered,
            errors = errors,
            inFlight = inFlight,
            due = due,
            generator = generator,
            leftBefore = 0,
            leftAfter = leftAfter,
            drainSeconds = drainSeconds,
            printed = printed,
            operations = operations,
        ),
        latencies(),
    )

    /** A script may name each request anew: names after the first [MOST_NAMES] are counted together. */
    private fun samples(name: String): Samples =
        byName[name] ?: byName.getOrPut(if (byName.size < MOST_NAMES) name else OTHERS) { Samples() }

    private fun several(): Map<String, Samples> = if (byName.size > 1 || expected.isNotEmpty()) byName else emptyMap()

    private class Samples {
        val response = nanoHistogram()
        val unanswered by lazy(LazyThreadSafetyMode.NONE) { nanoHistogram() }
        private val failed = LongArray(ErrorCause.entries.size)
        var answered = 0L
            private set
        var inFlight = 0L
            private set

        fun ended(cause: ErrorCause?, millis: Long) {
            if (cause == null) {
                answered++
                response.recordMillis(millis)
                return
            }
            failed[cause.ordinal]++
            if (cause == ErrorCause.TIMEOUT || cause == ErrorCause.CONNECT_TIMEOUT) unanswered.recordMillis(millis)
        }

        fun underWay(age: Long) {
            inFlight++
            unanswered.recordMillis(age)
        }

        fun causes() = causesOf { failed[it.ordinal] }
    }

    private companion object {
        const val MOST_NAMES = 100
        const val OTHERS = "(others)"
    }
}

/** How often each cause occurred, of those that did. */
internal inline fun causesOf(count: (ErrorCause) -> Long): Map<ErrorCause, Long> =
    ErrorCause.entries.associateWith(count).filterValues { it > 0 }

/** No more than what is recorded. */
private fun Histogram.recordMillis(millis: Long) = recordNanos(millis.coerceAtMost(LONGEST_NANOS / 1_000_000) * 1_000_000)
