package bootdyno.engine

import com.sun.management.GarbageCollectionNotificationInfo
import java.io.PrintStream
import java.lang.management.ManagementFactory
import java.util.Locale
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.atomic.AtomicReference
import javax.management.NotificationEmitter
import javax.management.NotificationListener
import javax.management.openmbean.CompositeData
import kotlin.concurrent.thread

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
        when (order) {
            is EngineCommand.Warm, is EngineCommand.Drive -> orders.put(order)

            is EngineCommand.Stop -> {
                stoppedUpTo = order.number
                underWay.get()?.stop()
            }
        }
    }

    fun run() {
        say(EngineReply.Ready())
        while (true) {
            val order = orders.take()
            try {
                carryOut(order)
            } catch (_: DriveStopped) {
                say(EngineReply.Stopped(order.number))
            } catch (failure: Exception) {
                log(failure.stackTraceToString())
                say(EngineReply.Failed(order.number, failure.message ?: failure.javaClass.name))
            } finally {
                underWay.set(null)
            }
        }
    }

    private fun carryOut(order: EngineCommand) {
        when (order) {
            is EngineCommand.Warm -> {
                EngineWarmUp(loops) { startable(it, order) }.run()
                say(EngineReply.Warmed(order.number))
            }

            is EngineCommand.Drive -> {
                // Made before the drive, whose clock starts with it.
                val chain = Chain(order.order, rows.of(order.order))
                val drive = Drive(order.order, loops, chain) { say(EngineReply.Second(order.number, it)) }
                startable(drive, order)
                say(drive.run().toLine(order.number))
            }

            is EngineCommand.Stop -> error("a stop does not wait in the queue")
        }
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
