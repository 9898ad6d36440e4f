package bootdyno.measure

import bootdyno.compose.ComposeProject
import bootdyno.database.RunDatabase
import bootdyno.diagnose.observable
import bootdyno.engine.LoadSecond
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningService
import bootdyno.launch.RunningSubject
import bootdyno.launch.ServiceLauncher
import bootdyno.launch.SubjectOnDependency
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Cell
import bootdyno.model.DatabaseFound
import bootdyno.model.DependencyFound
import bootdyno.model.DiagnosedTrials
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Service
import bootdyno.probe.SubjectProbe
import bootdyno.probe.Watched
import bootdyno.run.LoadEngines
import bootdyno.run.Observation
import bootdyno.run.TrialParts
import bootdyno.system.ledger.Ledger
import java.nio.file.Path

/** The real [TrialParts]: subjects and services with limits, load engines, database, compose file, probes. */
class RunParts(
    private val subjects: SubjectPlace,
    placement: Placement,
    ledger: Ledger,
    logs: Path,
    private val plan: Plan? = null,
    private val database: RunDatabase? = null,
    private val compose: ComposeProject? = null,
    private val engines: RunEngines =
        RunEngines(placement.engine, ledger, logs, chains = plan == null || plan.cells.any { !it.workload.sendsTheSame }),
) : TrialParts,
    LoadEngines by engines,
    AutoCloseable {
    private val serviceLauncher = ServiceLauncher(placement, ledger)

    override var databaseFound: DatabaseFound? = null
        private set

    override var dependenciesFound: List<DependencyFound> = emptyList()
        private set

    override fun servicesOf(cell: Cell): List<Service> = plan?.services(cell).orEmpty()

    override fun startService(service: Service, log: Path): RunningService = serviceLauncher.start(service, log)

    override fun preparation(cell: Cell): Preparation = subjects.preparation(cell)

    override fun trainedBy(cell: Cell): List<Cell> = plan?.cells.orEmpty()
        .filter { it.variant.name == cell.variant.name }.distinctBy { it.workload.name }.ifEmpty { listOf(cell) }

    override fun startTraining(work: Preparation.TrainedWork, cell: Cell, log: Path): RunningSubject =
        onDependencies(shown(cell), log) { work.startTraining(it, log) }

    override fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject =
        onDependencies(if (prepared.program is Program.Executable) cell else shown(cell), log) {
            subjects.start(it, log, prepared)
        }

    /** In a run with a diagnosis, every jar and image shows its pools and settings, in all trials: otherwise the trials would differ. */
    private fun shown(cell: Cell): Cell {
        val diagnosed = plan?.experiment?.repetition?.diagnose ?: DiagnosedTrials.OFF
        val origin = cell.subject.origin
        val takesSettings = origin is Origin.Jar || origin is Origin.Image
        if (diagnosed == DiagnosedTrials.OFF || !takesSettings) return cell
        return cell.copy(variant = observable(cell.variant, change = diagnosed != DiagnosedTrials.OBSERVE))
    }

    /** Starts database and compose file before the measurement, to report their problems. Throws [bootdyno.launch.LaunchFailed]. */
    fun checkDependencies() {
        compose?.start()
        database?.makeReady()
    }

    override fun observe(
        subject: RunningSubject,
        services: List<RunningService>,
        now: () -> Double,
        load: () -> LoadSecond?,
    ): Observation {
        val servicePids = { services.flatMap { it.pids() } + database?.pids().orEmpty() + compose?.pids().orEmpty() }
        val watched = Watched(
            pid = subject.pid,
            group = subject.group,
            enginePids = engines::pids,
            servicePids = servicePids.takeUnless { services.isEmpty() && database == null && compose == null },
        )
        val sessions = database?.takeIf { it.isOurs }?.let { it::sessions }
        return WatchedSubject.start(subject, SubjectProbe(watched), sessions, now, load)
    }

    override fun close() = subjects.use { compose.use { database.use { engines.close() } } }

    /** Adds the addresses of the compose file's services to the environment; those of the database and of the variant take precedence. */
    private fun onDependencies(cell: Cell, log: Path, start: (Cell) -> RunningSubject): RunningSubject {
        val project = compose ?: return onDatabase(cell, log, start)
        dependenciesFound = emptyList()
        project.makeReady()
        dependenciesFound = project.found
        val subject = onDatabase(cell, log) {
            start(it.copy(variant = it.variant.copy(environment = project.environment + it.variant.environment)))
        }
        return SubjectOnDependency(subject, project, log)
    }

    /** Adds the database's address to the variant's environment; its own values take precedence. */
    private fun onDatabase(cell: Cell, log: Path, start: (Cell) -> RunningSubject): RunningSubject {
        val ofRun = database ?: return start(cell)
        databaseFound = null
        databaseFound = ofRun.makeReady()
        val variant = cell.variant.copy(environment = ofRun.environment + cell.variant.environment)
        return SubjectOnDependency(start(cell.copy(variant = variant)), ofRun, log)
    }
}
