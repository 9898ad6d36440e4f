package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** @throws EngineFailed where wrk cannot do what [order] and [options] ask. */
internal fun wrkCall(order: LoadOrder, options: WrkOptions, cpus: Int): WrkCall {
    val load = order.load as? LoadProfile.Closed
        ?: throw EngineFailed("wrk makes closed load only, and the profile is ${order.load}: choose another engine for it.")
    if (!order.window.isPositive()) throw EngineFailed("wrk measures windows only, and this one has no length.")
    // A script makes its own requests, and may go through a chain.
    val isOne = order.steps.size == 1 && order.data == null && order.steps.single().capture.isEmpty()
    val request = order.steps.first().takeIf { isOne || options.script != null }
        ?: throw EngineFailed("wrk sends one request again and again, and this is a chain: choose another engine for it.")
    if (request.method == "HEAD") throw EngineFailed("wrk cannot send HEAD, it waits for a body: choose another engine for it.")
    val threads = options.threads ?: threadsFor(load.connections, cpus)
    if (threads > load.connections) {
        throw EngineFailed("wrk: threads is $threads, more than the ${load.connections} connections: give it fewer.")
    }
    return WrkCall(order, request, options, load.connections, threads)
}

/** How wrk is called for an order: with [connections], of which it opens [opened]. */
internal class WrkCall(
    private val order: LoadOrder,
    private val request: Step,
    private val options: WrkOptions,
    val connections: Int,
    val threads: Int,
) {
    val opened: Int get() = connections / threads * threads

    /**
     * Its command line for a run of [length]. wrk knows whole seconds only. What it answers later than `--timeout` it counts
     * without a sample, so no sample is lost by one as long as the run; it has 8 bytes for each µs of it.
     */
    fun command(program: Path, length: Duration, script: Path): List<String> {
        val seconds = wholeSeconds(length)
        val timeout = minOf(wholeSeconds(order.timeout), seconds + 1)
        return listOf(
            program.toString(),
            "-t$threads",
            "-c$connections",
            "-d${seconds}s",
            "--timeout",
            "${timeout}s",
            "--latency",
            "-s",
            script.toString(),
            "http://${if (':' in order.host) "[${order.host}]" else order.host}:${order.port}${request.path}",
        )
    }

    /**
     * The script of a run, which leaves what wrk knows at its end in [writtenTo]; only a run that [counts] calls a user's
     * `done`.
     */
    fun script(writtenTo: Path, counts: Boolean): String = wrkScript(request, options, writtenTo, counts)
}

/** Rounded up. */
internal fun wholeSeconds(length: Duration): Long = length.inWholeSeconds + if (length > length.inWholeSeconds.seconds) 1 else 0
