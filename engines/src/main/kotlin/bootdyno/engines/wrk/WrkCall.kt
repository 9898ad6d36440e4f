package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import java.nio.file.Path
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** @throws EngineFailed if wrk does not support [order] and [options] */
internal fun wrkCall(order: LoadOrder, options: WrkOptions, cpus: Int): WrkCall {
    val load = order.load as? LoadProfile.Closed
        ?: throw EngineFailed("wrk makes closed load only, and the profile is ${order.load}: choose another engine for it.")
    // A script makes its own requests, and may send a chain.
    val request = order.steps.first().takeIf { order.repeatsOneRequest || options.script != null }
        ?: throw EngineFailed("wrk sends one request again and again, and this is a chain: choose another engine for it.")
    if (request.method == "HEAD") throw EngineFailed("wrk cannot send HEAD, it waits for a body: choose another engine for it.")
    val threads = options.threads ?: threadsFor(load.connections, cpus)
    if (threads > load.connections) {
        throw EngineFailed("wrk: threads is $threads, more than the ${load.connections} connections: give it fewer.")
    }
    return WrkCall(order, request, options, load.connections, threads)
}

/** The arguments of wrk for an order with [connections], of which it opens [opened]. */
internal class WrkCall(
    val order: LoadOrder,
    private val request: Step,
    val options: WrkOptions,
    val connections: Int,
    val threads: Int,
) {
    val opened: Int get() = connections / threads * threads

    /**
     * The command line for a run of [length]. wrk supports whole seconds only. Responses later than `--timeout` are counted without a sample, so
     * the timeout is the length of the run; wrk needs 8 bytes for each µs of it.
     */
    fun command(program: Path, length: Duration, script: Path): List<String> {
        val seconds = wholeSeconds(length)
        val timeout = "${minOf(wholeSeconds(order.timeout), seconds + 1)}s"
        return listOf("$program", "-t$threads", "-c$connections", "-d${seconds}s", "--timeout", timeout, "--latency") +
            listOf("-s", "$script", order.base) + if (options.args.isEmpty()) emptyList() else listOf("--") + options.args
    }

    /**
     * The Lua script of a run: the request, parameters, and the resource `run.lua`. At its end it writes wrk's results to [writtenTo]; only a run
     * that [counts] calls a user's `done`. The request is in the script instead of on the command line, which all users of the machine can read.
     */
    fun script(writtenTo: Path, counts: Boolean): String = buildString {
        appendLine("wrk.method = ${luaText(request.method)}")
        appendLine("wrk.path = ${luaText(request.path)}")
        request.headers.forEach { (name, value) ->
            if ("$name$value".any { it == '\r' || it == '\n' }) throw EngineFailed("a line break in the header $name")
            val spelled = if (name.equals("host", ignoreCase = true)) "Host" else name
            appendLine("wrk.headers[${luaText(spelled)}] = ${luaText(value)}")
        }
        request.body?.let { appendLine("wrk.body = ${luaText(it)}") }
        appendLine("local dyno = {")
        options.script?.let { appendLine("  script = ${luaText("$it")},") }
        appendLine("  written_to = ${luaText("$writtenTo")},")
        appendLine("  counts = $counts,")
        // If wrk counts the expected status as an error, only a check can tell.
        if (options.check || request.expect.status > HIGHEST_GOOD_OF_WRK) {
            appendLine("  status = ${request.expect.status},")
            request.expect.body?.let { appendLine("  body = ${luaText(it)},") }
        }
        appendLine("}")
        append(RUN)
    }
}

/**
 * One thread per CPU, or the next smaller number that divides [connections]: wrk gives each thread ⌊connections / threads⌋ connections and
 * drops the rest (`-t12 -c400` opens 396). Each thread is an event loop, so that more threads than CPUs have no use.
 */
internal fun threadsFor(connections: Int, cpus: Int): Int = (minOf(cpus, connections) downTo 1).first { connections % it == 0 }

/** Rounded up. */
private fun wholeSeconds(length: Duration): Long = ceil(length.toDouble(DurationUnit.SECONDS)).toLong()

/** [text] as a Lua string of its UTF-8 bytes. */
private fun luaText(text: String): String = text.toByteArray().joinToString("", "\"", "\"") { byte ->
    val char = (byte.toInt() and 0xff).toChar()
    if (char in ' '..'~' && char !in "\"\\") "$char" else "\\" + "${char.code}".padStart(3, '0')
}

/** wrk counts statuses above this one as errors. */
private const val HIGHEST_GOOD_OF_WRK = 399

private val RUN: String by lazy { checkNotNull(WrkEngine::class.java.getResource("run.lua")).readText() }
