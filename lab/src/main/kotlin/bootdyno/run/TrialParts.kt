package bootdyno.run

import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadSecond
import bootdyno.launch.Prepared
import bootdyno.launch.RunningService
import bootdyno.launch.RunningSubject
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.DatabaseFound
import bootdyno.model.DependencyFound
import bootdyno.model.Diagnosis
import bootdyno.model.EngineSpec
import bootdyno.model.Metric
import bootdyno.model.ProbeFound
import bootdyno.model.Series
import bootdyno.model.Service
import java.nio.file.Path
import kotlin.time.Duration

/** The parts of a trial: real ones in `measure`, fakes in tests. */
interface TrialParts : LoadEngines {
    /** The services of [cell], in the order of their start. */
    fun servicesOf(cell: Cell): List<Service>

    /** Starts a new [service]; its output goes to [log]. */
    fun startService(service: Service, log: Path): RunningService

    /** The preparation of [cell]. Throws [bootdyno.launch.LaunchFailed] or [bootdyno.launch.prepare.MissingHere]. */
    fun preparation(cell: Cell): Preparation

    /** The cells whose requests a training run of [cell] sends: one per workload of its variant. */
    fun trainedBy(cell: Cell): List<Cell>

    /** Starts the training run of [work] for [cell]; its output goes to [log]. */
    fun startTraining(work: Preparation.TrainedWork, cell: Cell, log: Path): RunningSubject

    /** Starts a new subject for [cell], as [prepared]; its output goes to [log]. */
    fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject

    /** The database of the last subject; null if it was not ready, or without a database. */
    val databaseFound: DatabaseFound? get() = null

    /** The containers of the compose file for the last subject; empty if they were not ready, or without one. */
    val dependenciesFound: List<DependencyFound> get() = emptyList()

    /**
     * Starts sampling [subject] and [services]. [load]: the last second of the load, with the counts since the start of the trial; null before
     * any. [now]: seconds since the start of the trial.
     */
    fun observe(subject: RunningSubject, services: List<RunningService>, now: () -> Double, load: () -> LoadSecond?): Observation
}

interface LoadEngines {
    /** The warmed-up load engine for [spec]; a new one if the last one has ended. */
    fun engine(spec: EngineSpec): LoadEngine

    /** The CPUs of our load engine, in the kernel's list format; null if unreadable. */
    fun engineCpuList(): String?

    /** CPUs that a subject's compiler may use during the warm-up. */
    val lentWhileWarming: List<Int>
}

/** Sampling of a subject from outside, once per second, from its first successful response to its end. */
interface Observation : AutoCloseable {
    /** [Metric.CPU], [Metric.C2_CPU] and [Metric.C2_WAIT] now; what is not visible is absent. */
    fun cpuUse(): Map<Metric, Double>

    /** The last reading of [metric]; null without one. */
    fun last(metric: Metric): Double?

    /** Current number of threads by family. */
    fun threadFamilies(): Map<String, Int>

    fun jvmFacts(): Map<String, String>

    /** Cost of attaching to its JVM; null without one. */
    fun probeCost(): ProbeFound? = null

    fun peakRss(): Bytes?

    /** Stops sampling and returns the series. */
    fun finish(): Series

    /**
     * Observes closely for [length], while load goes on; blocks at most half a second longer. What cannot be observed is missing, with the
     * reason; only an interrupt is thrown. [seed]: of its random moments. [mayEnd]: when it ends before.
     */
    fun diagnose(length: Duration, seed: Long, mayEnd: EarlyEnd): Diagnosis

    /** The limits of the subject that [diagnosis] suspects and that can be changed while it runs, the likeliest first. */
    fun movable(diagnosis: Diagnosis): List<MovableLimit> = emptyList()

    /** The size that the setting [key] gives at the start, of the only pool of its kind; null if it cannot be changed while the subject runs. */
    fun sizeOf(key: String): SettableSize? = null
}

/** The size of a pool of a running subject. Every call may block; what fails is false or null. */
interface SettableSize {
    /** Whether the value read back is [value]. */
    fun set(value: Int): Boolean

    /** The current value; null if it cannot be read. */
    fun read(): Int?
}

/** When an observation may end before its time. */
enum class EarlyEnd {
    NEVER,

    /** When further thread dumps would show the same. */
    WHEN_SETTLED,

    /** When they would show the same, and there is a limit to change in the time that is left. */
    WHEN_SETTLED_AND_MOVABLE,
}

/** A limit of a running subject that can be changed. Every call may block; what fails is false or null. */
interface MovableLimit {
    /** As in [bootdyno.model.MovedLimit]. */
    val resource: String
    val noun: String
    val original: Double

    /** A larger value to try; null if there can be none. */
    val larger: Double?

    /** A smaller value to try, by about a fifth; null if there can be none. */
    val smaller: Double?

    /** Mean number of units in use; null if requests do not hold units. */
    val inUse: Double?

    /** Whether the value read back is [value]. */
    fun set(value: Double): Boolean

    /** The current value; null if it cannot be read. */
    fun read(): Double?

    /** Whether no more than [value] units are in use. */
    fun isObeyed(value: Double): Boolean = true

    /** Whether at least [value] units are in use, or are not known to be free. */
    fun isTaken(value: Double): Boolean = true
}
