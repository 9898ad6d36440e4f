package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** `trial.json`: all data of a trial except histograms and series. Times are seconds. */
@Serializable
data class TrialRecord(
    val schemaVersion: Int = 1,
    val trial: Trial,
    val ending: Ending,
    /** Start of the trial, ISO 8601 with offset. */
    val startedAt: String,
    val phases: List<Phase> = emptyList(),
    val limits: LimitsFound? = null,
    /** Null without a database. */
    val database: DatabaseFound? = null,
    /** The containers of the compose file; empty without one. */
    val dependencies: List<DependencyFound> = emptyList(),
    val subject: SubjectFound? = null,
    val warmUp: WarmUpFound? = null,
    val load: LoadFound? = null,
    /** Open load after the window, ascending; empty if not configured. */
    val openPoints: List<OpenPointFound> = emptyList(),
    /** In the order of their start. */
    val services: List<ServiceFound> = emptyList(),
    /** The form of its jar; null without a jar. */
    val prepared: PreparedFound? = null,
    /**
     * Seconds by which the wall clock and the monotonic clock differ over the trial: the machine was suspended, or its clock was set.
     * Null if not compared.
     */
    val clocksApartSeconds: Double? = null,
    /** Where a capacity search had to end; null if it ended by itself, and without one. */
    val searchCutOff: SearchCutOff? = null,
    /** Null if it had a process of its own. */
    val shared: SharedProcessFound? = null,
    /** Why it had a process of its own although the plan shares one, as a sentence; null if the plan does not, or if it was shared. */
    val notShared: String? = null,
) {
    /** The spans of [openPoints], in their order, drains included. */
    val openPhases: List<Phase> get() = phases.filter { it.stage == Stage.LATENCY_AT }
}

/** A process that served several trials of a round in turn: settings were changed while it ran. */
@Serializable
data class SharedProcessFound(
    /** The number of the trial for which it was started. */
    val startedBy: Int,
    /** The changed settings as read back after the window, by their keys. */
    val settings: Map<String, String>,
)

/** At [perSecond] requests, which are not in the record, the subject or the load engine ended or failed: [reason], as sentences. */
@Serializable
data class SearchCutOff(val perSecond: Double, val reason: String)

/**
 * Open load of [perSecond] requests: [share] of the lowest capacity of the cells that do the same work; null for a rate of the experiment. In
 * runs of older versions [share] is of the throughput of the preceding window.
 */
@Serializable
data class OpenPointFound(
    val share: Double? = null,
    val perSecond: Double,
    val load: LoadFound,
    /** Whether a capacity search chose the rate. */
    val searched: Boolean = false,
)

@Serializable
sealed interface Ending {
    @Serializable
    @SerialName("measured")
    data object Measured : Ending

    /** [stage] is the failed stage, [lastLines] the end of the subject's log. */
    @Serializable
    @SerialName("failed")
    data class Failed(val stage: Stage, val reason: String, val lastLines: List<String>) : Ending

    /** Not started, not failed: the machine lacks a requirement, and [reason] says how to install it; or the cell needs no further round. */
    @Serializable
    @SerialName("not-run")
    data class NotRun(val reason: String) : Ending
}

/** The stages of a trial, in order; [doing] is what the progress line says. */
@Serializable(with = StageByWord::class)
enum class Stage(override val word: String, val doing: String) : Worded {
    /** Building the form in which the jar runs, once before its first trial. */
    PREPARE("prepare", "preparing (one-time)"),

    /** Starting the services, and waiting until they are ready. */
    SERVICES("services", "starting services"),
    LAUNCH("launch", "starting"),
    READY("ready", "waiting for the first answer"),
    VERIFY("verify", "verifying answers"),
    WARM_UP("warm-up", "warming up"),
    DRAIN("drain", "draining"),
    WINDOW("window", "measuring"),

    /** Open load after the window. */
    LATENCY_AT("latency-at", "measuring latency under open load"),

    /** The load of the window goes on, and its subject is observed: see [Diagnosis]. */
    DIAGNOSIS("diagnosis", "observing what limits it"),
    STOP("stop", "stopping"),
}

internal object StageByWord : ByWord<Stage>(Stage.entries)

/** A span of the trial, in seconds since its start. */
@Serializable
data class Phase(val stage: Stage, val from: Double, val to: Double)

/** Limits as applied and read back, not as configured. */
@Serializable
data class LimitsFound(
    /** `cgroup v1`, `cgroup v2`, `docker, cgroup v2`, `systemd scope`, `affinity and heap`, `none`… */
    val mechanism: String,
    /** CPUs that the subject may use: the quota, or the number of pinned CPUs. Null: unlimited. */
    val cpus: Double?,
    val cpuBy: CpuBy?,
    /** The CPUs that it may use, in the kernel's list format (`1`, `0-1`). */
    val cpuList: String?,
    val memory: Bytes?,
    /** The CPUs of the load engine, in the kernel's list format. */
    val engineCpuList: String?,
    /** Sentences about limits that could not be applied. */
    val notes: List<String> = emptyList(),
)

