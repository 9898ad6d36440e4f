package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.system.Schedstat
import com.sun.management.OperatingSystemMXBean
import org.HdrHistogram.Histogram
import java.lang.management.ManagementFactory
import java.nio.file.Path

/** Up to 10 minutes in nanoseconds, to 3 significant digits. */
fun nanoHistogram() = Histogram(LONGEST_NANOS, 3)

/** In nanoseconds, to 3 significant digits, without a longest one: a burst lasts for as long as its experiment says. */
internal fun spanHistogram() = Histogram(3)

const val LONGEST_NANOS = 600_000_000_000L

/** Most different details of failures that are counted: a script or a server may make any number of them. */
private const val MOST_DETAILS = 100

fun Histogram.recordNanos(nanos: Long) = recordValue(nanos.coerceIn(0, LONGEST_NANOS))

/** Null without data. */
fun Histogram.p99Ms(): Double? = millisAt(99.0)

/** Null without data. */
fun Histogram.millisAt(percentile: Double): Double? = if (totalCount == 0L) null else getValueAtPercentile(percentile) / 1e6

/**
 * Counts of requests, each in exactly one class: of an event loop, of one of its steps, or of another engine. Used only by the counting
 * thread until it hands them over.
 */
internal open class RequestTally(val name: String) {
    private var started = 0L
    var answered = 0L
        private set
    var failed = 0L
        private set
    private val errors = LongArray(ErrorCause.entries.size)
    private var opened: RequestCount? = null
    var closed: RequestCount? = null
        private set
    val response = nanoHistogram()
    val unanswered by lazy(LazyThreadSafetyMode.NONE) { nanoHistogram() }

    /** Ages of requests of [response] and [unanswered] when the window opened; those that began in it have none. */
    val entered by lazy(LazyThreadSafetyMode.NONE) { nanoHistogram() }
    protected var openedAt = 0L
        private set
    val causes: Map<ErrorCause, Long> get() = causesOf(errors)

    /** Failures of the window by [bootdyno.model.LoadFound.failures]. */
    val failures = HashMap<String, Long>()

    val inFlight: Long get() = started - answered - failed
    protected val windowIsOpen: Boolean get() = opened != null

    fun started() {
        started++
    }

    /** A successful response [now] to a request of the [intended] start, in ns of one clock. */
    fun answered(intended: Long, now: Long) {
        answered++
        if (opened != null) response.record(intended, now)
    }

    /** [detail]: see [bootdyno.model.LoadFound.failures]. */
    fun failed(cause: ErrorCause, detail: String? = null) {
        failed++
        errors[cause.ordinal]++
        if (detail != null && opened != null && (detail in failures || failures.size < MOST_DETAILS)) {
            failures.merge(detail, 1, Long::plus)
        }
    }

    /** A request without a response from its [intended] start until [now]: a censored observation. */
    fun unanswered(intended: Long, now: Long) {
        if (opened != null) unanswered.record(intended, now)
    }

    private fun Histogram.record(intended: Long, now: Long) {
        recordNanos(now - intended)
        if (intended < openedAt) entered.recordNanos(minOf(openedAt, now) - intended)
    }

    open fun openWindow(now: Long) {
        openedAt = now
        opened = count()
    }

    /** [inFlight]: the intended starts of the requests in flight. */
    open fun closeWindow(now: Long, inFlight: List<Long>) {
        val before = opened ?: return
        inFlight.forEach { unanswered(it, now) }
        opened = null
        check(inFlight.size.toLong() == this.inFlight) {
            "$name: ${this.inFlight} requests are counted in flight, ${inFlight.size} are"
        }
        closed = count().since(before)
    }

    private fun count() = RequestCount(started, answered, errors.clone(), inFlight)
}

/** [errors] by the ordinal of their cause. */
internal class RequestCount(val started: Long, val answered: Long, val errors: LongArray, val inFlight: Long) {
    val causes: Map<ErrorCause, Long> get() = causesOf(errors)

    /** Answered, in flight, and errors. */
    val classes: List<Long> get() = listOf(answered, inFlight) + errors.toList()

    fun since(before: RequestCount): RequestCount {
        val errorsSince = LongArray(errors.size) { errors[it] - before.errors[it] }
        val count = RequestCount(started - before.started, answered - before.answered, errorsSince, inFlight)
        check(before.inFlight + count.started == count.answered + errorsSince.sum() + inFlight) {
            "${before.inFlight} in flight and ${count.started} sent, but ${count.answered} answered, " +
                "${errorsSince.sum()} errors, $inFlight in flight"
        }
        return count
    }
}

/** Number of errors by cause. */
private fun causesOf(errors: LongArray): Map<ErrorCause, Long> =
    ErrorCause.entries.associateWith { errors[it.ordinal] }.filterValues { it > 0 }

/** All counts of one event loop. */
internal class Tally(responseIsService: Boolean, isBurst: Boolean = false) : RequestTally("all") {
    var window: WindowCount? = null
        private set
    private var cpuBefore = 0L
    private var waitedBefore: Long? = null
    private val ownService = if (responseIsService) null else nanoHistogram()
    val service: Histogram get() = ownService ?: response
    val connect = nanoHistogram()

    /** Of a burst: responses since the start of its window. */
    val sinceStart = if (isBurst) spanHistogram() else null
    val lag = nanoHistogram()

    /** Responses of the current second; between two seconds, those of the last one. */
    private var second = nanoHistogram()
    private var spare = nanoHistogram()

    fun answered(intended: Long, sent: Long, now: Long) {
        answered(intended, now)
        second.recordNanos(now - intended)
        if (windowIsOpen) {
            ownService?.recordNanos(now - sent)
            sinceStart?.recordValue(now - openedAt)
        }
    }

    fun connected(nanos: Long) {
        if (windowIsOpen) connect.recordNanos(nanos)
    }

    fun sentAfter(lagNanos: Long) {
        if (windowIsOpen) lag.recordNanos(lagNanos)
    }

    override fun openWindow(now: Long) {
        super.openWindow(now)
        cpuBefore = processCpuNanos()
        waitedBefore = waitedNanos()
    }

    override fun closeWindow(now: Long, inFlight: List<Long>) {
        super.closeWindow(now, inFlight)
        val waited = waitedBefore?.let { before -> waitedNanos()?.minus(before) }
        window = closed?.let { WindowCount(openedAt, now, processCpuNanos() - cpuBefore, waited, it) }
    }

    /** Responses since the last call. The caller may use the histogram until the next call. */
    fun takeSecond(): Histogram {
        val taken = second
        second = spare.also { it.reset() }
        spare = taken
        return taken
    }
}

/** The window of one event loop, in nanoTime. */
internal class WindowCount(
    val from: Long,
    val to: Long,
    /** Of the whole engine process: equal in the counts of all loops. */
    val cpuNanos: Long,
    /** How long the loop's thread, ready to run, waited for a CPU; null if the kernel does not say. */
    val waitedNanos: Long?,
    val count: RequestCount,
)

/** Run-queue wait of this thread since its start; null where the kernel does not count it. */
private fun waitedNanos(): Long? = Schedstat.of(THIS_THREAD)?.takeIf { it.ran > 0 }?.waited

private val THIS_THREAD = Path.of("/proc/thread-self")

/** CPU time of this process, user and system, in the kernel's ticks (10 ms); 0 if the JVM does not report it. */
private fun processCpuNanos(): Long = os?.processCpuTime?.coerceAtLeast(0) ?: 0

private val os = ManagementFactory.getOperatingSystemMXBean() as? OperatingSystemMXBean
