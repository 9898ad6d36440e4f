package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.FIRST_NICE
import bootdyno.system.ioOrNull
import bootdyno.system.readOrNull
import bootdyno.system.setNice
import bootdyno.system.threadFolders
import bootdyno.system.threadName
import com.sun.tools.attach.VirtualMachine
import java.nio.file.Path
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.io.path.name
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private const val MOST_FAILURES = 3

/**
 * Heap, collections, threads and compilation time, as reported by the JVM over JMX.
 *
 * A JVM without CPU time may answer late or never, so requests run on a separate thread. A response after more than [patience] is missing
 * in that reading. It attaches at the first request, so that the start-up is not disturbed, and then raises the priority of the responding
 * threads if permitted; among 200 busy threads they waited for up to 14 s.
 */
class JmxProbe(private val pid: Long, private val proc: Path, private val patience: Duration = 700.milliseconds) :
    Probe,
    AutoCloseable {
    private val thread = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("jmx-probe").factory())
    private val written = CopyOnWriteArrayList<String>()

    // Used only by that thread.
    private var connection: JvmConnection? = null
    private var failures = 0
    private var isJvm: Boolean? = null

    // Guarded by this object's lock.
    private var pending: Future<Map<Metric, Double>>? = null
    private var late = 0

    /** Why its figures are missing, as sentences. */
    val notes: List<String>
        @Synchronized get() = written +
            listOf("The JVM was too busy to say its own figures within $patience, $late times; those rows lack them.")
                .filter { late > 0 }

    @Synchronized
    override fun read(): Map<Metric, Double> {
        if (thread.isShutdown) return emptyMap()
        // A late response is discarded, and no further request is sent before it.
        val answer = if (pending?.isDone == false) null else await(askForReading(), patience)
        if (answer == null) late++
        return answer ?: emptyMap()
    }

    /**
     * Properties of the JVM; empty if it is none, or does not answer within [within].
     *
     * Attaching costs the subject about half a CPU second, so call this between its first response and its load.
     */
    fun facts(within: Duration = 10.seconds): Map<String, String> = asked(within) { it.facts() }.orEmpty()

    /** The connection that [read] uses; null if there is no JVM, or it does not answer within [within]. It is closed by [close]. */
    internal fun connection(within: Duration = 2.seconds): JvmConnection? = asked(within) { it }

    override fun close() {
        if (thread.isShutdown) return
        thread.execute { closeQuietly() }
        thread.shutdown()
        if (!thread.awaitTermination(1, TimeUnit.SECONDS)) thread.shutdownNow()
    }

    private fun askForReading(): Future<Map<Metric, Double>> =
        thread.submit<Map<Metric, Double>> { ask { it.read() } ?: emptyMap() }.also { pending = it }

    private fun <T> asked(within: Duration, question: (JvmConnection) -> T): T? =
        if (thread.isShutdown) null else await(thread.submit<T?> { ask(question) }, within)

    private fun <T> await(asked: Future<T>, within: Duration): T? = try {
        asked.get(within.inWholeMilliseconds, TimeUnit.MILLISECONDS)
    } catch (_: TimeoutException) {
        null
    } catch (unexpected: ExecutionException) {
        throw IllegalStateException("reading JVM $pid over JMX", unexpected.cause)
    }

    private fun <T> ask(question: (JvmConnection) -> T): T? {
        if (failures >= MOST_FAILURES || !looksLikeJvm()) return null
        return try {
            question(connection ?: attached())
        } catch (refused: Exception) {
            failed(refused)
        }
    }

    private fun attached(): JvmConnection = JvmConnection.attach(pid).also {
        connection = it
        // Connection threads inherit the priority of the accepting thread, so both are raised.
        threadFolders(pid, proc).filter { threadName(it).startsWith("RMI TCP") }.forEach { setNice(it.name.toLong(), FIRST_NICE) }
    }

    private fun failed(why: Exception): Nothing? {
        failures++
        closeQuietly()
        if (failures == MOST_FAILURES) {
            written += "The JVM's own figures are missing since process $pid could not be asked over JMX: ${why.message ?: why}."
        }
        return null
    }

    private fun closeQuietly() {
        // Already closed by the other side.
        ioOrNull { connection?.close() }
        connection = null
    }

    /** Checked before attaching, which sends SIGQUIT; other programs than a JVM may end or dump core. */
    private fun looksLikeJvm(): Boolean = isJvm ?: (mapsLibjvm() || VirtualMachine.list().any { it.id() == "$pid" }).also {
        isJvm = it
        if (!it) written += "Process $pid is no JVM, so it has no heap, collections or compilation time to read."
    }

    private fun mapsLibjvm(): Boolean =
        readOrNull(proc.resolve("$pid/maps")).orEmpty().lineSequence().any { it.endsWith("/libjvm.so") }
}
