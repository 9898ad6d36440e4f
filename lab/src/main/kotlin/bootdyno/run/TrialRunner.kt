package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.RunningService
import bootdyno.launch.RunningSubject
import bootdyno.launch.prepare.MissingHere
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Cell
import bootdyno.model.DatabaseFound
import bootdyno.model.Ending
import bootdyno.model.EngineSpec
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.OpenPointFound
import bootdyno.model.Series
import bootdyno.model.Service
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUp
import bootdyno.model.reaching
import bootdyno.plan.Timing
import bootdyno.plan.settling
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** The longest that verification waits for an answer, unless the load may wait longer. */
private val VERIFY_TIMEOUT = 30.seconds

/** What one trial left: its record, and what it measured if it came that far. */
data class TrialOutcome(
    val record: TrialRecord,
    val latencies: LatencyHistograms?,
    val series: Series,
    val openLatencies: List<LatencyHistograms> = emptyList(),
)

/** The parts a trial is made of; the cli chooses them, tests put in their own. */
interface TrialParts {
    /** What [cell] calls, in the order to start it. */
    fun servicesOf(cell: Cell): List<Service>

    /** Starts [service] afresh, its output going to [log]. */
    fun startService(service: Service, log: Path): RunningService

    /** What [cell] takes before it can be started. Throws [LaunchFailed] or [MissingHere] where that can be said already. */
    fun preparation(cell: Cell): Preparation

    /** The cells whose requests train what [cell] is run as: those of its variant, one for each workload. */
    fun trainedBy(cell: Cell): List<Cell>

    /** Starts the run that [work] needs of [cell], its output going to [log]. */
    fun startTraining(work: Preparation.Work, cell: Cell, log: Path): RunningSubject

    /** Starts a fresh subject for [cell], as [prepared], its output going to [log]. */
    fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject

    /** The database as it was made ready for the subject that was to start last; null where it was not, or there is none. */
    val databaseFound: DatabaseFound? get() = null

    /** CPUs a subject's compiler may borrow while it warms up. */
    val lentWhileWarming: List<Int>

    /** The CPUs the load engine may use, as the kernel lists them; null where that cannot be read. */
    fun engineCpuList(): String?

    /** The load engine [spec] names, warm; a new one if the last one died. */
    fun engine(spec: EngineSpec): LoadEngine

    /**
     * Watches [subject] and its [services] from now on. [load] is asked for the engine's latest second, [now] for the seconds since the
     * trial began.
     */
    fun observe(subject: RunningSubject, services: List<RunningService>, now: () -> Double, load: () -> LoadSoFar?): Observation
}

/** Requests counted since the trial began, and the latest second's p99. */
data class LoadSoFar(val answered: Long, val errors: Long, val inFlight: Long, val p99Ms: Double?)