/** The subject as it ran. */
@Serializable
data class SubjectFound(
    val pid: Long?,
    /** Full command line, secrets redacted. */
    val commandLine: List<String>,
    val sha256: String?,
    /** From exec to the first successful response. Null for a server that was already running, and if [startedOnAllCpus]. */
    val startupSeconds: Double?,
    /** CPU seconds until the first successful response. */
    val startupCpuSeconds: Double?,
    /** The shortest of [aloneRequests]. */
    val aloneSeconds: Double?,
    /** Maximum number of threads by family: `tomcat`, `dispatchers`, `bounded-elastic`, `event-loop`… */
    val threadFamilies: Map<String, Int> = emptyMap(),
    /** `java.version`, `os.arch`, GC and heap as reported by the JVM. */
    val jvm: Map<String, String> = emptyMap(),
    /** Peak resident memory as reported by the kernel at the end. */
    val peakRss: Bytes? = null,
    /** Peak memory of its cgroup, including the page cache. */
    val peakGroupMemory: Bytes? = null,
    /** Start-up time as logged by its framework: Spring's "Started … in … seconds". */
    val frameworkStartupSeconds: Double? = null,
    /** Response times of single requests before any load, in seconds. */
    val aloneRequests: List<Double> = emptyList(),
    /** Null for a process of this machine. */
    val container: ContainerFound? = null,
    /** Cost of attaching the probe to its JVM; null without a JVM. */
    val probe: ProbeFound? = null,
    /** What its connections negotiated before the load; null for plain HTTP/1.1. */
    val protocol: ProtocolFound? = null,
    /** Whether it got its CPU limit when it was ready, because start-up was not measured; no start-up time is recorded then. */
    val startedOnAllCpus: Boolean = false,
    /** The commonest line of its log that reports an error, where requests failed; null without one. */
    val errorLogged: String? = null,
)

/**
 * What attaching the probe cost the subject, after its first response and before its load: an upper bound, because the subject may have
 * worked meanwhile. No CPU time in a report contains [cpuSeconds]; [rss] is part of the memory.
 */
@Serializable
data class ProbeFound(val cpuSeconds: Double, val rss: Bytes)

/** A container as it ran. */
@Serializable
data class ContainerFound(
    val id: String,
    val image: String,
    /** The container engine with its version: `Docker 28.2.2`. */
    val engine: String,
    /** User id of the process on this machine; null if it had already ended. */
    val user: Long?,
    /** Seconds from the start command until the process was the subject; not part of the subject's start-up. */
    val startSeconds: Double,
)

/** A service as it ran. */
@Serializable
data class ServiceFound(
    val name: String,
    val pid: Long?,
    /** Full command line, secrets redacted. */
    val command: List<String>,
    val sha256: String?,
    /** Values of its placeholders. */
    val addresses: Map<String, String>,
    /** The CPUs that it may use, in the kernel's list format; null if unknown. */
    val cpuList: String?,
    /** From exec to the first successful response. Null for a server that was already running. */
    val startupSeconds: Double? = null,
    /** Counts of both sides during the load of the window; null if the service does not count. */
    val window: CallsFound? = null,
)

/**
 * Counts of a service during the load of the window, including settling and drain, and counts of the engine during the same time. Nothing
 * was in flight at the start.
 */
@Serializable
data class CallsFound(
    val before: ServedCounts,
    val after: ServedCounts,
    /** Successful requests and all sent requests; null if the engine does not report its progress. */
    val answered: Long?,
    val sent: Long?,
)

/** Totals that a service reports [at] seconds since the start of the trial, counted since the service started. */
@Serializable
data class ServedCounts(val at: Double, val received: Long, val answered: Long, val inFlight: Long)

/** The warm-up of a trial. */
@Serializable
data class WarmUpFound(
    /** `none`, `seconds`, or `certified, ` and one of `compiler favoured`, `load and rest`, `saturating load alone`. */
    val method: String,
    val seconds: Double,
    /** Whether the slices were steady and the measured work compiled; null if not checked. */
    val certified: Boolean?,
    val slices: List<WarmUpSlice> = emptyList(),
    /** Seconds until the slices were first steady; the heap grew afterwards. Null if never steady, or not checked. */
    val steadyAfter: Double? = null,
) {
    /** Whether the measurement began without a warm-up. */
    val isNone: Boolean get() = method == "none"
}

/** One slice of a certified warm-up: served requests, and what the threads of C2 and all threads of the subject did. */
@Serializable
data class WarmUpSlice(
    val seconds: Double,
    val perSecond: Double,
    val c2CpuSeconds: Double?,
    /** Whether it used the cheap warm-up parameters, which do not run all of the measured code. */
    val cheap: Boolean = false,
    /** Committed heap at its end; null if not read. */
    val heapCommitted: Bytes? = null,
    /** Time that C2 waited for a CPU (run-queue wait), summed over its threads; null if the kernel does not count it. */
    val c2WaitSeconds: Double? = null,
    /** CPU time of all threads of the subject, compilers included, as a share of its limit. More than 1 if the limit was lifted. */
    val cpuShare: Double? = null,
    /** Share of its time for which the garbage collector ran, from readings once a second; null if not read. */
    val gcShare: Double? = null,
)
