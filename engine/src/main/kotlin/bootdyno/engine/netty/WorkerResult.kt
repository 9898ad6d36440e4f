package bootdyno.engine.netty

import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.RequestCount
import bootdyno.engine.RequestTally
import bootdyno.engine.Tally
import bootdyno.engine.Transport
import bootdyno.engine.WindowCount
import bootdyno.engine.checkBurst
import bootdyno.engine.merged
import bootdyno.engine.millisAt
import bootdyno.engine.nanoHistogram
import bootdyno.engine.spanHistogram
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.OWN_ENGINE
import bootdyno.model.OperationFound
import bootdyno.model.commonestFailures
import org.HdrHistogram.Histogram

/** The counts of one worker after its drive. */
internal class WorkerResult(
    /** Without a window after a warm-up drive. */
    val tally: Tally,
    val operations: List<RequestTally>,
    /** Requests or chains that its sender did not start. */
    val unsent: Long,
    val left: Long,
    val drainNanos: Long,
)

/** Stops sending and returns the worker's counts. */
internal fun Worker.result(sender: Sender): WorkerResult {
    stop(System.nanoTime())
    val now = System.nanoTime()
    return WorkerResult(tally, sent.operations, sender.unsent, tally.inFlight, drained.getNow(now) - stopped.getNow(now))
}

/** The sum of all workers. Checks that each request of a burst is in one class, and each request of a chain in one operation. */
internal fun List<WorkerResult>.sum(order: LoadOrder, measured: Boolean): LoadMeasured {
    val windows = mapNotNull { it.tally.window }
    check(windows.size == if (measured) size else 0) { "${windows.size} windows of $size workers" }
    val all = windows.map { it.count }.sum()
    val operations = first().operations.takeIf { measured }.orEmpty().mapIndexed { i, first ->
        first.name to map { checkNotNull(it.operations[i].closed) { "no window of ${first.name}" } }.sum()
    }
    val lag = merged { it.tally.lag }
    check(operations.isEmpty() || operations.map { it.second }.sum().classes == all.classes) {
        "the operations do not add up to all, ${all.classes}: ${operations.map { (name, it) -> "$name ${it.classes}" }}"
    }
    val found = LoadFound(
        engine = OWN_ENGINE,
        windowSeconds = if (measured) seconds(order.load, windows) else 0.0,
        answered = all.answered,
        errors = all.causes,
        inFlight = all.inFlight,
        due = all.started.takeIf { order.load.isOpen },
        generator = GeneratorFound(
            cpuSeconds = (windows.maxOfOrNull { it.cpuNanos } ?: 0L) / 1e9,
            cpus = Runtime.getRuntime().availableProcessors().toDouble(),
            lagP99Ms = lag.millisAt(99.0),
            lagP999Ms = lag.millisAt(99.9),
            lagMaxMs = lag.millisAt(100.0),
            waitShare = waitShare(windows),
            transport = Transport.best.word,
        ),
        leftBefore = 0,
        leftAfter = sumOf { it.left },
        drainSeconds = maxOf { it.drainNanos } / 1e9,
        unsent = if (measured) sumOf { it.unsent } else 0,
        failures = commonestFailures(flatMap { it.tally.failures.entries }),
        operations = operations.map { (name, it) -> OperationFound(name, it.answered, it.causes, it.inFlight) },
    )
    if (measured && order.requestsPerArrival == 1) checkBurst(order, found)
    val latencies = LatencyHistograms(
        response = merged { it.tally.response },
        service = merged { it.tally.service },
        unanswered = merged { it.tally.unanswered },
        entered = merged { it.tally.entered },
        connect = merged { it.tally.connect },
        operations = operations.indices.associate { i -> operations[i].first to merged { it.operations[i].response } },
        unansweredOperations = operations.indices.associate { i ->
            operations[i].first to merged { it.operations[i].unanswered }
        },
        enteredOperations = operations.indices.associate { i -> operations[i].first to merged { it.operations[i].entered } },
        sinceStart = mapNotNull { it.tally.sinceStart }.takeIf { measured && it.isNotEmpty() }
            ?.let { each -> spanHistogram().also { sum -> each.forEach(sum::add) } },
    )
    return LoadMeasured(found, latencies)
}

/** Mean over event loops, whose windows differ by microseconds; for a burst, the longest one, until the last user ends. */
private fun seconds(load: LoadProfile, windows: List<WindowCount>): Double = when (load) {
    is LoadProfile.Closed, is LoadProfile.Open -> windows.sumOf { it.to - it.from } / 1e9 / windows.size
    is LoadProfile.Burst -> (windows.maxOf { it.to } - windows.minOf { it.from }) / 1e9
}

/** Mean over event loops; null if the kernel does not count the wait, and without a window. */
private fun waitShare(windows: List<WindowCount>): Double? {
    val waited = windows.mapNotNull { it.waitedNanos }
    val nanos = windows.sumOf { it.to - it.from }
    return if (waited.size == windows.size && nanos > 0) waited.sum() / nanos.toDouble() else null
}

private fun List<WorkerResult>.merged(histogram: (WorkerResult) -> Histogram): Histogram =
    nanoHistogram().also { sum -> forEach { sum.add(histogram(it)) } }

private fun List<RequestCount>.sum() = RequestCount(
    started = sumOf { it.started },
    answered = sumOf { it.answered },
    errors = LongArray(ErrorCause.entries.size) { cause -> sumOf { it.errors[cause] } },
    inFlight = sumOf { it.inFlight },
)
