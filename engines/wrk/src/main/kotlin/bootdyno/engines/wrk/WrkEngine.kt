package bootdyno.engines.wrk

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import bootdyno.system.tryDeleteTree
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.io.path.createTempDirectory
import kotlin.time.Duration

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
 * - Its read errors are [ErrorCause.CLOSED], be the connection closed, reset, refused or speaking no HTTP; its write errors
 *   [ErrorCause.RESET], and connections it could not even begin to open [ErrorCause.CLIENT]. It does not wait before it tries
 *   again.
 * - An answer whose end is the end of its connection is answered and [ErrorCause.CLOSED] at once, and so is one that is longer than
 *   it says: the only requests in two classes.
 * - CPU time is that of the whole run: from the start of the process until it says what it measured.
 * - It tells no progress: the requests of a [LoadSecond] are those it has written, as the kernel counts them, less those under
 *   way. [drive] tells the first second when the window begins, at [LoadOrder.settle].
 */
class WrkEngine private constructor(
    private val program: WrkProgram,
    private val options: WrkOptions,
    private val context: EngineContext,
    private val folder: Path,
) : LoadEngine {
    override val kind = WRK_KIND
    override val pid: Long? get() = running?.pid

    @Volatile
    private var running: WrkRun? = null

    /** CPU seconds of the runs that are over; written by the thread that drives. */
    @Volatile
    private var spent = 0.0
    private val cpus = context.cpus.size.takeIf { it > 0 } ?: Runtime.getRuntime().availableProcessors()
    private val engine = "$WRK ${program.version}"
    private val script = folder.resolve("run.lua")
    private val found = folder.resolve("found.txt")

    /** Does nothing: it has no code that a first run would make faster. */
    override fun warmItself() = Unit

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val call = wrkCall(order, options, cpus)
        if (order.settle.isPositive()) settle(call, order)
        val progress = WrkProgress(order, call, onSecond)
        progress.begins()
        val ended = run(call, order.window, counts = true) { progress.at(it) }
        val summary = when (ended) {
            is Ended.Refused -> return refused(engine, ended.seconds, ended.cause, cpus)
            is Ended.Summed -> ended.summary
        }
        val measured = summary.toMeasured(engine, order, call, cpus, options.script != null)
        if (summary.requests == 0L && measured.found.errors.isEmpty()) {
            throw EngineFailed(
                "wrk had no answer and no error in ${measured.found.windowSeconds} s: whatever was asked is still unanswered, " +
                    "which wrk cannot count. Take a longer window, or another engine.",
            )
        }
        progress.ends(measured)
        return measured
    }

    /**
     * What wrk leaves under way when it ends is served all the same, and would take the beginning of the window: that is waited
     * for, as long as Little's law says, connections / throughput, and not longer than the drain.
     */
    private fun settle(call: WrkCall, order: LoadOrder) {
        val summary = (run(call, order.settle, counts = false) {} as? Ended.Summed)?.summary ?: return
        val rest = if (summary.requests == 0L) order.drain else order.settle * (call.opened.toDouble() / summary.requests)
        Thread.sleep(minOf(rest, order.drain).inWholeMilliseconds)
    }

    override fun cpuSeconds(): Double? {
        val underWay = running?.let { run ->
            ProcessHandle.of(run.pid).flatMap { it.info().totalCpuDuration() }.map { it.toNanos() / 1e9 }.orElse(0.0)
        }
        return spent + (underWay ?: 0.0)
    }

    override fun close() {
        tryDeleteTree(folder)
    }

    private sealed interface Ended {
        class Refused(val cause: ErrorCause, val seconds: Double) : Ended

        class Summed(val summary: WrkSummary) : Ended
    }

    private fun run(call: WrkCall, length: Duration, counts: Boolean, eachSecond: (WrkRun) -> Unit): Ended {
        Files.writeString(script, call.script(found, counts))
        val command = call.command(program.path, length, script)
        // A script's own files are beside it.
        Files.writeString(
            context.log,
            command.joinToString(" ", postfix = "\n"),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND,
        )
        val run = WrkRun.start(command, context.cpus, options.script?.toAbsolutePath()?.parent ?: folder, context.log)
        running = run
        context.started(run.pid)
        try {
            return ended(run, code = run.await(length) { eachSecond(run) })
        } finally {
            running = null
            Files.deleteIfExists(found)
        }
    }

    private fun ended(run: WrkRun, code: Int): Ended {
        val said = run.lastLines()
        if (code != 0) {
            val cause = refusalIn(said) ?: throw EngineFailed("wrk ended with exit code $code: $said (see ${context.log})")
            return Ended.Refused(cause, run.seconds)
        }
        val summary = readWrkSummary(found) ?: throw EngineFailed("wrk did not say what it measured: $said (see ${context.log})")
        spent += summary.cpuSeconds
        return Ended.Summed(summary)
    }

    companion object {
        /** @throws EngineFailed when wrk is missing, [spec] says what it does not know, or its script cannot be read. */
        fun start(context: EngineContext, spec: EngineSpec): WrkEngine {
            val options = wrkOptions(spec)
            return WrkEngine(wrkProgram(), options, context, createTempDirectory(context.temporary, "wrk-"))
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
