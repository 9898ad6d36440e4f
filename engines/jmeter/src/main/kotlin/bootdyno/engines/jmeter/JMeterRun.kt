package bootdyno.engines.jmeter

import bootdyno.system.BoundedLog
import bootdyno.system.boundedLines
import bootdyno.system.kill
import bootdyno.system.startChild
import java.io.IOException
import java.net.DatagramPacket
import java.net.DatagramSocket
import java.net.InetAddress
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedDeque
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread
import kotlin.time.Duration

/** One process of JMeter. What it prints goes to a log; the last lines are kept. */
internal class JMeterRun private constructor(private val process: Process, private val log: Path) : AutoCloseable {
    val pid: Long get() = process.pid()
    val exitCode: Int? get() = if (process.isAlive) null else process.exitValue()
    private val lastLines = ConcurrentLinkedDeque<String>()
    private val dyingLab = Thread { kill() }

    /** JMeter's own figures; null until it has printed them. */
    @Volatile
    var summary: Map<String, Double>? = null
        private set

    /** It has said that its run is over: what keeps it from ending is not its plan. */
    @Volatile
    var isOver = false
        private set

    @Volatile
    private var commandPort: Int? = null

    private val listener = thread(isDaemon = true, name = "jmeter-$pid") {
        try {
            BoundedLog.open(log).use { log ->
                process.inputStream.boundedLines().forEach { line ->
                    hear(line)
                    log.write("$line\n".toByteArray())
                }
            }
        } catch (_: IOException) {
            // The pipe broke with the process.
        }
    }

    /** Whether it was stopped, as by SIGSTOP: whatever it did not do then is not the subject's doing. */
    val isStopped: Boolean
        get() = try {
            Files.readString(Path.of("/proc/$pid/stat")).substringAfterLast(") ").startsWith("T")
        } catch (_: IOException) {
            false
        }

    /** Whether it ends within [time]. */
    fun endsWithin(time: Duration): Boolean = process.waitFor(time.inWholeMilliseconds, TimeUnit.MILLISECONDS)

    /** What it printed last; complete once it has ended. */
    fun lastLines(): List<String> {
        if (!process.isAlive) listener.join(LISTENING_MILLIS)
        return lastLines.toList()
    }

    /** CPU seconds of the process and those it started that still live. */
    fun cpuSeconds(): Double? {
        val own = seconds(process.toHandle()) ?: return null
        return own + process.descendants().mapToDouble { seconds(it) ?: 0.0 }.sum()
    }

    /** Tells it to finish its samples and end; remote engines are told by it. */
    fun shutDown() = command("Shutdown")

    /** Tells it to break off its samples and end. */
    fun stopNow() = command("StopTestNow")

    /**
     * Remote engines would go on without it: if it is still at work, it tells them to break off, for which it gets some
     * seconds.
     */
    fun endRemotes() {
        if (!process.isAlive || isOver) return
        stopNow()
        val interrupted = Thread.interrupted()
        val deadline = System.nanoTime() + LONGEST_REMOTE_STOP_NANOS
        while (process.isAlive && !isOver && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS)
        }
        if (interrupted) Thread.currentThread().interrupt()
    }

    /** Ends it and what it started at once, and waits until it is gone. */
    fun kill() {
        process.descendants().forEach { it.destroyForcibly() }
        process.kill()
        val interrupted = Thread.interrupted()
        try {
            process.waitFor(LONGEST_KILL_SECONDS, TimeUnit.SECONDS)
        } catch (_: InterruptedException) {
            Thread.currentThread().interrupt()
        } finally {
            if (interrupted) Thread.currentThread().interrupt()
        }
    }

    override fun close() {
        // A plugin may have something to do at the end.
        if (isOver) process.destroy()
        kill()
        try {
            Runtime.getRuntime().removeShutdownHook(dyingLab)
        } catch (_: IllegalStateException) {
            // The lab is ending, and the hook is at work.
        }
    }

    /** JMeter takes commands from this machine at a UDP port that it prints. */
    private fun command(word: String) {
        val port = commandPort ?: return
        val bytes = word.toByteArray()
        DatagramSocket().use { it.send(DatagramPacket(bytes, bytes.size, InetAddress.getLoopbackAddress(), port)) }
    }

    private fun hear(line: String) {
        lastLines += line
        if (lastLines.size > MOST_LINES) lastLines.removeFirst()
        readSummary(line)?.let { summary = it }
        COMMANDS.find(line)?.let { found -> commandPort = found.groupValues[1].toIntOrNull()?.takeIf { it in 1..HIGHEST_PORT } }
        if (line == "... end of run") isOver = true
    }

    private fun seconds(process: ProcessHandle): Double? =
        process.info().totalCpuDuration().map { it.toNanos() / 1e9 }.orElse(null)

    companion object {
        /** Starts [command] in [folder]; what it prints goes to [log]. It ends with this JVM. */
        fun start(command: List<String>, folder: Path, log: Path): JMeterRun {
            val process = startChild(command, folder = folder)
            return JMeterRun(process, log).also { Runtime.getRuntime().addShutdownHook(it.dyingLab) }
        }

        private val COMMANDS = Regex("""^Waiting for possible Shutdown/StopTestNow/\S+ message on port (\d+)""")
        private const val HIGHEST_PORT = 65_535
        private const val MOST_LINES = 20
        private const val LONGEST_KILL_SECONDS = 10L
        private const val LONGEST_REMOTE_STOP_NANOS = 8_000_000_000L
        private const val LOOK_NANOS = 50_000_000L
        private const val LISTENING_MILLIS = 2_000L
    }
}
