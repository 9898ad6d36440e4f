package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** `trial.json`: everything one trial left behind, except its histograms and its series. Times are seconds. */
@Serializable
data class TrialRecord(
    val schemaVersion: Int = 1,
    val trial: Trial,
    val ending: Ending,
    /** Wall clock at the start of the trial, ISO 8601 with offset. */
    val startedAt: String,
    val phases: List<Phase> = emptyList(),
    val limits: LimitsFound? = null,
    /** Null where there is none. */
    val database: DatabaseFound? = null,
    val subject: SubjectFound? = null,
    val warmUp: WarmUpFound? = null,
    val load: LoadFound? = null,
    /** Open load after the window, ascending; empty where none was asked for. */
    val openPoints: List<OpenPointFound> = emptyList(),
    /** In the order they were started. */
    val services: List<ServiceFound> = emptyList(),
    /** What its jar was run as; null for what is no jar. */
    val prepared: PreparedFound? = null,
)

/** Open load of [perSecond] requests: [share] of what the window before it had served. */
@Serializable
data class OpenPointFound(val share: Double, val perSecond: Double, val load: LoadFound)

@Serializable
sealed interface Ending {
    @Serializable
    @SerialName("measured")
    data object Measured : Ending

    /** [stage] is where it failed, [lastLines] the end of the subject's log. */
    @Serializable
    @SerialName("failed")
    data class Failed(val stage: Stage, val reason: String, val lastLines: List<String>) : Ending

    /** This machine lacks what it takes: nothing was tried, and nothing failed. [reason] says what is missing and how to get it. */
    @Serializable
    @SerialName("not-run")
    data class NotRun(val reason: String) : Ending
}

/** The stages of a trial, in order. */
@Serializable(with = StageByWord::class)
enum class Stage(override val word: String) : Worded {
    /** Making what the subject's jar is run as, once before the first trial of it. */
    PREPARE("prepare"),

    /** Starting what the subject calls, and waiting until it is ready. */
    SERVICES("services"),
    LAUNCH("launch"),
    READY("ready"),
    VERIFY("verify"),
    WARM_UP("warm-up"),
    DRAIN("drain"),
    WINDOW("window"),

    /** Open load at shares of the capacity that the window found. */
    LATENCY_AT("latency-at"),
    STOP("stop"),
}

internal object StageByWord : ByWord<Stage>(Stage.entries)

/** A span of the trial, in seconds since it began. */
@Serializable
data class Phase(val stage: Stage, val from: Double, val to: Double)

/** Limits as applied and read back, never as asked for. */
@Serializable
data class LimitsFound(
    /** `cgroup v1`, `cgroup v2`, `docker, cgroup v2`, `systemd scope`, `affinity and heap`, `none`… */
    val mechanism: String,
    /** CPUs the subject may use at once: the quota, or the number of CPUs it is pinned to. Null: not limited. */
    val cpus: Double?,
    val cpuBy: CpuBy?,
    /** The CPUs it may run on, as the kernel lists them (`1`, `0-1`). */
    val cpuList: String?,
    val memory: Bytes?,
    /** The CPUs of the load engine, as the kernel lists them. */
    val engineCpuList: String?,
    /** What could not be applied, in sentences. */
    val notes: List<String> = emptyList(),
)

/** The subject as it really ran. */
@Serializable
data class SubjectFound(
    val pid: Long?,
    /** The full command line, secrets redacted. */
    val commandLine: List<String>,
    val sha256: String?,
    /** exec to first good answer. Null for a server that already ran. */
    val startupSeconds: Double?,
    /** CPU seconds spent until the first good answer. */
    val startupCpuSeconds: Double?,
    /** Response time of single requests, one at a time, before any load: what one request holds when nothing queues. */
    val aloneSeconds: Double?,
    /** The most threads seen at once, by family: `tomcat`, `dispatchers`, `bounded-elastic`, `event-loop`… */
    val threadFamilies: Map<String, Int> = emptyMap(),
    /** `java.version`, `os.arch`, GC and heap as the JVM itself says. */
    val jvm: Map<String, String> = emptyMap(),
    /** Peak resident memory as the kernel says at the end. */
    val peakRss: Bytes? = null,
    /** The most memory its control group ever held, page cache included. */
    val peakGroupMemory: Bytes? = null,
    /** How long its framework says it took to start: Spring's "Started … in … seconds". */
    val frameworkStartupSeconds: Double? = null,
    /** What it ran in; null where it was a process of this machine. */
    val container: ContainerFound? = null,
)

