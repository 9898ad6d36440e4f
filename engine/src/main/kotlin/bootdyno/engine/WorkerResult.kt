package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.OWN_ENGINE
import bootdyno.model.OperationFound
import org.HdrHistogram.Histogram

/** What one worker has to show when its drive is over. */
internal class WorkerResult(
    /** Its window is null after a warm-up drive. */
    val tally: Tally,
    val operations: List<RequestTally>,
    /** Requests, or chains, that its sender never came to begin. */
    val unsent: Long,
    val left: Long,
    val drainNanos: Long,
)

/** Stops sending, if the worker still does, and hands over its counts. */
internal fun Worker.result(sender: Sender): WorkerResult {
    stop(System.nanoTime())
    val now = System.nanoTime()
    return WorkerResult(tally, sent.operations, sender.unsent, tally.inFlight, drained.getNow(now) - stopped.getNow(now))
}

/** All workers together. Asserts that each request of a burst is in exactly one class, and of a chain in exactly one operation. */
internal fun List<WorkerResult>.sum(order: LoadOrder, measured: Boolean): LoadMeasured {
    val windows = mapNotNull { it.tally.window }
    check(windows.size == if (measured) size else 0) { "${windows.size} windows of $size workers" }
    val all = windows.map { it.count }.sum()
    val operations = first().operations.takeIf { measured }.orEmpty().mapIndexed { i, first ->
        first.name to map { checkNotNull(it.operations[i].closed) { "no window of ${first.name}" } }.sum()
    }
    check(operations.isEmpty() || operations.map { it.second }.sum().classes == all.classes) {
        "the operations do not add up to all: $operations, ${all.classes}"
    }
    val found = LoadFound(
        engine = OWN_ENGINE,
        windowSeconds = if (measured) seconds(order.load, windows) else 0.0,
        answered = all.answered,
        errors = all.causes,
        inFlight = all.inFlight,
        due = all.started.takeIf { order.load is LoadProfile.Open },
        generator = GeneratorFound(
            cpuSeconds = (windows.maxOfOrNull { it.cpuNanos } ?: 0L) / 1e9,
            cpus = Runtime.getRuntime().availableProcessors().toDouble(),
            lagP99Ms = merged { it.tally.lag }.p99Ms(),
        ),
        leftBefore = 0,
        leftAfter = sumOf { it.left },
        drainSeconds = maxOf { it.drainNanos } / 1e9,
        unsent = if (measured) sumOf { it.unsent } else 0,
        operations = operations.map { (name, it) -> OperationFound(name, it.answered, it.causes, it.inFlight) },
    )
    if (measured && order.steps.size == 1) checkBurst(order.load, found)
    val latencies = LatencyHistograms(
        response = merged { it.tally.response },
        service = merged { it.tally.service },
        unanswered = merged { it.tally.unanswered },
        connect = merged { it.tally.connect },
        operations = operations.indices.associate { i -> operations[i].first to merged { it.operations[i].response } },
        unansweredOperations = operations.indices.associate { i ->
            operations[i].first to merged { it.operations[i].unanswered }
        },
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

private fun List<WorkerResult>.merged(histogram: (WorkerResult) -> Histogram): Histogram =
    nanoHistogram().also { sum -> forEach { sum.add(histogram(it)) } }

private fun List<RequestCount>.sum() = RequestCount(
    started = sumOf { it.started },
    answered = sumOf { it.answered },
    errors = LongArray(ErrorCause.entries.size) { cause -> sumOf { it.errors[cause] } },
    inFlight = sumOf { it.inFlight },
)
