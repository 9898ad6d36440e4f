package bootdyno.run

import bootdyno.engine.LoadEngine
import bootdyno.launch.Prepared
import bootdyno.launch.RunningService
import bootdyno.launch.RunningSubject
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.DatabaseFound
import bootdyno.model.EngineSpec
import bootdyno.model.Series
import bootdyno.model.Service
import java.nio.file.Path

/** The parts a trial is made of. The cli chooses them; tests have their own. */
interface TrialParts : LoadEngines {
    /** The services that [cell] calls, in the order to start them. */
    fun servicesOf(cell: Cell): List<Service>

    /** Starts [service] afresh; it logs to [log]. */
    fun startService(service: Service, log: Path): RunningService

    /** What [cell] needs before it can be started. Throws [bootdyno.launch.LaunchFailed] or [bootdyno.launch.prepare.MissingHere]. */
    fun preparation(cell: Cell): Preparation

    /** The cells whose requests are sent in a training run of [cell]: those of its variant, one for each workload. */
    fun trainedBy(cell: Cell): List<Cell>

    /** Starts the training run that [work] needs of [cell]; it logs to [log]. */
    fun startTraining(work: Preparation.TrainedWork, cell: Cell, log: Path): RunningSubject

    /** Starts a fresh subject for [cell], as [prepared]; it logs to [log]. */
    fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject

    /** The database of the subject that was to start last; null where it was not ready, or there is none. */
    val databaseFound: DatabaseFound? get() = null

    /** Watches [subject] and its [services] from now on. [load] gives the latest second of the load, [now] the seconds since the trial began. */
    fun observe(subject: RunningSubject, services: List<RunningService>, now: () -> Double, load: () -> LoadSoFar?): Observation
}

interface LoadEngines {
    /** The load engine [spec] names, warm; a new one if the last one died. */
    fun engine(spec: EngineSpec): LoadEngine

    /** The CPUs of our load engine, as the kernel lists them; null where that cannot be read. */
    fun engineCpuList(): String?

    /** CPUs that a subject's compiler may use while it warms up. */
    val lentWhileWarming: List<Int>
}

/** Requests counted since the trial began, and the latest second's p99. */
data class LoadSoFar(val answered: Long, val errors: Long, val inFlight: Long, val p99Ms: Double?)

/** A subject being watched from outside, once a second, from its first good answer to its end. */
interface Observation : AutoCloseable {
    /** CPU seconds of the optimising compiler so far; null where there is none or it cannot be seen. */
    fun c2CpuSeconds(): Double?

    /** The committed heap as last read; null where there is none. */
    fun heapCommitted(): Bytes?

    /** Threads alive now, by family. */
    fun threadFamilies(): Map<String, Int>

    fun jvmFacts(): Map<String, String>

    fun peakRss(): Bytes?

    /** Ends the sampling and returns what was seen. */
    fun finish(): Series
}
