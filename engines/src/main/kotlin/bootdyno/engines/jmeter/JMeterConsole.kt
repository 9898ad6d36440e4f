package bootdyno.engines.jmeter

import bootdyno.engine.GeneratorProcess
import bootdyno.system.boundedLines
import bootdyno.system.waitUntil
import bootdyno.system.withoutInterrupts
import java.net.DatagramPacket
import java.net.DatagramSocket
import java.net.InetAddress
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Reads JMeter's output, and sends commands to it. */
internal class JMeterConsole {
    /** JMeter's own figures; null until printed. */
    @Volatile
    var summary: Map<String, Double>? = null
        private set

    /** Whether JMeter has printed the end of its run; its process may continue. */
    @Volatile
    var isOver = false
        private set

    @Volatile
    private var commandPort: Int? = null

    /** True: every line is logged. Called by the reading thread. */
    fun takeLine(line: String): Boolean {
        readSummary(line)?.let { summary = it }
        COMMANDS.find(line)?.let { found -> commandPort = found.groupValues[1].toIntOrNull()?.takeIf { it in 1..HIGHEST_PORT } }
        if (line == "... end of run") isOver = true
        return true
    }

    /** Makes JMeter finish its samples and exit, with its remote engines. */
    fun shutDown() = command("Shutdown")

    /** Makes JMeter abort its samples and exit. */
    fun stopNow() = command("StopTestNow")

    /** Sends a command to the local UDP port that JMeter has printed. */
    private fun command(word: String) {
        val port = commandPort ?: return
        val bytes = word.toByteArray()
        DatagramSocket().use { it.send(DatagramPacket(bytes, bytes.size, InetAddress.getLoopbackAddress(), port)) }
    }
}

private val COMMANDS = Regex("""^Waiting for possible Shutdown/StopTestNow/\S+ message on port (\d+)""")
private const val HIGHEST_PORT = 65_535

/**
 * The figures of JMeter's last line `summary = …`. They are of the whole run, with settling and samples after the window. The rate is `******`
 * for a run without duration, and left out then.
 */
private fun readSummary(line: String): Map<String, Double>? = SUMMARY.find(line)?.groupValues?.drop(1)?.let { figures ->
    FIGURES.zip(figures).mapNotNull { (name, text) -> text.toDoubleOrNull()?.let { name to it } }.toMap()
}

/** The figure that counts the samples. */
internal const val SUMMARISED = "requests"

private val FIGURES = listOf(SUMMARISED, "requests/s", "avg ms", "min ms", "max ms", "errors")
private val SUMMARY =
    Regex("""^summary =\s+(\d+) in\s+\S+ =\s+([\d.*]+)/s Avg:\s+(\d+) Min:\s+(\d+) Max:\s+(\d+) Err:\s+(\d+) """)

/** Ends a run that is late in steps: finish the samples, abort them, kill the process. Times are ms since 1970. */
internal class StopLate(
    private val process: GeneratorProcess,
    private val console: JMeterConsole,
    timeout: Duration,
    private val note: (String) -> Unit,
) {
    private class Step(val after: Duration, val note: String, val action: () -> Unit)

    private val steps = listOf(
        Step(Duration.ZERO, "it is to finish its samples", console::shutDown),
        Step(timeout + PATIENCE, "it is to break its samples off", console::stopNow),
        Step(PATIENCE, "it is killed") {
            foundStopped = process.isStopped
            process.kill()
        },
    )
    private var taken = 0
    private var since = 0L
    private var overSince: Long? = null

    /** Time of the first step; null if the run ended by itself. */
    var stoppedAt: Long? = null
        private set

    /** Whether samples may be missing. */
    val killed: Boolean get() = taken == steps.size

    /** Whether the process was suspended and could not react to a command. */
    var foundStopped = false
        private set

    /** Takes the step that is due [now], if the run should have ended at [due]. */
    fun look(now: Long, due: Long) {
        if (console.isOver) return endLingering(now)
        val next = steps.getOrNull(taken) ?: return
        if (now < if (taken == 0) due else since + next.after.inWholeMilliseconds) return
        taken++
        since = now
        if (stoppedAt == null) stoppedAt = now
        note("JMeter still runs: ${next.note}.")
        next.action()
    }

    /** The results are complete, but a non-daemon thread keeps the process alive. */
    private fun endLingering(now: Long) {
        val since = overSince ?: now.also { overSince = it }
        if (now - since > PATIENCE.inWholeMilliseconds) process.kill()
    }
}

private val PATIENCE = 10.seconds

/** If JMeter still runs, it gets some seconds to stop its remote engines, which would continue without it. */
internal fun endRemotes(process: GeneratorProcess, console: JMeterConsole) {
    if (process.exitCode != null || console.isOver) return
    console.stopNow()
    withoutInterrupts { waitUntil(8.seconds, every = 50.milliseconds) { process.exitCode != null || console.isOver } }
}

/**
 * Problems in a `jmeter.log`: the first [most] lines of level ERROR or, with [warnings], WARN, with their exceptions but without stack
 * traces.
 */
internal fun complaints(log: Path, most: Int, warnings: Boolean = false): List<String> {
    if (!Files.isReadable(log)) return emptyList()
    val lines = mutableListOf<String>()
    var complaining = false
    Files.newInputStream(log).use { input ->
        input.boundedLines().takeWhile { lines.size < most }.forEach { line ->
            if (LEVEL.containsMatchIn(line)) complaining = " ERROR " in line || (warnings && " WARN " in line)
            if (complaining && line.isNotBlank() && !line.startsWith("\t")) lines += line.trim()
        }
    }
    return lines
}

/** `2026-11-21 18:00:00,123 ERROR o.a.j.JMeter: …` */
private val LEVEL = Regex("""^\d{4}-\d\d-\d\d \S+ (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) """)
