package bootdyno.engine

import bootdyno.model.DataTable
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import com.sun.management.GarbageCollectionNotificationInfo
import io.netty.channel.EventLoopGroup
import java.io.PrintStream
import java.lang.management.ManagementFactory
import java.util.Locale
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicReference
import javax.management.NotificationEmitter
import javax.management.NotificationListener
import javax.management.openmbean.CompositeData
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds

/**
 * The engine's own process: takes [EngineCommand] lines on stdin, says [EngineReply] lines on stdout, everything else goes to stderr.
 *
 * It ends when its stdin does, whatever it is doing: an engine must not outlive the lab that started it, however that died.
 */
fun main() {
    val out = System.out
    System.setOut(System.err)
    val log = { line: String -> System.err.println(line) }
    logLongPauses(log)
    val engine = EngineLoop(out, log)
    thread(isDaemon = true, name = "orders") {
        generateSequence { readlnOrNull() }.filter { it.isNotBlank() }
            .forEach { engine.take(engineJson.decodeFromString(EngineCommand.serializer(), it)) }
        Runtime.getRuntime().halt(0)
    }
    engine.run()
}

/** Carries out one order after the other on the main thread; a stop comes in from the side. */
private class EngineLoop(private val out: PrintStream, private val log: (String) -> Unit) {
    private val loops = Transport.best.loops(Runtime.getRuntime().availableProcessors(), "load")
    private val orders = LinkedBlockingQueue<EngineCommand>()
    private val underWay = AtomicReference<Drive>()
    private val rows = DataRows()

    /** The highest number of an order that has been told to stop. */
    @Volatile
    private var stoppedUpTo = -1L

    fun take(order: EngineCommand) {
        if (order !is EngineCommand.Stop) return orders.put(order)
        stoppedUpTo = order.number
        underWay.get()?.stop()
    }

    fun run() {
        say(EngineReply.Done(number = 0))
        while (true) {
            val order = orders.take()
            val end = try {
                carryOut(order)
            } catch (_: DriveStopped) {
                EngineReply.Done(order.number)
            } catch (failure: Exception) {
                log(failure.stackTraceToString())
                EngineReply.Failed(order.number, failure.message ?: failure.javaClass.name)
            } finally {
                underWay.set(null)
            }
            say(end)
        }
    }

    private fun carryOut(order: EngineCommand): EngineReply = when (order) {
        is EngineCommand.Warm -> EngineWarmUp(loops) { startable(it, order) }.run().let { EngineReply.Done(order.number) }
        is EngineCommand.Drive -> drive(order)
        is EngineCommand.Stop -> error("a stop does not wait in the queue")
    }

    private fun drive(order: EngineCommand.Drive): EngineReply {
        // Made before the drive, whose clock starts with it.
        val chain = Chain(order.order, rows.of(order.order))
        val drive = Drive(order.order, loops, chain) { say(EngineReply.Second(order.number, it)) }
        startable(drive, order)
        return drive.run().toLine(order.number)
    }

    /** Makes [drive] the one a stop ends; a stop that came before it was there counts too. */
    private fun startable(drive: Drive, order: EngineCommand) {
        underWay.set(drive)
        if (order.number <= stoppedUpTo) drive.stop()
    }

    private fun say(line: EngineReply) {
        out.println(engineJson.encodeToString(EngineReply.serializer(), line))
        out.flush()
    }
}

/** Tells [log] of every garbage collection that stopped this JVM for more than 5 ms: such a pause is in the latencies it stamps. */
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
 * Warms the engine against a server inside its own process: closed load until this JVM compiles next to nothing, then open load until its
 * lag is small. Cold, an engine of this kind stamped a p99 of 573 ms where 5 ms was true.
 */
internal class EngineWarmUp(private val loops: EventLoopGroup, private val onDrive: (Drive) -> Unit) {
    fun run() {
        TruthServer.start { it.answer(HELLO) }.use { server ->
            untilCalm(MOST_CLOSED) { drive(server, LoadProfile.Closed(100)) }
            untilCalm(MOST_OPEN) { drive(server, LoadProfile.Open(5_000.0)) }
            // Connections that come and go are code of their own.
            drive(server, LoadProfile.Burst(200, 5))
        }
        TruthServer.start { it.answer(PERSON) }.use { server -> untilCalm(MOST_CHAINS) { driveChain(server) } }
    }

    /** Repeats [slice] until compiling took little of one. */
    private fun untilCalm(most: Int, slice: () -> Unit) {
        repeat(most) {
            val before = compilationMillis()
            slice()
            if (compilationMillis() - before < CALM_MILLIS) return
        }
    }

    private fun drive(server: TruthServer, load: LoadProfile) {
        Drive(order(server, load), loops) {}.also(onDrive).run()
    }

    /** Making a request for each time it is sent, and capturing from answers, is code of its own too. */
    private fun driveChain(server: TruthServer) {
        val json = mapOf("Content-Type" to "application/json")
        val steps = listOf(
            Step("create", "POST", "/person", json, """{ "name": "{name}" }""", Expectation(), mapOf("id" to "$.id")),
            Step("read", "GET", "/person/{id}"),
        )
        val order = order(server, LoadProfile.Closed(100)).copy(steps = steps)
        val names = DataTable(listOf("name"), listOf(listOf("Jörg"), listOf("Ann \"A\" Lee")))
        Drive(order, loops, Chain(order, names)) {}.also(onDrive).run()
    }

    private fun order(server: TruthServer, load: LoadProfile) = LoadOrder(
        host = "127.0.0.1",
        port = server.port,
        steps = listOf(Step("warm", path = "/warm", headers = mapOf("Accept" to "*/*"), expect = Expectation(body = "hello"))),
        load = load,
        window = 1.seconds,
        timeout = 5.seconds,
        drain = 1.seconds,
    )

    private fun compilationMillis(): Long = ManagementFactory.getCompilationMXBean()?.totalCompilationTime ?: 0
}

private val HELLO = okAnswer("hello")
private val PERSON = okAnswer("""{ "id": 7, "name": "Jörg" }""")
private const val MOST_CLOSED = 8
private const val MOST_OPEN = 4
private const val MOST_CHAINS = 3
private const val CALM_MILLIS = 60L
