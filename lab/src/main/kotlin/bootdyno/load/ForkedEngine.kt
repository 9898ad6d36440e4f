package bootdyno.load

import bootdyno.model.OWN_ENGINE
import java.io.File
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.seconds

/** Our own engine in a process of its own, which ends with the lab even if the lab is killed. One thread uses it at a time. */
class ForkedEngine private constructor(private val process: Process, private val log: Path) : LoadEngine {
    override val name = OWN_ENGINE
    override val capabilities = Capabilities(closed = true, open = true, burst = true, resolution = 1.microseconds)
    override val pid: Long = process.pid()

    private val toEngine = process.outputStream.bufferedWriter()
    private val lines = LinkedBlockingQueue<Said>()
    private var lastNumber = 0L

    init {
        // Reading a pipe cannot be interrupted; waiting for a queue can.
        thread(isDaemon = true, name = "engine-$pid") {
            try {
                process.inputReader().forEachLine {
                    lines.put(Said.Line(engineJson.decodeFromString(FromEngine.serializer(), it)))
                }
            } catch (_: IOException) {
                // The pipe broke with the process; that it ended is what the queue says next.
            } finally {
                lines.put(Said.Ended)
            }
        }
    }

    override fun warmItself() {
        val number = ++lastNumber
        say(ToEngine.Warm(number))
        stoppingOnInterrupt(number) { awaitEnd(number) {} }
    }

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val number = ++lastNumber
        say(ToEngine.Drive(number, order))
        val end = stoppingOnInterrupt(number) { awaitEnd(number, onSecond) }
        return (end as? FromEngine.Measured)?.toMeasured() ?: throw EngineFailed("the load engine answered a drive with $end")
    }

    override fun cpuSeconds(): Double? = process.info().totalCpuDuration().map { it.toNanos() / 1e9 }.orElse(null)

    /** Ends the process: by the end of its stdin, and by force if that does not help within two seconds. */
    override fun close() {
        try {
            toEngine.close()
        } catch (_: IOException) {
            // It is gone already.
        }
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) process.destroyForcibly()
        } catch (interrupted: InterruptedException) {
            process.destroyForcibly()
            Thread.currentThread().interrupt()
        }
    }

    private fun say(line: ToEngine) {
        try {
            toEngine.write(engineJson.encodeToString(ToEngine.serializer(), line))
            toEngine.newLine()
            toEngine.flush()
        } catch (_: IOException) {
            throw died()
        }
    }

    /** The line that ends order [number]; lines of earlier, stopped orders are passed over. */
    private fun awaitEnd(number: Long, onSecond: (LoadSecond) -> Unit): FromEngine {
        while (true) {
            val line = next(null)
            if (line.number != number) continue
            when (line) {
                is FromEngine.Second -> onSecond(line.second)
                is FromEngine.Failed -> throw EngineFailed("the load engine failed: ${line.reason} (see $log)")
                is FromEngine.Ready, is FromEngine.Warmed, is FromEngine.Measured, is FromEngine.Stopped -> return line
            }
        }
    }

    private fun next(within: Duration?): FromEngine {
        val said = if (within == null) lines.take() else lines.poll(within.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        return when (said) {
            is Said.Line -> said.line

            Said.Ended -> {
                lines.put(Said.Ended)
                throw died()
            }

            null -> throw EngineFailed("the load engine said nothing for $within (see $log)")
        }
    }

    private fun <T> stoppingOnInterrupt(number: Long, wait: () -> T): T = try {
        wait()
    } catch (interrupted: InterruptedException) {
        say(ToEngine.Stop(number))
        throw interrupted
    }

    private fun died(): EngineFailed {
        process.waitFor(1, TimeUnit.SECONDS)
        val code = if (process.isAlive) "still running" else "exit code ${process.exitValue()}"
        return EngineFailed(
            "the load engine's process ended ($code): ${lastForeignLines(log, LAST_LINES).joinToString(" | ").ifEmpty {
                "no log"
            }}",
        )
    }

    private sealed interface Said {
        data class Line(val line: FromEngine) : Said

        data object Ended : Said
    }

    companion object {
        /**
         * Starts an engine that may run on [cpus] only (all, when empty or where `taskset` is missing); its stderr goes to [log].
         * @throws EngineFailed when it does not come up within 30 s.
         */
        fun start(cpus: List<Int>, log: Path): ForkedEngine {
            val command = pinned(cpus, javaCommand(ENGINE_FLAGS, "bootdyno.load.EngineMainKt"))
            val process = ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start()
            val engine = ForkedEngine(process, log)
            try {
                engine.next(30.seconds)
            } catch (failure: Throwable) {
                engine.close()
                throw failure
            }
            return engine
        }
    }
}

/** A small young heap that is never collected for long, and Netty without its checks; our parser checks what it reads itself. */
private val ENGINE_FLAGS = listOf(
    "-Xms128m",
    "-Xmx384m",
    "-Xmn64m",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.leakDetection.level=disabled",
    "-Dio.netty.buffer.checkBounds=false",
    "-Dio.netty.buffer.checkAccessible=false",
)

/** Runs [main] on our own JDK and class path, in a JVM of its own. */
internal fun javaCommand(flags: List<String>, main: String, arguments: List<String> = emptyList()): List<String> = buildList {
    add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
    addAll(flags)
    add("--enable-native-access=ALL-UNNAMED")
    add("-cp")
    add(System.getProperty("java.class.path"))
    add(main)
    addAll(arguments)
}

internal fun pinned(cpus: List<Int>, command: List<String>): List<String> =
    if (cpus.isEmpty() || onPath("taskset") == null) command else listOf("taskset", "-c", cpus.joinToString(",")) + command

internal fun onPath(program: String): Path? = System.getenv("PATH").orEmpty().split(File.pathSeparator)
    .map { Path.of(it, program) }.find { Files.isExecutable(it) }

private const val LAST_LINES = 5
