package bootdyno.measure

import bootdyno.diagnose.JvmAccess
import bootdyno.diagnose.ObservedSubject
import bootdyno.diagnose.SubjectObserver
import bootdyno.engine.LoadSecond
import bootdyno.launch.RunningSubject
import bootdyno.launch.fetchText
import bootdyno.model.Bytes
import bootdyno.model.Diagnosis
import bootdyno.model.Metric
import bootdyno.model.ProbeFound
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Sessions
import bootdyno.occupancy.isSettled
import bootdyno.occupancy.suspects
import bootdyno.probe.Probe
import bootdyno.probe.Sampler
import bootdyno.probe.SubjectProbe
import bootdyno.run.EarlyEnd
import bootdyno.run.MovableLimit
import bootdyno.run.Observation
import bootdyno.run.SettableSize
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration

/** Samples a subject and its load once per second until closed. [sessions]: those that it has in our database; null without one. */
internal class WatchedSubject private constructor(
    private val subject: RunningSubject,
    private val probe: SubjectProbe,
    private val sessions: (() -> List<Sessions>)?,
    private val facts: Map<String, String>,
    private val now: () -> Double,
    load: () -> LoadSecond?,
) : Observation {
    private val rows = CopyOnWriteArrayList<SeriesRow>()
    private val seen = WithLoad(probe, load)
    private val sampler = Sampler(seen, now, onRow = rows::add)

    override fun cpuUse(): Map<Metric, Double> = probe.cpuUse()

    override fun last(metric: Metric): Double? = rows.asReversed().firstNotNullOfOrNull { it.values[metric] }

    override fun threadFamilies(): Map<String, Int> = probe.threadFamilies()

    override fun jvmFacts(): Map<String, String> = facts

    override fun probeCost(): ProbeFound? = probe.cost

    override fun peakRss(): Bytes? = probe.peakRss()

    override fun finish(): Series {
        sampler.stop()
        // Adds a last reading only if much of a second has passed; two close readings would make a spike.
        val at = now()
        val last = rows.lastOrNull()?.at
        if (last == null || at - last > LEAST_APART_SECONDS) rows += SeriesRow(at, seen.read())
        return Series(rows.toList())
    }

    override fun diagnose(length: Duration, seed: Long, mayEnd: EarlyEnd): Diagnosis {
        val jvm = if (subject.pid == null) ALREADY_RUNNING else JvmAccess(probe::jvmConnection, probe::jvmNotes)
        val observed = ObservedSubject(subject.pid, subject.base.port, subject.group, jvm, actuator = ::textAt, sessions)
        val from = lazy { cpuReading() }
        val knowsEnough = { soFar: Diagnosis ->
            // Begins to count with the first thread dump.
            val used = cpusSince(from.value)
            isSettled(soFar) && (mayEnd == EarlyEnd.WHEN_SETTLED || movable(soFar, used).isNotEmpty())
        }
        return SubjectObserver(observed, now, seed, knowsEnough.takeUnless { mayEnd == EarlyEnd.NEVER }).observe(length)
    }

    private fun textAt(path: String): String? =
        fetchText(subject.base, path, LONGEST_DUMP, subject.serverName)?.takeIf { it.status == OK }?.text

    override fun movable(diagnosis: Diagnosis): List<MovableLimit> =
        movable(diagnosis, diagnosis.threadCpu.ifEmpty { null }?.sumOf { it.cpus })

    override fun sizeOf(key: String): SettableSize? = probe.jvmConnection()?.let { PoolSize.of(it, key) }

    private fun movable(diagnosis: Diagnosis, cpus: Double?): List<MovableLimit> {
        val pools = probe.jvmConnection()?.let { jvm -> suspects(diagnosis).mapNotNull { PoolLimit.of(jvm, it) } }.orEmpty()
        return listOfNotNull(CpuLimit.of(subject, cpus)) + pools
    }

    /** CPU seconds so far; null if they are not read. */
    private fun cpuReading() = probe.cpuUse()[Metric.CPU]?.let { CpuReading(now(), it) }

    private fun cpusSince(first: CpuReading?): Double? {
        val last = cpuReading() ?: return null
        return first?.takeIf { last.at > it.at }?.let { (last.seconds - it.seconds) / (last.at - it.at) }
    }

    private class CpuReading(val at: Double, val seconds: Double)

    override fun close() {
        sampler.stop()
        probe.close()
    }

    companion object {
        private const val LEAST_APART_SECONDS = 0.3
        private const val OK = 200

        /** Bytes: 1,000 threads of 100 calls each. */
        private const val LONGEST_DUMP = 32 * 1024 * 1024

        private val ALREADY_RUNNING =
            JvmAccess({ null }, { listOf("The server was already running: its process is not observed.") })

        /** Attaches to the JVM before load and samples, because this costs half a CPU second. */
        fun start(
            subject: RunningSubject,
            probe: SubjectProbe,
            sessions: (() -> List<Sessions>)?,
            now: () -> Double,
            load: () -> LoadSecond?,
        ): WatchedSubject = WatchedSubject(subject, probe, sessions, probe.jvmFacts(), now, load).also { it.sampler.start() }
    }
}

/** Adds the engine's counts to the metrics of [probe]. */
private class WithLoad(private val probe: Probe, private val load: () -> LoadSecond?) : Probe {
    override fun read(): Map<Metric, Double> = probe.read() + load()?.let(::columns).orEmpty()

    private fun columns(soFar: LoadSecond): Map<Metric, Double> = buildMap {
        put(Metric.ANSWERED, soFar.answered.toDouble())
        put(Metric.ERRORS, soFar.errors.toDouble())
        put(Metric.IN_FLIGHT, soFar.inFlight.toDouble())
        soFar.p50Ms?.let { put(Metric.P50, it) }
        soFar.p99Ms?.let { put(Metric.P99, it) }
        soFar.roundTripMs?.let { put(Metric.ROUND_TRIP, it) }
    }
}
