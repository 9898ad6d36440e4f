package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.system.ChildOutput
import bootdyno.system.Errors
import bootdyno.system.Inherited
import bootdyno.system.ioOrNull
import bootdyno.system.javaCommand
import bootdyno.system.kill
import bootdyno.system.onFailure
import bootdyno.system.pinned
import bootdyno.system.startChild
import bootdyno.system.withoutInterrupts
import kotlinx.serialization.SerializationException
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Our own engine in its own process, which exits when the lab ends or is killed. During a drive it reports every second; after [patience]
 * without a line it is killed. Used by one thread at a time, except [stayAlive]. [who] is the subject of messages.
 */
class ForkedEngine private constructor(
    private val who: String,
    private val process: Process,
    private val errors: ChildOutput,
    private val log: Path,
    private val patience: Duration,
) : LoadEngine {
    override val kind = EngineKind.OWN
    override val pid: Long = process.pid()

    private val toEngine = process.outputStream.bufferedWriter()
    private val lines = LinkedBlockingQueue<EngineReply>()
    private var lastNumber = 0L

    init {
        // Waiting for a queue can be interrupted, reading a pipe cannot.
        thread(isDaemon = true, name = "engine-$pid") {
            try {
                // A shell on another host may print something first.
                process.inputReader().lineSequence().dropWhile { !it.startsWith('{') }
                    .forEach { lines.put(engineJson.decodeFromString(EngineReply.serializer(), it)) }
            } catch (_: IOException) {
                // The pipe broke because the process ended; the queue reports that next.
            } catch (_: SerializationException) {
                // Invalid output: kill the process.
            } finally {
                lines.put(ENDED)
            }
        }
    }

    override fun warmItself(chains: Boolean) {
        carryOut(EngineCommand.Warm(++lastNumber, chains), maxOf(patience, LONGEST_WARM_UP))
    }

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured =
        measured(carryOut(EngineCommand.Drive(++lastNumber, order)) { if (it is EngineReply.Second) onSecond(it.second) })

    /**
     * Drives a part of a load. When its connections are open it calls [ready], which returns when all other parts may start as well, and then
     * starts. A result tells how long the start took at most.
     */
    internal fun driveTogether(order: LoadOrder, ready: () -> Unit, onSecond: (DriveSecond) -> Unit): StartedMeasured {
        val command = EngineCommand.Drive(++lastNumber, order, together = true)
        var told = 0L
        var started = 0L
        val end = carryOut(command) {
            when (it) {
                is EngineReply.Ready -> {
                    ready()
                    told = System.nanoTime()
                    say(EngineCommand.Go(command.number))
                }

                is EngineReply.Started -> {
                    started = System.nanoTime()
                }

                is EngineReply.Second -> onSecond(DriveSecond(it.second, it.responses?.toHistogram() ?: nanoHistogram()))

                is EngineReply.Done, is EngineReply.LoggingIn, is EngineReply.Measured, is EngineReply.Failed -> Unit
            }
        }
        return StartedMeasured(measured(end), startedWithinNanos = started - told)
    }

    /** Gives the content of the data file [path] to an engine on another machine. */
    internal fun giveRows(path: String, csv: String) {
        carryOut(EngineCommand.Rows(++lastNumber, path, csv))
    }

    /** Tells an engine on another machine that the lab lives; from any thread. */
    internal fun stayAlive() = say(EngineCommand.Alive(number = 0))

    /** Ends the process: closes its stdin, and kills it after two seconds. */
    override fun close() {
        // Already ended.
        ioOrNull { toEngine.close() }
        withoutInterrupts { if (!process.waitFor(2, TimeUnit.SECONDS)) process.kill() }
        errors.close()
    }

    private fun measured(end: EngineReply): LoadMeasured =
        (end as? EngineReply.Measured)?.toMeasured() ?: throw EngineFailed("$who answered a drive with $end")

    /** Sends [command], and waits for the line that ends it; earlier ones go to [onLine]. An interrupt stops it. */
    private fun carryOut(command: EngineCommand, silence: Duration = patience, onLine: (EngineReply) -> Unit = {}): EngineReply {
        try {
            say(command)
            return awaitEnd(command.number, silence, onLine)
        } catch (interrupted: InterruptedException) {
            try {
                say(EngineCommand.Stop(command.number))
            } catch (_: EngineFailed) {
                // Already stopped.
            }
            throw interrupted
        }
    }

    private fun say(line: EngineCommand) = say(engineJson.encodeToString(EngineCommand.serializer(), line))

    /** Writing to a stopped process would block. */
    private fun say(line: String) {
        val writing = CompletableFuture.runAsync({
            synchronized(toEngine) {
                toEngine.write(line)
                toEngine.newLine()
                toEngine.flush()
            }
        }) { thread(isDaemon = true, name = "to-engine-$pid", block = it::run) }
        try {
            writing.get(patience.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        } catch (_: TimeoutException) {
            throw silent(patience)
        } catch (_: ExecutionException) {
            throw died()
        }
    }

    /** The line that ends command [number]; those of earlier, stopped commands are skipped. */
    private fun awaitEnd(number: Long, silence: Duration, onLine: (EngineReply) -> Unit): EngineReply {
        while (true) {
            val line = next(silence)
            if (line.number != number) continue
            when (line) {
                is EngineReply.Second, is EngineReply.LoggingIn, is EngineReply.Ready, is EngineReply.Started -> onLine(line)
                is EngineReply.Failed if line.isOfSubject -> throw EngineFailed(line.reason)
                is EngineReply.Failed -> throw EngineFailed("$who failed: ${line.reason} (see $log)")
                is EngineReply.Done, is EngineReply.Measured -> return line
            }
        }
    }

    private fun next(within: Duration): EngineReply {
        val line = lines.poll(within.inWholeMilliseconds, TimeUnit.MILLISECONDS) ?: throw silent(within)
        if (line !== ENDED) return line
        lines.put(ENDED)
        throw died()
    }

    private fun silent(within: Duration): EngineFailed {
        kill()
        return EngineFailed("$who said nothing for $within and was killed (see $log)")
    }

    private fun died(): EngineFailed {
        val ended = process.waitFor(1, TimeUnit.SECONDS)
        if (!ended) kill()
        val how = if (ended) "exit code ${process.exitValue()}" else "it spoke no longer as it should, and was killed"
        if (ended) errors.awaitEnd()
        return EngineFailed("$who ended ($how): ${errors.lastLines(LAST_LINES).joinToString(" | ")}")
    }

    /** A process stopped by SIGSTOP cannot exit, but it can be killed. */
    private fun kill() {
        process.kill()
        process.waitFor(LONGEST_KILL_SECONDS, TimeUnit.SECONDS)
    }

    companion object {
        private const val LAST_LINES = 5

        /** Marks the end of all lines. */
        private val ENDED = EngineReply.Done(number = -1)

        /** Without output during its own warm-up, which takes about 15 s of one CPU. */
        private val LONGEST_WARM_UP = 120.seconds
        private val LONGEST_START = 30.seconds
        private const val LONGEST_KILL_SECONDS = 5L

        /**
         * Starts an engine on [cpus] (all if empty, or without `taskset`); its stderr goes to [log]. Not [optimised]: only the first compiler
         * of its JVM runs, so its figures do not count. [transport] is a [Transport.word], or null for the default. [inNetwork] changes the command, to run it behind
         * a network.
         * @throws EngineFailed when it does not come up within 30 s.
         */
        fun start(
            cpus: List<Int>,
            log: Path,
            patience: Duration = 30.seconds,
            optimised: Boolean = true,
            transport: String? = null,
            inNetwork: (List<String>) -> List<String> = { it },
        ): ForkedEngine {
            val flags = engineFlags(transport) + listOf("-XX:TieredStopAtLevel=1").filterNot { optimised }
            val command = pinned(inNetwork(javaCommand(flags, ENGINE_MAIN)), cpus)
            val process = startChild(command, errors = Errors.APART, fed = true)
            return awaitStart("the load engine dyno", process, log, patience, script = null)
        }

        /**
         * Starts an engine by [words], a shell on another host that reads its commands from stdin, and whose last command, [script], becomes the
         * engine. [who] names it in messages.
         * @throws EngineFailed when it does not come up within 30 s.
         */
        internal fun startIn(words: List<String>, script: String, who: String, log: Path, patience: Duration): ForkedEngine {
            val process = startChild(words, inherits = Inherited.REMOTE, errors = Errors.APART, fed = true)
            return awaitStart(who, process, log, patience, script)
        }

        private fun awaitStart(who: String, process: Process, log: Path, patience: Duration, script: String?): ForkedEngine {
            val engine = ForkedEngine(who, process, ChildOutput.start(log, process.errorStream), log, patience)
            onFailure({ engine.close() }) {
                script?.let(engine::say)
                engine.next(LONGEST_START)
            }
            return engine
        }
    }
}

/** A measured part of a load, and how long its start took at most, in nanoseconds. */
internal class StartedMeasured(val measured: LoadMeasured, val startedWithinNanos: Long)

/** Flags of the engine's JVM; [transport] is a [Transport.word], or null for the default. */
internal fun engineFlags(transport: String?): List<String> =
    ENGINE_FLAGS + listOfNotNull(transport?.let { "-D${Transport.PROPERTY}=$it" })

/** The main class of the engine's process. */
internal val ENGINE_MAIN = "${LoadEngine::class.java.packageName}.netty.EngineMainKt"

/** A small young generation with short collections, and Netty without its checks; our parser checks its input. */
private val ENGINE_FLAGS = listOf("-Xms128m", "-Xmx384m", "-Xmn64m", "-XX:+UseSerialGC", "-XX:-UsePerfData") +
    listOf("-XX:+ExitOnOutOfMemoryError", "-Dio.netty.allocator.type=pooled", "-Dio.netty.leakDetection.level=disabled") +
    listOf("-Dio.netty.buffer.checkBounds=false", "-Dio.netty.buffer.checkAccessible=false")
