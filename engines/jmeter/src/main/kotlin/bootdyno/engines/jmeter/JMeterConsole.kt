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

/** What a JMeter prints about its run, and the commands that it takes meanwhile. */
internal class JMeterConsole {
    /** JMeter's own figures; null until it has printed them. */
    @Volatile
    var summary: Map<String, Double>? = null
        private set

    /** It has printed that its run is over: what keeps it from ending is not its plan. */
    @Volatile
    var isOver = false
        private set

    @Volatile
    private var commandPort: Int? = null

    /** True: every line is logged. Called by the thread that reads what JMeter prints. */
    fun takeLine(line: String): Boolean {
        readSummary(line)?.let { summary = it }
        COMMANDS.find(line)?.let { found -> commandPort = found.groupValues[1].toIntOrNull()?.takeIf { it in 1..HIGHEST_PORT } }
        if (line == "... end of run") isOver = true
        return true
    }

    /** Makes it finish its samples and end; it passes this on to remote engines. */
    fun shutDown() = command("Shutdown")

    /** Makes it break off its samples and end. */
    fun stopNow() = command("StopTestNow")

    /** JMeter takes commands from this machine at a UDP port that it prints. */
    private fun command(word: String) {
        val port = commandPort ?: return
        val bytes = word.toByteArray()
        DatagramSocket().use { it.send(DatagramPacket(bytes, bytes.size, InetAddress.getLoopbackAddress(), port)) }
    }
}

private val COMMANDS = Regex("""^Waiting for possible Shutdown/StopTestNow/\S+ message on port (\d+)""")
private const val HIGHEST_PORT = 65_535

/**
 * The figures of the line `summary = …` that JMeter itself prints at the end. They are about its whole run: settling and what
 * ended after the window are in them. The rate is `******` where the run took no time at all, and left out.
 */
private fun readSummary(line: String): Map<String, Double>? = SUMMARY.find(line)?.groupValues?.drop(1)?.let { figures ->
    FIGURES.zip(figures).mapNotNull { (name, text) -> text.toDoubleOrNull()?.let { name to it } }.toMap()
}

private val FIGURES = listOf("requests", "requests/s", "avg ms", "min ms", "max ms", "errors")
private val SUMMARY =
    Regex("""^summary =\s+(\d+) in\s+\S+ =\s+([\d.*]+)/s Avg:\s+(\d+) Min:\s+(\d+) Max:\s+(\d+) Err:\s+(\d+) """)

/** Ends a run that is late: first it finishes its samples, then it breaks them off, then it is killed. Times are ms since 1970. */
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

    /** When it was first stopped; null where it ended by itself. */
    var stoppedAt: Long? = null
        private set

    /** Whether samples may be missing that it never ended. */
    val killed: Boolean get() = taken == steps.size

    /** Whether it could not react to a command, since it was stopped. */
    var foundStopped = false
        private set

    /** Does what is due [now] for a run that should be over at [due]. */
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

    /** Its results are complete; something in it that is no daemon keeps the process. */
    private fun endLingering(now: Long) {
        val since = overSince ?: now.also { overSince = it }
        if (now - since > PATIENCE.inWholeMilliseconds) process.kill()
    }
}

private val PATIENCE = 10.seconds

/** Remote engines would go on without it: if it still runs, it makes them break off, for which it gets some seconds. */
internal fun endRemotes(process: GeneratorProcess, console: JMeterConsole) {
    if (process.exitCode != null || console.isOver) return
    console.stopNow()
    withoutInterrupts { waitUntil(8.seconds, every = 50.milliseconds) { process.exitCode != null || console.isOver } }
}

/**
 * What a `jmeter.log` complains of: the first [most] lines of level ERROR or, with [warnings], WARN, each with the exceptions
 * below it but not their stacks.
 */
internal fun complaints(log: Path, most: Int, warnings: Boolean = false): List<String> {
    if (!Files.isReadable(log)) return emptyList()
    val found = mutableListOf<String>()
    var complaining = false
    Files.newInputStream(log).use { input ->
        input.boundedLines().takeWhile { found.size < most }.forEach { line ->
            if (LEVEL.containsMatchIn(line)) complaining = " ERROR " in line || (warnings && " WARN " in line)
            if (complaining && line.isNotBlank() && !line.startsWith("\t")) found += line.trim()
        }
    }
    return found
}

/** `2026-11-21 18:00:00,123 ERROR o.a.j.JMeter: …` */
private val LEVEL = Regex("""^\d{4}-\d\d-\d\d \S+ (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) """)
