package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.system.onFailure
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.ScheduledExecutorService
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/**
 * Our engine on other hosts, which share each load and start it together.
 *
 * The agents open their connections and log their users in. When all have said so, each gets the start signal. Each counts from its own start
 * by its own clock; no clock is compared with another one. If one fails, the others are stopped, and the drive fails.
 */
internal class SeveralEngines private constructor(private val agents: List<Agent>) : LoadEngine {
    class Agent(val host: String, val engine: ForkedEngine)

    private data class Given(val path: String, val size: Long, val changed: FileTime)

    override val kind = EngineKind.OWN
    override val pid: Long? = agents.singleOrNull()?.engine?.pid
    override val pids: List<Long> get() = agents.map { it.engine.pid }

    private val heart: ScheduledExecutorService =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("agents-alive").factory())
    private var given: Given? = null

    init {
        heart.scheduleAtFixedRate({ agents.forEach(::keepAlive) }, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS)
    }

    override fun warmItself(chains: Boolean) {
        onAll { it.engine.warmItself(chains) }
    }

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        refuse(order)
        giveRows(order)
        val ready = CountDownLatch(agents.size)
        val seconds = MergedSeconds(agents.size, onSecond)
        val parts = onAll { agent ->
            val number = agents.indexOf(agent)
            val allReady = {
                ready.countDown()
                ready.await()
            }
            agent.engine.driveTogether(order.copy(part = LoadPart(number, agents.size)), allReady) { seconds.add(number, it) }
                .also { seconds.ended(number) }
        }
        return merged(order, agents.map { it.host }, parts)
    }

    override fun close() {
        heart.shutdownNow()
        agents.forEach { it.engine.close() }
    }

    /** @throws EngineFailed for a load to which a host could not contribute, or that would not reach the subject */
    private fun refuse(order: LoadOrder) {
        if (order.host == "localhost" || order.host.startsWith("127.") || order.host == "::1") {
            throw EngineFailed(
                "The hosts would send to ${order.host}, which is themselves. Name this machine's address as they reach it: `target`.",
            )
        }
        val units = order.divisible
        if (order.window.isPositive() && units < agents.size) {
            throw EngineFailed(
                "${agents.size} hosts cannot share ${order.load}: it has $units parts. Use fewer hosts, or more load.",
            )
        }
    }

    /** Sends the data of [order] to all hosts, once for each version of its file. */
    private fun giveRows(order: LoadOrder) {
        val path = order.data ?: return
        val file = Path.of(path)
        try {
            val now = Given(path, Files.size(file), Files.getLastModifiedTime(file))
            if (now == given) return
            val csv = Files.readString(file)
            onAll { it.engine.giveRows(path, csv) }
            given = now
        } catch (unreadable: IOException) {
            throw EngineFailed("There is no readable data file $path: ${unreadable.message}")
        }
    }

    /** Runs [action] for all agents at once. The first failure interrupts the others, which stops their load, and is thrown. */
    private fun <T> onAll(action: (Agent) -> T): List<T> {
        val ended = LinkedBlockingQueue<IndexedValue<Result<T>>>()
        val threads = agents.mapIndexed { number, agent ->
            thread(isDaemon = true, name = "agent-${agent.host}") {
                ended.put(IndexedValue(number, runCatching { action(agent) }))
            }
        }
        try {
            val outcomes = List(agents.size) { ended.take().also { one -> one.value.getOrThrow() } }
            return outcomes.sortedBy { it.index }.map { it.value.getOrThrow() }
        } finally {
            threads.forEach { it.interrupt() }
            withoutInterrupts { threads.forEach { it.join(LONGEST_STOP_MILLIS) } }
        }
    }

    private fun keepAlive(agent: Agent) {
        try {
            agent.engine.stayAlive()
        } catch (_: EngineFailed) {
            // Its drive, or the next one, reports that.
        } catch (_: InterruptedException) {
            Thread.currentThread().interrupt()
        }
    }

    /** Into how many parts a load can be divided: requests of HTTP/2 that share a connection stay together. */
    private val LoadOrder.divisible: Int
        get() = load.clients?.let { (it + requestsPerConnection - 1) / requestsPerConnection } ?: Int.MAX_VALUE

    companion object {
        private const val BEAT_SECONDS = 5L
        private const val LONGEST_STOP_MILLIS = 5_000L
        private val NOT_IN_A_NAME = Regex("[^A-Za-z0-9._-]+")

        /**
         * Starts an engine on each of [hosts]; their stderr goes to files beside [log].
         * @throws EngineFailed if one cannot be started; the others are ended
         */
        fun start(hosts: List<LoadHost>, log: Path): SeveralEngines {
            val jar = EngineJar.make()
            val agents = mutableListOf<Agent>()
            onFailure({ agents.forEach { it.engine.close() } }) {
                // All are prepared first: a copy may take longer than a started engine waits for the lab.
                val places = hosts.map { it to it.prepare(jar) }
                places.forEach { (host, place) -> agents += Agent(host.name, host.start(place, logOf(log, host.name))) }
            }
            return SeveralEngines(agents)
        }

        /** `engine-host1.log` beside `engine.log`. */
        private fun logOf(log: Path, host: String): Path {
            val name = "${log.fileName}"
            return log.resolveSibling("${name.substringBeforeLast('.')}-${host.replace(NOT_IN_A_NAME, "-")}.log")
        }
    }
}
