package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.OWN_ENGINE
import bootdyno.model.OperationFound
import org.HdrHistogram.Histogram

/** What one worker has to show when its drive is over. [window] is null after a warm-up drive. */
internal class WorkerResult(
    val tally: Tally,
    val window: WindowCount?,
    /** Requests, or chains, that its sender never came to begin. */
    val unsent: Long,
    val left: Long,
    val drainNanos: Long,
    val operations: List<OperationTally> = emptyList(),
)

/** Stops sending, if the worker still does, and hands over its counts. */
internal fun Worker.result(sender: Sender): WorkerResult {
    stop(System.nanoTime())
    val now = System.nanoTime()
    return WorkerResult(
        tally,
        tally.window,
        sender.unsent,
        tally.inFlight,
        drained.getNow(now) - stopped.getNow(now),
        sent.operations,
    )
}

/** All workers together. Asserts that each request of a burst is in exactly one class. */
internal fun List<WorkerResult>.sum(order: LoadOrder, measured: Boolean): LoadMeasured {
    val windows = mapNotNull { it.window }
    check(windows.size == if (measured) size else 0) { "${windows.size} windows of $size workers" }
    val found = LoadFound(
        engine = OWN_ENGINE,
        windowSeconds = if (measured) seconds(order.load, windows) else 0.0,
        answered = windows.sumOf { it.count.answered },
        errors = ErrorCause.entries.associateWith { cause -> windows.sumOf { it.count.errors[cause.ordinal] } }.filterValues {
            it >
                0
        },
        inFlight = windows.sumOf { it.count.inFlight },
        due = windows.sumOf { it.count.started }.takeIf { order.load is LoadProfile.Open },
        generator = GeneratorFound(
            cpuSeconds = (windows.maxOfOrNull { it.cpuNanos } ?: 0L) / 1e9,
            cpus = Runtime.getRuntime().availableProcessors().toDouble(),
            lagP99Ms = merged { it.lag }.p99Ms(),
        ),
        leftBefore = 0,
        leftAfter = sumOf { it.left },
        drainSeconds = maxOf { it.drainNanos } / 1e9,
        unsent = if (measured) sumOf { it.unsent } else 0,
        operations = if (measured) operations() else emptyList(),
    ).also(::checkOperations)
    if (measured && order.steps.size == 1) checkBurst(order.load, found)
    val latencies = LatencyHistograms(
        response = merged { it.response },
        service = merged { it.service },
        unanswered = merged { it.unanswered },
        connect = merged { it.connect },
        operations = merged(found) { it.response },
        unansweredOperations = merged(found) { it.unanswered },
    )
    return LoadMeasured(found, latencies)
}

/** The windows of the loops differ by microseconds; but those of a burst end each with the last user of its loop. */
private fun seconds(load: LoadProfile, windows: List<WindowCount>): Double = when (load) {
    is LoadProfile.Closed, is LoadProfile.Open -> windows.sumOf { it.to - it.from } / 1e9 / windows.size
    is LoadProfile.Burst -> (windows.maxOf { it.to } - windows.minOf { it.from }) / 1e9
}

/** How many requests a chain comes to depends on what fails; of single requests the number is known. */
private fun checkBurst(load: LoadProfile, found: LoadFound) {
    if (load !is LoadProfile.Burst) return
    val classes = found.answered + found.errors.values.sum() + found.inFlight + found.unsent
    check(classes == load.users.toLong() * load.requestsEach) { "$load, but $classes requests in all classes: $found" }
}

private fun List<WorkerResult>.merged(histogram: (Tally) -> Histogram): Histogram =
    nanoHistogram().also { sum -> forEach { sum.add(histogram(it.tally)) } }

/** Each operation of [found] over all workers. */
private fun List<WorkerResult>.merged(found: LoadFound, histogram: (OperationTally) -> Histogram): Map<String, Histogram> =
    found.operations.mapIndexed { i, operation ->
        operation.name to nanoHistogram().also { sum -> forEach { sum.add(histogram(it.operations[i])) } }
    }.toMap()

private fun List<WorkerResult>.operations(): List<OperationFound> = first().operations.mapIndexed { i, first ->
    val counts = map { result -> checkNotNull(result.operations[i].closed) { "no window of ${first.name}" } }
    OperationFound(
        name = first.name,
        answered = counts.sumOf { it.answered },
        errors = ErrorCause.entries.associateWith { cause -> counts.sumOf { it.errors[cause.ordinal] } }.filterValues { it > 0 },
        inFlight = counts.sumOf { it.inFlight },
    )
}

/** Every request is one of an operation, where there are operations. */
private fun checkOperations(found: LoadFound) {
    if (found.operations.isEmpty()) return
    val errors = ErrorCause.entries.associateWith { cause -> found.operations.sumOf { it.errors[cause] ?: 0L } }.filterValues {
        it >
            0
    }
    val alike = found.operations.sumOf { it.answered } == found.answered && errors == found.errors &&
        found.operations.sumOf { it.inFlight } == found.inFlight
    check(alike) { "the operations do not add up to all: $found" }
}