/** Takes one cell through the stages of a trial. Whatever goes wrong with the subject or the engine becomes a record, not an exception. */
class TrialRunner(
    private val parts: TrialParts,
    private val clock: RunClock,
    private val warmUpOf: (Cell) -> WarmUp,
    private val seed: Long,
    private val listener: (RunEvent) -> Unit,
) {
    private val preparing = Preparing(parts, seed)

    fun run(trial: Trial, cell: Cell, log: Path, way: WayToWarm = WayToWarm.FAVOURED): TrialOutcome =
        OneTrial(trial, cell, log, way).run()

    private inner class OneTrial(
        private val trial: Trial,
        private val cell: Cell,
        private val log: Path,
        private val way: WayToWarm,
    ) {
        private val notebook = Notebook(trial, clock)
        private val warmUp = warmUpOf(cell)
        private val load = LoadTally()
        private val services = TrialServices(parts::startService)

        fun run(): TrialOutcome = services.use {
            val subject = try {
                val prepared = preparing.prepare(cell, log) { make -> stage(Stage.PREPARE, make) }
                notebook.prepared = prepared.found
                startServices()
                stage(Stage.LAUNCH) { parts.start(cell.reaching(services.addresses), prepared, log) }
            } catch (failure: LaunchFailed) {
                notebook.services = services.found
                notebook.database = parts.databaseFound
                return TrialOutcome(notebook.record(failed(failure)), null, Series(emptyList()))
            } catch (missing: MissingHere) {
                return TrialOutcome(notebook.record(Ending.NotRun(missing.reason)), null, Series(emptyList()))
            }
            subject.use { measure(it) }
        }

        private fun startServices() {
            val called = parts.servicesOf(cell).ifEmpty { return }
            stage(Stage.SERVICES) {
                services.start(called, log.resolveSibling("")) { who, awaited -> listener(RunEvent.Waiting(trial, who, awaited)) }
            }
            notebook.services = services.found
        }

        private fun measure(subject: RunningSubject): TrialOutcome {
            notebook.limits = limits(subject)
            notebook.database = parts.databaseFound
            notebook.subject =
                SubjectFound(subject.pid, subject.commandLine, subject.sha256, null, null, null, container = subject.container)
            var observation: Observation? = null
            var measured: LoadMeasured? = null
            val points = mutableListOf<LatencyHistograms>()
            val ending = try {
                awaitReady(subject)
                observation = parts.observe(subject, services.all, notebook::now, load::soFar)
                val alone = stage(Stage.VERIFY) { subject.verify(cell.workload, maxOf(VERIFY_TIMEOUT, cell.profile.timeout)) }
                notebook.subject = notebook.subject?.copy(aloneSeconds = alone)
                val left = warm(subject, observation)
                measured = window(subject, left)
                cell.latencyAt.forEach { share -> openPoint(subject, share, measured.found)?.let { points += it.latencies } }
                Ending.Measured
            } catch (failure: LaunchFailed) {
                // What calls a dead service answers wrongly, or not at all: the death is the reason.
                failed(services.death(failure.stage) ?: failure)
            } catch (failure: EngineFailed) {
                services.death(notebook.stage)?.let(::failed)
                    ?: Ending.Failed(notebook.stage, subject.deathReport() ?: failure.message.orEmpty(), subject.lastLogLines())
            }
            notebook.subject = notebook.subject?.copy(
                peakGroupMemory = subject.peakMemory(),
                frameworkStartupSeconds = subject.startupAsLogged(),
            )
            return conclude(ending, observation, measured, points)
        }

        /** As they are now: read back from the kernel at every call. */
        private fun limits(subject: RunningSubject) = subject.limits.copy(engineCpuList = parts.engineCpuList())

        private fun awaitReady(subject: RunningSubject) {
            val within = cell.subject.readyWithin ?: Timing.READY_WITHIN
            val startup = stage(Stage.READY) {
                subject.awaitReady(cell.subject.readyPath, within) { listener(RunEvent.Waiting(trial, cell.variant.name, it)) }
            }
            notebook.subject = notebook.subject?.copy(startupSeconds = startup.seconds, startupCpuSeconds = startup.cpuSeconds)
        }

        /** @return requests left in flight */
        private fun warm(subject: RunningSubject, observation: Observation): Long {
            val warming = Warming(subject, observation, clock, parts.lentWhileWarming, way) { order ->
                val seen = mutableListOf<LoadSecond>()
                val driven = drive(subject, Stage.WARM_UP, order) { seen += it }
                Warming.Driven(seen, driven.found.leftAfter)
            }
            val warmed = stage(Stage.WARM_UP) { warming.warm(cell, warmUp, seed + trial.number) }
            notebook.warmUp = warmed.found
            notebook.limits = limits(subject)
            return warmed.left
        }

        private fun window(subject: RunningSubject, left: Long): LoadMeasured {
            val settle = settling(cell, warmUp)
            val before = services.counts(notebook.now())
            var last: LoadSecond? = null
            enter(Stage.WINDOW)
            // The engine's clock started when its connections were open; each of its seconds tells when that was, the promptest best.
            var began = Double.MAX_VALUE
            val order = windowOrder(cell, subject.base, settle, seed + trial.number)
            val measured = drive(subject, Stage.WINDOW, order, cell.profile.engine) {
                began = minOf(began, notebook.now() - it.at)
                last = it
            }
            // An engine that does not tell how far it is leaves the counts of the services without a counterpart.
            val engine = last?.takeIf { it.answered >= measured.found.answered }
            notebook.services = services.found(before, services.counts(notebook.now()), engine)
            val from = minOf(began, notebook.now()) + settle.toDouble(DurationUnit.SECONDS)
            notebook.note(Stage.WINDOW, from, from + measured.found.windowSeconds)
            notebook.note(Stage.DRAIN, from + measured.found.windowSeconds, notebook.now())
            notebook.load = measured.found.copy(leftBefore = left)
            return measured
        }

        /** Goes on in the same process, so that the rate is a share of what this very process can serve. Null where it served nothing. */
        private fun openPoint(subject: RunningSubject, share: Double, capacity: LoadFound): LoadMeasured? {
            val perSecond = share * capacity.answered / capacity.windowSeconds
            if (perSecond <= 0) return null
            val order = openOrder(cell, subject.base, perSecond, seed + trial.number)
            return stage(Stage.LATENCY_AT) { drive(subject, Stage.LATENCY_AT, order) {} }
                .also { notebook.openPoints += OpenPointFound(share, perSecond, it.found) }
        }

        /** Whatever is not the window is our own engine's: [engine] decides the window only. */
        private fun drive(
            subject: RunningSubject,
            stage: Stage,
            order: LoadOrder,
            engine: EngineSpec = EngineSpec(),
            onSecond: (LoadSecond) -> Unit,
        ): LoadMeasured {
            val measured = parts.engine(engine).drive(order) { second ->
                onSecond(second)
                val perSecond = load.add(second)
                listener(RunEvent.Second(trial, stage, perSecond, second.p99Ms))
            }
            load.driveEnded()
            services.checkAlive(stage)
            subject.deathReport()?.let { throw LaunchFailed(stage, it, subject.lastLogLines()) }
            return measured
        }

        private fun conclude(
            ending: Ending,
            observation: Observation?,
            measured: LoadMeasured?,
            points: List<LatencyHistograms>,
        ): TrialOutcome {
            enter(Stage.STOP)
            val series = observation?.use {
                notebook.subject =
                    notebook.subject?.copy(threadFamilies = it.threadFamilies(), jvm = it.jvmFacts(), peakRss = it.peakRss())
                it.finish()
            }
            return TrialOutcome(notebook.record(ending), measured?.latencies, series ?: Series(emptyList()), points)
        }

        private fun failed(failure: LaunchFailed) = Ending.Failed(failure.stage, failure.reason, failure.lastLines)

        private fun enter(stage: Stage) {
            notebook.enter(stage)
            listener(RunEvent.StageEntered(trial, stage))
        }

        private fun <T> stage(stage: Stage, action: () -> T): T {
            enter(stage)
            val from = notebook.now()
            return action().also { notebook.note(stage, from, notebook.now()) }
        }
    }
}
