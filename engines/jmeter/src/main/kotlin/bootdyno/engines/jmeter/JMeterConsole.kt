package bootdyno.engines.jmeter

import java.net.DatagramPacket
import java.net.DatagramSocket
import java.net.InetAddress

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

    private companion object {
        val COMMANDS = Regex("""^Waiting for possible Shutdown/StopTestNow/\S+ message on port (\d+)""")
        const val HIGHEST_PORT = 65_535
    }
}

/**
 * The figures of the line `summary = …` that JMeter itself prints at the end. They are about its whole run: settling and what
 * ended after the window are in them.
 */
private fun readSummary(line: String): Map<String, Double>? =
    SUMMARY.find(line)?.destructured?.let { (requests, rate, avg, min, max, errors) ->
        buildMap {
            put("requests", requests.toDouble())
            rate.toDoubleOrNull()?.let { put("requests/s", it) }
            put("avg ms", avg.toDouble())
            put("min ms", min.toDouble())
            put("max ms", max.toDouble())
            put("errors", errors.toDouble())
        }
    }

/** The rate is `******` where the run took no time at all. */
private val SUMMARY =
    Regex("""^summary =\s+(\d+) in\s+\S+ =\s+([\d.*]+)/s Avg:\s+(\d+) Min:\s+(\d+) Max:\s+(\d+) Err:\s+(\d+) """)
