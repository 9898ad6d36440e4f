package bootdyno.engines.wrk

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.ForeignEngine
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.p99Ms
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import bootdyno.model.redactCommandLine
import bootdyno.system.readKeyed
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/**
 * wrk, the load generator of most published benchmarks: closed load only, with a new process for each drive.
 *
 * - Durations are rounded up to whole seconds. A settling is a separate run before the window, with its own connections, and is not counted.
 * - [LoadFound.printed][bootdyno.model.LoadFound.printed] has wrk's own figures, with its correction for coordinated omission; the histograms
 *   are its samples without that correction. Its timestamps are of the wall clock, which may be set meanwhile.
 * - Requests without a response are invisible to wrk, and there is no drain: `inFlight` and `leftAfter` are always 0. A timeout is a late
 *   response; a connection whose request hangs is lost for the rest of the run.
 * - Status: above 399 is an error. Bodies and other statuses are compared only with `check: true`, or if the expected status is above 399,
 *   because that costs CPU. The histograms contain responses of any status, because wrk does not separate them.
 * - Read errors are [ErrorCause.CLOSED], whether closed, reset, refused or not HTTP; write errors are [ErrorCause.RESET], and connections
 *   that could not be started [ErrorCause.CLIENT]. wrk retries without delay.
 * - A response that ends with its connection counts as answered and as [ErrorCause.CLOSED], and so does one that is longer than its declared
 *   length: only these requests are in two classes.
 * - CPU time is that of the whole run: from the start of the process until it writes its results.
 * - wrk reports no progress: the requests of a [LoadSecond] are its write calls, counted by the kernel, less those in flight. [drive] reports
 *   the first second when the window begins, at [LoadOrder.settle].
 */
class WrkEngine private constructor(private val program: WrkProgram, private val options: WrkOptions, context: EngineContext) :
    ForeignEngine(WRK_KIND, context) {
    private val engine = "$WRK ${program.version}"

    override fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val call = wrkCall(order, options, context.cpuCount)
        if (order.settle.isPositive()) settle(call, order, folder)
        val settled = order.settle.toDouble(DurationUnit.SECONDS)
        // Until wrk ends, its requests are not known to have failed: then their count as answered must not fall.
        var counted = 0L
        fun second(at: Double, answered: Long, inFlight: Int) {
            counted = answered
            onSecond(LoadSecond(settled + at, inWindow = true, answered, errors = 0, inFlight.toLong(), p99Ms = null))
        }
        second(0.0, 0, 0)
        val ended = run(call, order.window, folder, counts = true) { run ->
            val written = run.written()
            if (written != null && run.elapsed < order.window) {
                second(run.seconds, (written - call.opened).coerceAtLeast(0), call.opened)
            }
        }
        val summary = when (ended) {
            is Ended.Refused -> return measured(engine, ended.seconds, 0, mapOf(ended.cause to 1), context.generator(0.0))
            is Ended.Summed -> ended.summary
        }
        val measured = summary.toMeasured(engine, call, context.generator(summary.cpuSeconds))
        val found = measured.found
        if (summary.requests == 0L && found.errors.isEmpty()) {
            throw EngineFailed(
                "wrk had no answer and no error in ${found.windowSeconds} s: all its requests are still unanswered, " +
                    "which wrk cannot count. Take a longer window, or another engine.",
            )
        }
        val p99Ms = measured.latencies.response.p99Ms()
        val answered = maxOf(found.answered, counted)
        onSecond(LoadSecond(settled + found.windowSeconds, true, answered, found.errors.values.sum(), 0, p99Ms))
        return measured
    }

    /**
     * Requests in flight at the end of the settling run would delay the window. Waits for them by Little's law, connections / throughput, but not
     * longer than the drain.
     */
    private fun settle(call: WrkCall, order: LoadOrder, folder: Path) {
        val summary = (run(call, order.settle, folder, counts = false) {} as? Ended.Summed)?.summary ?: return
        val rest = if (summary.requests == 0L) order.drain else order.settle * (call.opened.toDouble() / summary.requests)
        Thread.sleep(minOf(rest, order.drain).inWholeMilliseconds)
    }

    private sealed interface Ended {
        /** The server refused wrk's first test connection. */
        class Refused(val cause: ErrorCause, val seconds: Double) : Ended

        class Summed(val summary: WrkSummary) : Ended
    }

    private fun run(call: WrkCall, length: Duration, folder: Path, counts: Boolean, eachSecond: (WrkRun) -> Unit): Ended {
        val script = folder.resolve("run.lua")
        val output = folder.resolve("found.txt")
        Files.deleteIfExists(output)
        Files.writeString(script, call.script(output, counts))
        val command = call.command(program.path, length, script)
        context.note(redactCommandLine(command).joinToString(" "))
        // The user's script may use files beside it.
        val place = options.script?.toAbsolutePath()?.parent ?: folder
        return running({ GeneratorProcess.start(context, command, place) }) { process ->
            val run = WrkRun(process)
            val code = run.await(length) { eachSecond(run) }
            val cause = if (code == 0) null else refusalIn(process.lastWords())
            when {
                cause != null -> Ended.Refused(cause, run.seconds)
                code != 0 -> throw EngineFailed("wrk ended with exit code $code: ${process.lastWords()}")
                else -> Ended.Summed(readWrkSummary(output) ?: throw EngineFailed("wrk wrote no figures: ${process.lastWords()}"))
            }
        }
    }

    companion object {
        /** @throws EngineFailed if wrk is missing, [spec] has an unknown option, or its script cannot be read */
        fun start(context: EngineContext, spec: EngineSpec): WrkEngine {
            val options = wrkOptions(spec)
            return WrkEngine(wrkProgram(), options, context)
        }
    }
}

/** The cause if the subject refused the connection, which is no failure of wrk; otherwise null. */
private fun refusalIn(said: String): ErrorCause? = when {
    "unable to connect" !in said -> null
    "refused" in said -> ErrorCause.REFUSED
    "timed out" in said -> ErrorCause.CONNECT_TIMEOUT
    else -> null
}

/** A running wrk process. */
internal class WrkRun(private val process: GeneratorProcess) {
    private val began = TimeSource.Monotonic.markNow()

    val elapsed: Duration get() = began.elapsedNow()
    val seconds: Double get() = elapsed.toDouble(DurationUnit.SECONDS)

    /**
     * Waits for its end, and calls [eachSecond] every second.
     * @return its exit code
     * @throws EngineFailed if it runs [farewell] longer than [length]
     */
    fun await(length: Duration, farewell: Duration = FAREWELL, eachSecond: () -> Unit = {}): Int {
        var next = 1.seconds
        process.follow { ended ->
            val now = elapsed
            if (!ended && now > length + farewell) {
                process.kill()
                throw EngineFailed("wrk was still running $farewell after it should have ended, and was killed.")
            }
            if (!ended && now >= next) {
                next += 1.seconds
                eachSecond()
            }
        }
        return process.exitCode ?: error("wrk still runs")
    }

    /** Requests written so far, from the kernel's count of wrk's `write` calls (proc_pid_io(5)); null if unknown. */
    fun written(): Long? = readKeyed(Path.of("/proc/${process.pid}/io"), "syscw")
}

/** Its threads end within 100 ms; then it writes its results, and a user's `done` may take time. */
private val FAREWELL = 30.seconds
