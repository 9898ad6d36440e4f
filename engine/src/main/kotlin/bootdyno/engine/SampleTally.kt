package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.OperationFound
import bootdyno.model.commonestFailures

/**
 * The requests of one window as recorded by another engine, each in exactly one class, in total and per operation. Uses constant memory.
 * Times are whole ticks of [nanosPerTick], milliseconds by default.
 *
 * Operations are the [expected] ones, even without requests, then others; none if nothing was expected and all requests have one name.
 * [connectKnown]: whether the engine records the connect time, which service time excludes.
 */
open class SampleTally(
    private val expected: Collection<String> = emptyList(),
    private val connectKnown: Boolean = false,
    isBurst: Boolean = false,
    private val nanosPerTick: Long = 1_000_000,
) {
    private val all = samples("all")
    private val byName = expected.associateWithTo(LinkedHashMap(), ::samples)
    private val service = if (connectKnown) nanoHistogram() else all.response
    private val connect = if (connectKnown) nanoHistogram() else null
    private val sinceStart = if (isBurst) spanHistogram() else null

    val answered: Long get() = all.answered
    val errors: Map<ErrorCause, Long> get() = all.causes
    val inFlight: Long get() = all.inFlight
    val operations: List<OperationFound>
        get() = several().map { (name, it) -> OperationFound(name, it.answered, it.causes, it.inFlight) }

    /**
     * A request of [ticks] that ended [at] after the window's start; [failure] is null after success. [connecting] is its connect time.
     */
    fun ended(name: String, failure: Failure?, ticks: Long, at: Long, connecting: Long = 0) {
        val cause = failure?.cause
        val now = sinceOpening(at)
        val intended = now - nanos(ticks)
        listOf(all, named(name)).forEach {
            it.started()
            if (cause == null) it.answered(intended, now) else it.failed(cause, failure.detail)
            if (cause == ErrorCause.TIMEOUT || cause == ErrorCause.CONNECT_TIMEOUT) it.unanswered(intended, now)
        }
        if (cause == null) sinceStart?.recordValue(now)
        if (connecting > 0) connect?.recordNanos(nanos(connecting))
        if (connectKnown && cause == null) service.recordNanos(nanos(ticks - connecting))
    }

    /** A request in flight at the end of the window, [at] after its start, with its [age]; [name] is null if unknown. */
    fun underWay(name: String?, age: Long, at: Long) = listOfNotNull(all, name?.let(::named)).forEach {
        it.started()
        it.unanswered(sinceOpening(at) - nanos(age), sinceOpening(at))
    }

    fun latencies() = LatencyHistograms(
        response = all.response,
        service = service,
        unanswered = all.unanswered,
        connect = connect,
        operations = several().mapValues { it.value.response },
        unansweredOperations = several().mapValues { it.value.unanswered },
        sinceStart = sinceStart,
        entered = all.entered,
        enteredOperations = several().mapValues { it.value.entered },
    )

    fun toMeasured(
        engine: String,
        windowSeconds: Double,
        generator: GeneratorFound,
        due: Long? = null,
        leftAfter: Long = 0,
        drainSeconds: Double = 0.0,
        printed: Map<String, Double> = emptyMap(),
        complaints: Map<String, Long> = emptyMap(),
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
            complaints = complaints,
            failures = commonestFailures(all.failures.entries),
            operations = operations,
        ),
        latencies(),
    )

    /** Scripts may generate names: ids in paths are left out, and names after the first [MOST_NAMES] are counted together. */
    private fun named(name: String): RequestTally {
        byName[name]?.let { return it }
        val group = ID.replace(name, "$1{id}")
        return byName.getOrPut(if (group in byName || byName.size < MOST_NAMES) group else OTHERS) { samples(group) }
    }

    private fun several(): Map<String, RequestTally> = if (byName.size > 1 || expected.isNotEmpty()) byName else emptyMap()

    private fun samples(name: String) = RequestTally(name).also { it.openWindow(now = 0) }

    /** Limited to what a clock of nanoseconds holds. */
    private fun sinceOpening(ticks: Long) = ticks.coerceAtMost(LONGEST_RUN_NANOS / nanosPerTick) * nanosPerTick

    /** Limited to the recorded maximum. */
    private fun nanos(ticks: Long) = ticks.coerceAtMost(LONGEST_NANOS / nanosPerTick) * nanosPerTick
}

/** An engine's totals of the whole run, including settling and requests that ended after the window. */
fun ofWholeRun(requests: Long, failed: Long): Map<String, Double> =
    mapOf("requests of the whole run" to requests.toDouble(), "failed requests of the whole run" to failed.toDouble())

private const val MOST_NAMES = 100

/** A number or UUID as a segment of a path, or as a value of a query. */
private val ID = Regex("""([/=])(?:\d+|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})(?=[/?&#\s]|$)""")

/** 30 years. */
private const val LONGEST_RUN_NANOS = 1_000_000_000_000_000_000L
private const val OTHERS = "(others)"
