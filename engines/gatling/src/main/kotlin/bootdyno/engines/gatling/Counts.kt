package bootdyno.engines.gatling

import bootdyno.engine.nanoHistogram
import bootdyno.engine.recordNanos
import bootdyno.model.ErrorCause
import bootdyno.model.OperationFound
import org.HdrHistogram.Histogram

/** The requests of one kind, or of all: each in exactly one class. */
internal class Counts {
    var answered = 0L
        private set
    var inFlight = 0L
        private set
    private val failed = LongArray(ErrorCause.entries.size)
    val response = nanoHistogram()
    val unanswered: Histogram by lazy(LazyThreadSafetyMode.NONE) { nanoHistogram() }

    val errors: Map<ErrorCause, Long>
        get() = ErrorCause.entries.associateWith { failed[it.ordinal] }.filterValues { it > 0 }

    fun add(cause: ErrorCause?, millis: Long) {
        if (cause == null) {
            answered++
            response.recordNanos(millis * NANOS)
        } else {
            failed[cause.ordinal]++
            if (cause == ErrorCause.TIMEOUT) waited(millis)
        }
    }

    fun inFlight(millis: Long) {
        inFlight++
        waited(millis)
    }

    /** A request without an answer for [millis], though one may have come later. */
    fun waited(millis: Long) = unanswered.recordNanos(millis * NANOS)

    private companion object {
        const val NANOS = 1_000_000L
    }
}

/**
 * The requests by their name, with the groups around it: those [expected], whether they came or not, then others. Empty where
 * none were expected and all have the same.
 */
internal class Operations(private val expected: List<String> = emptyList()) {
    private val byName = LinkedHashMap<LoggedText, Counts>()
    private val byPath = LinkedHashMap<String, Counts>().apply { expected.forEach { put(it, Counts()) } }

    fun of(request: LogRecord.Request): Counts = if (request.groups.isEmpty()) {
        byName.getOrPut(request.name) { named(request.name.text) }
    } else {
        named((request.groups + request.name).joinToString(" / ") { it.text })
    }

    /**
     * A script that names each request anew has no kinds of requests: those after the first [MOST] names are counted together.
     */
    private fun named(path: String): Counts =
        byPath[path] ?: byPath.getOrPut(if (byPath.size < MOST) path else "others") { Counts() }

    val found: List<OperationFound>
        get() = several.map { (name, counts) -> OperationFound(name, counts.answered, counts.errors, counts.inFlight) }

    val responses: Map<String, Histogram> get() = several.mapValues { it.value.response }

    val unanswered: Map<String, Histogram> get() = several.mapValues { it.value.unanswered }

    private val several: Map<String, Counts> get() = if (byPath.size > 1 || expected.isNotEmpty()) byPath else emptyMap()

    private companion object {
        const val MOST = 100
    }
}
