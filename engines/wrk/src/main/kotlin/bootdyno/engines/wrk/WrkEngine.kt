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
import bootdyno.system.readKeyed
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/**
 * wrk, the load generator of most articles: closed load only, forked for each drive.
 *
 * - Lengths are whole seconds, wrk knowing no others: windows and settling are rounded up. A settling is a run of its own
 *   before the window's, with connections of its own, and counts nowhere.
 * - [LoadFound.printed][bootdyno.model.LoadFound.printed] is what it prints, its correction for coordinated omission included;
 *   the histograms are its samples without that correction. It stamps by the wall clock, which may be set while it runs.
 * - A request that is never answered is invisible to it, and nothing is drained: `inFlight` and `leftAfter` are always 0. A
 *   timeout is an answer that came too late; a connection whose request hangs is lost for the rest of the run.
 * - Status: above 399 is an error. Bodies and other statuses are compared only with `check: true`, or where the expected status
 *   is itself above 399, since that costs CPU. The histograms hold answers of any status: wrk does not tell their latencies
 *   apart.
 * - Its read errors are [ErrorCause.CLOSED], whether the connection was closed, reset, refused or spoke no HTTP; its write errors
 *   [ErrorCause.RESET], and connections it could not even begin to open [ErrorCause.CLIENT]. It does not wait before it tries
 *   again.
 * - An answer whose end is the end of its connection is answered and [ErrorCause.CLOSED] at once, and so is one that is longer than
 *   it says: the only requests in two classes.
 * - CPU time is that of the whole run: from the start of the process until it writes what it measured.
 * - It reports no progress: the requests of a [LoadSecond] are those it has written, as the kernel counts them, less those under
 *   way. [drive] reports the first second when the window begins, at [LoadOrder.settle].
 */
class WrkEngine private constructor(private val program: WrkProgram, private val options: WrkOptions, context: EngineContext) :
    ForeignEngine(WRK_KIND, context) {
    private val engine = "$WRK ${program.version}"

    override fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val call = wrkCall(order, options, context.cpuCount)
        if (order.settle.isPositive()) settle(call, order, folder)
        val settled = order.settle.toDouble(DurationUnit.SECONDS)
        fun second(at: Double, answered: Long, inFlight: Int) =
            onSecond(LoadSecond(settled + at, inWindow = true, answered, errors = 0, inFlight.toLong(), p99Ms = null))
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
        onSecond(LoadSecond(settled + found.windowSeconds, true, found.answered, found.errors.values.sum(), 0, p99Ms))
        return measured
    }

    /**
     * What wrk leaves under way when it ends is served all the same, and would take the beginning of the window: that is waited
     * for, as long as Little's law says, connections / throughput, and not longer than the drain.
     */
    private fun settle(call: WrkCall, order: LoadOrder, folder: Path) {
        val summary = (run(call, order.settle, folder, counts = false) {} as? Ended.Summed)?.summary ?: return
        val rest = if (summary.requests == 0L) order.drain else order.settle * (call.opened.toDouble() / summary.requests)
        Thread.sleep(minOf(rest, order.drain).inWholeMilliseconds)
    }

    private sealed interface Ended {
        /** Nobody listened when it started, as the one connection showed that it opens to try. */
        class Refused(val cause: ErrorCause, val seconds: Double) : Ended

        class Summed(val summary: WrkSummary) : Ended
    }

    private fun run(call: WrkCall, length: Duration, folder: Path, counts: Boolean, eachSecond: (WrkRun) -> Unit): Ended {
        val script = folder.resolve("run.lua")
        val found = folder.resolve("found.txt")
        Files.deleteIfExists(found)
        Files.writeString(script, call.script(found, counts))
        val command = call.command(program.path, length, script)
        context.note(command.joinToString(" "))
        // A script's own files are beside it.
        val place = options.script?.toAbsolutePath()?.parent ?: folder
        return running({ GeneratorProcess.start(context, command, place) }) { process ->
            val run = WrkRun(process)
            val code = run.await(length) { eachSecond(run) }
            val cause = if (code == 0) null else refusalIn(process.lastWords())
            when {
                cause != null -> Ended.Refused(cause, run.seconds)
                code != 0 -> throw EngineFailed("wrk ended with exit code $code: ${process.lastWords()}")
                else -> Ended.Summed(readWrkSummary(found) ?: throw EngineFailed("wrk wrote no figures: ${process.lastWords()}"))
            }
        }
    }

    companion object {
        /** @throws EngineFailed when wrk is missing, [spec] has an option it does not know, or its script cannot be read. */
        fun start(context: EngineContext, spec: EngineSpec): WrkEngine {
            val options = wrkOptions(spec)
            return WrkEngine(wrkProgram(), options, context)
        }
    }
}

/** The subject's refusal to be connected to, which is no failure of wrk's; null when it ended for another reason. */
private fun refusalIn(said: String): ErrorCause? = when {
    "unable to connect" !in said -> null
    "refused" in said -> ErrorCause.REFUSED
    "timed out" in said -> ErrorCause.CONNECT_TIMEOUT
    else -> null
}

/** A run of wrk, from its start to its end. */
internal class WrkRun(private val process: GeneratorProcess) {
    private val began = TimeSource.Monotonic.markNow()

    val elapsed: Duration get() = began.elapsedNow()
    val seconds: Double get() = elapsed.toDouble(DurationUnit.SECONDS)

    /**
     * Waits for its end, and calls [eachSecond] for each second that passes.
     * @return its exit code
     * @throws EngineFailed when it goes on for [farewell] longer than [length]
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

    /** Requests written so far, as the kernel counts wrk's `write` calls (proc_pid_io(5)); null where it does not say. */
    fun written(): Long? = readKeyed(Path.of("/proc/${process.pid}/io"), "syscw")
}

/** Its threads end within 100 ms; then it writes down what it measured, and a user's `done` may take its time. */
private val FAREWELL = 30.seconds
