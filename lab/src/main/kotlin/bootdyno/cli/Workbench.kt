package bootdyno.cli

import bootdyno.database.RunDatabase
import bootdyno.database.SubjectOnDatabase
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.RunningService
import bootdyno.launch.RunningSubject
import bootdyno.launch.ServiceLauncher
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.DatabaseFound
import bootdyno.model.EngineSpec
import bootdyno.model.Metric
import bootdyno.model.OWN_ENGINE
import bootdyno.model.Plan
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Service
import bootdyno.probe.Probe
import bootdyno.probe.Sampler
import bootdyno.probe.SubjectProbe
import bootdyno.probe.Watched
import bootdyno.run.LoadSoFar
import bootdyno.run.Observation
import bootdyno.run.TrialParts
import bootdyno.system.cpuListOf
import bootdyno.system.ledger.Ledger
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList

/** Where each engine logs: `engine.log` ours, `wrk.log` wrk. */
class EngineLogs(val folder: Path) {
    fun of(engine: String): Path = folder.resolve(if (engine == OWN_ENGINE) "engine.log" else "$engine.log")
}

/** The real parts of a trial, joined: processes under real limits, the load engines, the probes. */
class Workbench(
    private val subjects: SubjectPlace,
    private val placement: Placement,
    private val ledger: Ledger,
    private val logs: EngineLogs,
    private val plan: Plan? = null,
    private val database: RunDatabase? = null,
) : TrialParts,
    AutoCloseable {
    private val serviceLauncher = ServiceLauncher(placement, ledger)
    private val engines = ConcurrentHashMap<EngineSpec, LoadEngine>()
    private val temporary by lazy { ledger.temporaryFolder("engines") }

    override val lentWhileWarming: List<Int> get() = placement.engine

    override fun servicesOf(cell: Cell): List<Service> = plan?.services(cell).orEmpty()

    override fun startService(service: Service, log: Path): RunningService = serviceLauncher.start(service, log)

    override fun preparation(cell: Cell): Preparation = subjects.preparation(cell)

    override fun trainedBy(cell: Cell): List<Cell> = plan?.cells.orEmpty()
        .filter { it.variant.name == cell.variant.name }.distinctBy { it.workload.name }.ifEmpty { listOf(cell) }

    override fun startTraining(work: Preparation.Work, cell: Cell, log: Path): RunningSubject {
        val its = database ?: return work.startTraining(cell, log)
        its.makeReady()
        return SubjectOnDatabase(work.startTraining(cell.on(its), log), its, log)
    }

    override var databaseFound: DatabaseFound? = null
        private set

    override fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject {
        val its = database ?: return subjects.start(cell, prepared, log)
        databaseFound = null
        databaseFound = its.makeReady()
        return SubjectOnDatabase(subjects.start(cell.on(its), prepared, log), its, log)
    }

    /** Starts the database, so that what is wrong with it is known before anything is measured. Throws [LaunchFailed]. */
    fun checkDatabase() {
        database?.makeReady()
    }

    override fun engineCpuList(): String? = engines[EngineSpec()]?.pid?.let(::cpuListOf)

    override fun engine(spec: EngineSpec): LoadEngine =
        engines[spec]?.takeIf(::lives) ?: startEngine(spec).also { engines[spec] = it }

    override fun observe(
        subject: RunningSubject,
        services: List<RunningService>,
        now: () -> Double,
        load: () -> LoadSoFar?,
    ): Observation = WatchedSubject(SubjectProbe(watched(subject, services)), now, load)

    override fun close() {
        try {
            engines.values.forEach { it.close() }
        } finally {
            database?.close()
            subjects.close()
            ledger.removeTemporary(temporary)
        }
    }

    private fun startEngine(spec: EngineSpec): LoadEngine {
        engines.remove(spec)?.close()
        val choice = engines().find { it.name == spec.name } ?: throw EngineFailed("there is no load engine ${spec.name}")
        val seat =
            EngineContext(placement.engine, logs.of(choice.name), cacheFolder(), temporary) {
                ledger.child(it, "load engine ${choice.name}")
            }
        val started = choice.start(seat, spec)
        started.pid?.let(seat.started)
        if (!ENGINE_STAYS_COLD) started.warmItself()
        return started
    }

    private fun enginePids(): List<Long> = engines.values.mapNotNull { it.pid }

    private fun servicePids(services: List<RunningService>): List<Long> =
        services.flatMap { it.pids() } + database?.pids().orEmpty()

    private fun lives(engine: LoadEngine): Boolean =
        engine.pid?.let { pid -> ProcessHandle.of(pid).map { it.isAlive }.orElse(false) } ?: true

    private fun watched(subject: RunningSubject, services: List<RunningService>) = Watched(
        pid = subject.pid,
        cgroup = subject.cgroup,
        enginePids = ::enginePids,
        servicePids = if (services.isEmpty() && database == null) null else ({ servicePids(services) }),
    )
}

/** For the fault campaign, whose figures count for nothing: warming the engine up takes most of a short run. */
internal val ENGINE_STAYS_COLD = System.getProperty("dyno.engine.cold") == "true"

/** With what says where [database] is; what a variant says itself goes before. */
private fun Cell.on(database: RunDatabase): Cell =
    copy(variant = variant.copy(environment = database.environment + variant.environment))

private class WatchedSubject(private val probe: SubjectProbe, private val now: () -> Double, load: () -> LoadSoFar?) :
    Observation {
    private val rows = CopyOnWriteArrayList<SeriesRow>()
    private val seen = WithLoad(probe, load)

    // Attaching costs the JVM half a CPU second: it happens now, before any load. The sampler starts after it.
    private val facts = probe.jvmFacts()
    private val sampler = Sampler(seen, now, onRow = rows::add).start()

    override fun c2CpuSeconds(): Double? = probe.c2CpuSeconds()

    override fun heapCommitted(): Bytes? =
        rows.asReversed().firstNotNullOfOrNull { it.values[Metric.HEAP_COMMITTED] }?.let { Bytes(it.toLong()) }

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
        put(Metric.ANSWERED, soFar.answered.toDouble())
        put(Metric.ERRORS, soFar.errors.toDouble())
        put(Metric.IN_FLIGHT, soFar.inFlight.toDouble())
        soFar.p99Ms?.let { put(Metric.P99, it) }
    }
}

/** A warning of such a run. */
internal const val COLD_ENGINE = "The load engine was not warmed up (dyno.engine.cold): decide nothing by these figures."
