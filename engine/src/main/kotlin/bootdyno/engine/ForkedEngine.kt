package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.system.ChildOutput
import bootdyno.system.Errors
import bootdyno.system.cpuSecondsOf
import bootdyno.system.javaCommand
import bootdyno.system.kill
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
 * without a line it is killed. Used by one thread at a time.
 */
class ForkedEngine private constructor(
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
                process.inputReader().forEachLine { lines.put(engineJson.decodeFromString(EngineReply.serializer(), it)) }
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
        carryOut(maxOf(patience, LONGEST_WARM_UP), { EngineCommand.Warm(it, chains) }) {}
    }

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val end = carryOut(patience, { EngineCommand.Drive(it, order) }, onSecond)
        return (end as? EngineReply.Measured)?.toMeasured() ?: throw EngineFailed("the load engine answered a drive with $end")
    }

    /** Ends the process: closes its stdin, and kills it after two seconds. */
    override fun close() {
        try {
            toEngine.close()
        } catch (_: IOException) {
            // Already ended.
        }
        withoutInterrupts { if (!process.waitFor(2, TimeUnit.SECONDS)) process.kill() }
        errors.close()
    }

    /** Sends [command], and waits for the line that ends it. An interrupt stops the order. */
    private fun carryOut(silence: Duration, command: (Long) -> EngineCommand, onSecond: (LoadSecond) -> Unit): EngineReply {
        val number = ++lastNumber
        try {
            say(command(number))
            return awaitEnd(number, silence, onSecond)
        } catch (interrupted: InterruptedException) {
            try {
                say(EngineCommand.Stop(number))
            } catch (_: EngineFailed) {
                // Already stopped.
            }
            throw interrupted
        }
    }

    /** Writing to a stopped process would block. */
    private fun say(line: EngineCommand) {
        val writing = CompletableFuture.runAsync({
            toEngine.write(engineJson.encodeToString(EngineCommand.serializer(), line))
            toEngine.newLine()
            toEngine.flush()
        }) { thread(isDaemon = true, name = "to-engine-$pid", block = it::run) }
        try {
            writing.get(patience.inWholeMilliseconds, TimeUnit.MILLISECONDS)
        } catch (_: TimeoutException) {
            throw silent(patience)
        } catch (_: ExecutionException) {
            throw died()
        }
    }

    /** The line that ends order [number]; lines of earlier, stopped orders are skipped. */
    private fun awaitEnd(number: Long, silence: Duration, onSecond: (LoadSecond) -> Unit): EngineReply {
        while (true) {
            val line = next(silence)
            if (line.number != number) continue
            when (line) {
                is EngineReply.Second -> onSecond(line.second)
                is EngineReply.LoggingIn -> Unit
                is EngineReply.Failed if line.isOfSubject -> throw EngineFailed(line.reason)
                is EngineReply.Failed -> throw EngineFailed("the load engine failed: ${line.reason} (see $log)")
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
        return EngineFailed("the load engine dyno said nothing for $within and was killed (see $log)")
    }

    private fun died(): EngineFailed {
        val ended = process.waitFor(1, TimeUnit.SECONDS)
        if (!ended) kill()
        val how = if (ended) "exit code ${process.exitValue()}" else "it spoke no longer as it should, and was killed"
        return EngineFailed("the load engine's process ended ($how): ${errors.lastLines(LAST_LINES).joinToString(" | ")}")
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
         * of its JVM runs, so its figures do not count.
         * @throws EngineFailed when it does not come up within 30 s.
         */
        fun start(cpus: List<Int>, log: Path, patience: Duration = 30.seconds, optimised: Boolean = true): ForkedEngine {
            val flags = ENGINE_FLAGS + listOf("-XX:TieredStopAtLevel=1").filterNot { optimised }
            val command = pinned(javaCommand(flags, "bootdyno.engine.EngineMainKt"), cpus)
            val process = startChild(command, errors = Errors.APART, fed = true)
            val engine = ForkedEngine(process, ChildOutput.start(log, process.errorStream), log, patience)
            try {
                engine.next(LONGEST_START)
            } catch (failure: Throwable) {
                engine.close()
                throw failure
            }
            return engine
        }
    }
}

/** A small young generation with short collections, and Netty without its checks; our parser checks its input. */
private val ENGINE_FLAGS = listOf("-Xms128m", "-Xmx384m", "-Xmn64m", "-XX:+UseSerialGC", "-XX:-UsePerfData") +
    listOf("-XX:+ExitOnOutOfMemoryError", "-Dio.netty.allocator.type=pooled", "-Dio.netty.leakDetection.level=disabled") +
    listOf("-Dio.netty.buffer.checkBounds=false", "-Dio.netty.buffer.checkAccessible=false")
