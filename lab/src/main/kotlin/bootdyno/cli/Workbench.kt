package bootdyno.cli

import bootdyno.launch.Confinement
import bootdyno.launch.Ledger
import bootdyno.launch.Placement
import bootdyno.launch.RunningSubject
import bootdyno.launch.SubjectLauncher
import bootdyno.launch.cpuListOf
import bootdyno.load.ForkedEngine
import bootdyno.load.LoadEngine
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.Metric
import bootdyno.model.Metrics
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.probe.CgroupFiles
import bootdyno.probe.Probe
import bootdyno.probe.Sampler
import bootdyno.probe.SubjectProbe
import bootdyno.probe.Watched
import bootdyno.run.LoadSoFar
import bootdyno.run.Observation
import bootdyno.run.TrialParts
import java.nio.file.Path
import java.util.concurrent.CopyOnWriteArrayList

/** The real parts of a trial, joined: processes under real limits, the forked engine, the probes. */
internal class Workbench(
    confinement: Confinement,
    private val placement: Placement,
    private val ledger: Ledger,
    private val engineLog: Path,
) : TrialParts,
    AutoCloseable {
    private val launcher = SubjectLauncher(confinement, placement, ledger)
    private var engine: LoadEngine? = null

    override val lentWhileWarming: List<Int> get() = placement.engine

    override fun start(cell: Cell, log: Path): RunningSubject = launcher.start(cell, log)

    override fun engineCpuList(): String? = engine?.pid?.let(::cpuListOf)

    override fun engine(): LoadEngine = engine?.takeIf(::lives) ?: startEngine().also { engine = it }

    override fun observe(subject: RunningSubject, now: () -> Double, load: () -> LoadSoFar?): Observation =
        WatchedSubject(SubjectProbe(watched(subject)), now, load)

    override fun close() {
        engine?.close()
    }

    private fun startEngine(): LoadEngine {
        engine?.close()
        val started = ForkedEngine.start(placement.engine, engineLog)
        ledger.child(started.pid, "load engine")
        started.warmItself()
        return started
    }

    private fun lives(engine: LoadEngine): Boolean =
        engine.pid?.let { pid -> ProcessHandle.of(pid).map { it.isAlive }.orElse(false) } ?: true

    private fun watched(subject: RunningSubject): Watched =
        Watched(subject.pid, subject.cgroup?.let { CgroupFiles(it.cpuStat, it.cpuUsage, it.memoryUsage) }, engine?.pid)
}

private class WatchedSubject(private val probe: SubjectProbe, private val now: () -> Double, load: () -> LoadSoFar?) :
    Observation {
    private val rows = CopyOnWriteArrayList<SeriesRow>()
    private val seen = WithLoad(probe, load)

    // Attaching costs the JVM half a CPU second: it happens now, before any load. The sampler starts after it.
    private val facts = probe.jvmFacts()
    private val sampler = Sampler(seen, now, onRow = rows::add).start()

    override fun c2CpuSeconds(): Double? = probe.c2CpuSeconds()

    override fun threadFamilies(): Map<String, Int> = probe.threadFamilies()

    override fun jvmFacts(): Map<String, String> = facts

    override fun peakRss(): Bytes? = probe.peakRss()

    override fun finish(): Series {
        sampler.stop()
        // What happened since the last beat is a good part of a short window; two readings at once would only make a spike.
        val at = now()
        val last = rows.lastOrNull()?.at
        if (last == null || at - last > LEAST_APART) rows += SeriesRow(at, seen.read())
        return Series(rows.toList())
    }

    private companion object {
        /** Seconds. */
        const val LEAST_APART = 0.3
    }

    override fun close() {
        sampler.stop()
        probe.close()
    }
}

/** What the engine counts, as columns beside what [probe] sees. */
private class WithLoad(private val probe: Probe, private val load: () -> LoadSoFar?) : Probe {
    override fun read(): Map<Metric, Double> = probe.read() + load()?.let(::columns).orEmpty()

    private fun columns(soFar: LoadSoFar): Map<Metric, Double> = buildMap {
        put(Metrics.ANSWERED, soFar.answered.toDouble())
        put(Metrics.ERRORS, soFar.errors.toDouble())
        put(Metrics.IN_FLIGHT, soFar.inFlight.toDouble())
        soFar.p99Ms?.let { put(Metrics.P99, it) }
    }
}
