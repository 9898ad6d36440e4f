package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.OperationFound

/**
 * The requests of one window as another engine wrote them down, each in exactly one class, of all operations together and of each. Its
 * memory does not grow with their number. Times are whole milliseconds.
 *
 * The operations are the [expected] ones, whether they come or not, then others; there are none where nothing was expected and all
 * requests have one name. [connectKnown] says that the engine records the time to connect, which service time is without.
 */
open class SampleTally(private val expected: Collection<String> = emptyList(), private val connectKnown: Boolean = false) {
    private val all = samples("all")
    private val byName = expected.associateWithTo(LinkedHashMap(), ::samples)
    private val service = if (connectKnown) nanoHistogram() else all.response
    private val connect = if (connectKnown) nanoHistogram() else null

    val answered: Long get() = all.answered
    val errors: Map<ErrorCause, Long> get() = all.causes
    val inFlight: Long get() = all.inFlight
    val operations: List<OperationFound>
        get() = several().map { (name, it) -> OperationFound(name, it.answered, it.causes, it.inFlight) }

    /** A request that ended in the window, well when [cause] is null; [connecting] is the part of its time that it took to connect. */
    fun ended(name: String, cause: ErrorCause?, millis: Long, connecting: Long = 0) {
        listOf(all, named(name)).forEach {
            it.started()
            if (cause == null) it.answered(nanos(millis)) else it.failed(cause)
            if (cause == ErrorCause.TIMEOUT || cause == ErrorCause.CONNECT_TIMEOUT) it.unanswered(nanos(millis))
        }
        if (connecting > 0) connect?.recordNanos(nanos(connecting))
        if (connectKnown && cause == null) service.recordNanos(nanos(millis - connecting))
    }

    /** A request under way when the window ended, [age] old then; [name] is null where nobody knows which. */
    fun underWay(name: String?, age: Long) = listOfNotNull(all, name?.let(::named)).forEach {
        it.started()
        it.unanswered(nanos(age))
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
    private fun named(name: String): RequestTally =
        byName[name] ?: byName.getOrPut(if (byName.size < MOST_NAMES) name else OTHERS) { samples(name) }

    private fun several(): Map<String, RequestTally> = if (byName.size > 1 || expected.isNotEmpty()) byName else emptyMap()

    private fun samples(name: String) = RequestTally(name).also { it.openWindow() }

    /** No more than what is recorded. */
    private fun nanos(millis: Long) = millis.coerceAtMost(LONGEST_NANOS / 1_000_000) * 1_000_000
}

private const val MOST_NAMES = 100
private const val OTHERS = "(others)"
