package bootdyno.engine.netty

import bootdyno.engine.DataRows
import bootdyno.engine.EngineCommand
import bootdyno.engine.EngineReply
import bootdyno.engine.LoadOrder
import bootdyno.engine.Transport
import bootdyno.engine.TruthServer
import bootdyno.engine.engineJson
import bootdyno.engine.of
import bootdyno.engine.okAnswer
import bootdyno.engine.toLine
import bootdyno.engine.toText
import bootdyno.model.DataTable
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import com.sun.management.GarbageCollectionNotificationInfo
import io.netty.channel.EventLoopGroup
import java.io.PipedInputStream
import java.io.PipedOutputStream
import java.io.PrintStream
import java.lang.management.ManagementFactory
import java.util.Locale
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicReference
import javax.management.NotificationEmitter
import javax.management.NotificationListener
import javax.management.openmbean.CompositeData
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * The engine's process: reads [EngineCommand] lines from stdin, and writes [EngineReply] lines to stdout and everything else to stderr.
 *
 * It exits when stdin closes, so that it cannot outlive the lab. The only argument, optional, is a number of seconds after which it exits when
 * it read no line: a broken network may leave its stdin open.
 */
fun main(arguments: Array<String>) {
    val out = System.out
    System.setOut(System.err)
    val log = { line: String -> System.err.println(line) }
    logLongPauses(log)
    val engine = EngineLoop(out, log)
    val silence = arguments.firstOrNull()?.let { Silence(it.toLong().seconds) }
    thread(isDaemon = true, name = "commands") {
        generateSequence { readlnOrNull() }.onEach { silence?.heard() }.filter { it.isNotBlank() }.forEach(engine::take)
        Runtime.getRuntime().halt(0)
    }
    engine.run()
}

/** Ends this process after [longest] without a call of [heard]. */
private class Silence(private val longest: Duration) {
    @Volatile
    private var last = TimeSource.Monotonic.markNow()

    init {
        thread(isDaemon = true, name = "silence") {
            while (last.elapsedNow() < longest) Thread.sleep((longest / 10).inWholeMilliseconds)
            System.err.println("The lab said nothing for $longest: the load engine ends.")
            Runtime.getRuntime().halt(SILENT)
        }
    }

    fun heard() {
        last = TimeSource.Monotonic.markNow()
    }
}

private const val SILENT = 3

/** Executes commands one after the other on the main thread; those to stop come from another thread. */
private class EngineLoop(private val out: PrintStream, private val log: (String) -> Unit) {
    private val loops = Transport.best.loops(Runtime.getRuntime().availableProcessors(), "load")
    private val waiting = LinkedBlockingQueue<EngineCommand>()
    private val underWay = AtomicReference<Drive>()
    private val rows = DataRows()
    private var sessions: LoginSessions? = null

    /** Highest number of a stopped command. */
    @Volatile
    private var stoppedUpTo = -1L

    fun take(line: String) {
        when (val command = engineJson.decodeFromString(EngineCommand.serializer(), line)) {
            is EngineCommand.Drive, is EngineCommand.Warm, is EngineCommand.Rows -> waiting.put(command)

            is EngineCommand.Stop -> {
                stoppedUpTo = command.number
                underWay.get()?.stop()
            }

            is EngineCommand.Go -> {
                underWay.get()?.go()
                say(EngineReply.Started(command.number))
            }

            is EngineCommand.Alive -> Unit
        }
    }

    fun run() {
        say(EngineReply.Done(number = 0))
        while (true) {
            val command = waiting.take()
            val end = try {
                carryOut(command)
            } catch (_: DriveStopped) {
                EngineReply.Done(command.number)
            } catch (failed: LoginFailed) {
                EngineReply.Failed(command.number, failed.message.orEmpty(), isOfSubject = true)
            } catch (failure: Exception) {
                log(failure.stackTraceToString())
                EngineReply.Failed(command.number, failure.message ?: failure.javaClass.name)
            } finally {
                underWay.set(null)
            }
            say(end)
        }
    }

    private fun carryOut(command: EngineCommand): EngineReply {
        when (command) {
            is EngineCommand.Drive -> return drive(command)
            is EngineCommand.Warm -> EngineWarmUp(loops) { startable(it, command) }.run(command.chains)
            is EngineCommand.Rows -> rows.give(command.path, command.csv)
            is EngineCommand.Stop, is EngineCommand.Go, is EngineCommand.Alive -> error("$command does not wait")
        }
        return EngineReply.Done(command.number)
    }

    private fun drive(command: EngineCommand.Drive): EngineReply {
        // Read before the drive, because its clock starts then.
        val table = rows.of(command.order)
        val users = sessions?.takeIf { it.serve(command.order) } ?: LoginSessions(command.order, table).also { sessions = it }
        val ready = { say(EngineReply.Ready(command.number)) }
        val signals = DriveSignals({ say(EngineReply.LoggingIn(command.number)) }, ready.takeIf { command.together })
        val drive = Drive(command.order, loops, table, users, signals) {
            say(EngineReply.Second(command.number, it.second, it.responses.takeIf { command.together }?.toText()))
        }
        startable(drive, command)
        return drive.run().toLine(command.number)
    }