/** A container as it really ran. */
@Serializable
data class ContainerFound(
    val id: String,
    val image: String,
    /** The engine with its version: `Docker 28.2.2`. */
    val engine: String,
    /** The user id of the process, as this machine's kernel says; null when it had ended already. */
    val user: Long?,
    /** What the engine took from being told to start it until its process was the subject: not part of the subject's own start-up. */
    val startSeconds: Double,
)

/** A service as it really ran. */
@Serializable
data class ServiceFound(
    val name: String,
    val pid: Long?,
    /** The full command line, secrets redacted. */
    val command: List<String>,
    val sha256: String?,
    /** What its placeholders stood for. */
    val addresses: Map<String, String>,
    /** The CPUs it may run on, as the kernel lists them; null where that is not known. */
    val cpuList: String?,
    /** exec to first good answer. Null for a server that already ran. */
    val startupSeconds: Double? = null,
    /** What passed during the load of the window, on both sides; null where it does not count or was not asked. */
    val window: CallsFound? = null,
)

/**
 * What a service counted while the window's load ran, its settling and its drain included, and what the engine counted in that
 * same time. Nothing was in flight when it began.
 */
@Serializable
data class CallsFound(
    val before: ServedCounts,
    val after: ServedCounts,
    /** Requests answered well, and all that were sent; null where the engine does not tell how far it is. */
    val answered: Long?,
    val sent: Long?,
)

/** What a service says of itself at one moment, [at] seconds since the trial began. Totals since it was started. */
@Serializable
data class ServedCounts(val at: Double, val received: Long, val answered: Long, val inFlight: Long)

/** How warm the subject was when the window opened. */
@Serializable
data class WarmUpFound(
    /** `none`, `seconds`, or `certified, ` and how: `compiler favoured`, `load and rest`, `saturating load alone`. */
    val method: String,
    val seconds: Double,
    /** Whether the slices were steady and the measured work compiled; null where it was not asked. */
    val certified: Boolean?,
    val slices: List<WarmUpSlice> = emptyList(),
    /** Seconds until the slices were first steady; what came after let the heap grow. Null where they never were, or were not asked. */
    val steadyAfter: Double? = null,
)

/** One slice of a certified warm-up: CPU of C2 inside it, and what was served. */
@Serializable
data class WarmUpSlice(
    val seconds: Double,
    val perSecond: Double,
    val c2CpuSeconds: Double?,
    /** It asked with the workload's cheap parameters, so that it says nothing of what only the real ones reach. */
    val cheap: Boolean = false,
    /** The committed heap at its end; null where it was not read. */
    val heapCommitted: Bytes? = null,
)

/** One trial as read from the run folder. [openLatencies] are those of [TrialRecord.openPoints], in their order. */
data class TrialFacts(
    val record: TrialRecord,
    val latencies: LatencyFacts?,
    val series: Series,
    val openLatencies: List<LatencyFacts> = emptyList(),
)

/**
 * A trial whose files are missing or cannot be right: it counts nowhere. [number] and [cell] are those its folder is named after, null
 * where the name fits no trial of the plan.
 */
@Serializable
data class DamagedTrial(
    @SerialName("trial") val number: Int?,
    val cell: CellId?,
    /** The file at fault, from the run folder: `trials/0007-tomcat--blocking--closed400/series.csv`. */
    val file: String,
    /** What is wrong with it, as a sentence without its end. */
    val reason: String,
)

/** One run as read from the run folder: all that judging needs. */
data class RunFacts(
    val plan: Plan,
    val environment: Environment,
    val trials: List<TrialFacts>,
    val damaged: List<DamagedTrial> = emptyList(),
)