    /** Registers [drive] for stop commands; an earlier stop command counts too. */
    private fun startable(drive: Drive, command: EngineCommand) {
        underWay.set(drive)
        if (command.number <= stoppedUpTo) drive.stop()
    }

    /** From several threads. */
    @Synchronized
    private fun say(line: EngineReply) {
        out.println(engineJson.encodeToString(EngineReply.serializer(), line))
        out.flush()
    }
}

/** One second of load in this process: loads the classes of an engine process for the launcher's ahead-of-time cache. */
fun trainEngine() {
    val output = PipedInputStream()
    val engine = EngineLoop(PrintStream(PipedOutputStream(output))) {}
    thread(isDaemon = true, name = "training") { engine.run() }
    TruthServer.start { it.answer(HELLO) }.use { server ->
        val drive = EngineCommand.Drive(1, warmUpOrder(server, LoadProfile.Closed(4)))
        engine.take(engineJson.encodeToString(EngineCommand.serializer(), drive))
        output.bufferedReader().lineSequence().map { engineJson.decodeFromString(EngineReply.serializer(), it) }
            .first { it.number == 1L && it !is EngineReply.Second }
    }
}

/** Logs every garbage collection with a pause above 5 ms, because latencies include it. */
private fun logLongPauses(log: (String) -> Unit) {
    ManagementFactory.getGarbageCollectorMXBeans().filterIsInstance<NotificationEmitter>().forEach { collector ->
        val listener = NotificationListener { notification, _ ->
            val content = notification.userData as? CompositeData
            if (content != null && notification.type == GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION) {
                val collection = GarbageCollectionNotificationInfo.from(content)
                val millis = collection.gcInfo.duration
                if (millis > LONG_PAUSE_MILLIS) log("GC pause of %d ms (%s)".format(Locale.ROOT, millis, collection.gcCause))
            }
        }
        collector.addNotificationListener(listener, null, null)
    }
}

private const val LONG_PAUSE_MILLIS = 5

/**
 * Warms up the engine on a server inside its own process. Closed load runs until the JIT compiler is nearly idle, then open load until the
 * lag is small. A cold engine reported a p99 of 573 ms instead of 5 ms.
 */
internal class EngineWarmUp(private val loops: EventLoopGroup, private val onDrive: (Drive) -> Unit) {
    fun run(chains: Boolean) {
        TruthServer.start { it.answer(HELLO) }.use { server ->
            untilCompilerIsIdle(MOST_CLOSED) { drive(server, LoadProfile.Closed(100)) }
            untilCompilerIsIdle(MOST_OPEN) { drive(server, LoadProfile.Open(5_000.0)) }
            // Also compile the code that opens and closes connections.
            drive(server, LoadProfile.Burst(200, 5))
        }
        if (chains) {
            TruthServer.start { it.answer(PERSON) }.use { server -> untilCompilerIsIdle(MOST_CHAINS) { driveChain(server) } }
        }
    }

    /** Repeats [slice] until the JIT compiler is nearly idle during one. */
    private fun untilCompilerIsIdle(most: Int, slice: () -> Unit) {
        repeat(most) {
            val before = compilationMillis()
            slice()
            if (compilationMillis() - before < CALM_MILLIS) return
        }
    }

    private fun drive(server: TruthServer, load: LoadProfile) {
        Drive(warmUpOrder(server, load), loops) {}.also(onDrive).run()
    }

    /** Also compiles the code that builds requests and captures values. */
    private fun driveChain(server: TruthServer) {
        val json = mapOf("Content-Type" to "application/json")
        val steps = listOf(
            Step("create", "POST", "/person", json, """{ "name": "{name}" }""", Expectation(), mapOf("id" to "$.id")),
            Step("read", "GET", "/person/{id}"),
        )
        val order = warmUpOrder(server, LoadProfile.Closed(100)).copy(steps = steps)
        val names = DataTable(listOf("name"), listOf(listOf("Jörg"), listOf("Ann \"A\" Lee")))
        Drive(order, loops, names) {}.also(onDrive).run()
    }

    private fun compilationMillis(): Long = ManagementFactory.getCompilationMXBean()?.totalCompilationTime ?: 0
}

private fun warmUpOrder(server: TruthServer, load: LoadProfile) = LoadOrder(
    host = "127.0.0.1",
    port = server.port,
    steps = listOf(Step("warm", path = "/warm", headers = mapOf("Accept" to "*/*"), expect = Expectation(body = "hello"))),
    load = load,
    window = 1.seconds,
    timeout = 5.seconds,
    drain = 1.seconds,
)

private val HELLO = okAnswer("hello")
private val PERSON = okAnswer("""{ "id": 7, "name": "Jörg" }""")
private const val MOST_CLOSED = 8
private const val MOST_OPEN = 4
private const val MOST_CHAINS = 3
private const val CALM_MILLIS = 60L
