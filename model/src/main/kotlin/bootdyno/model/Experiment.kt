package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** Variants × workloads × profiles under limits, repeated in rounds. Fully resolved: all defaults are filled in. */
@Serializable
data class Experiment(
    val name: String,
    val title: String,
    val question: String,
    val source: Source?,
    val limits: Limits,
    /** Null without a database. */
    val database: Database? = null,
    /** Null without a compose file. */
    val compose: Compose? = null,
    val subjects: List<Subject>,
    val variants: List<Variant>,
    val workloads: List<Workload>,
    val profiles: List<NamedProfile>,
    /** Patterns of cell ids to measure, `*` matches any text; empty for all. */
    val only: List<String>,
    /** The cell that all others are compared with; null for a single cell. */
    val baseline: CellId?,
    val published: List<PublishedFigure>,
    val claims: List<Claim>,
    val gates: List<Gate>,
    val repetition: Repetition,
    /** Patterns of cell ids with rates: further latency measurements with open load. */
    val latencyAt: Map<String, List<OpenRate>> = emptyMap(),
    /** Services in the order of their start. */
    val services: List<Service> = emptyList(),
    /** Where subjects run. Services are always processes. */
    val place: RunPlace = RunPlace.Process,
    val matters: Matters = Matters(),
    /** Requests per second for which reports count instances; null: from the measured capacity. */
    val targetRate: Double? = null,
    /** Share of the capacity of an instance that stays free, when instances are counted. */
    val headroom: Double = 0.0,
    /** Null: reports name no cost. */
    val prices: Prices? = null,
    /** Trials search for the highest request rate that meets it; null: no search. */
    val capacity: Objective? = null,
    /** Titles of cells by their id, for reports. */
    val titles: Map<String, String> = emptyMap(),
) {
    /** Creates the cell of these parts, given by name. */
    fun cell(id: CellId, variant: String, workload: String, profile: String, latencyAt: List<OpenRate> = emptyList()): Cell {
        val own = part("variant", variant, variants) { it.name }
        val subject = part("subject", own.subject, subjects) { it.name }
        val asked = own.limits ?: limits
        return Cell(
            id = id,
            variant = own,
            subject = subject,
            workload = part("workload", workload, workloads) { it.name },
            profile = part("profile", profile, profiles) { it.name },
            // Nothing limits a server that was not started by Boot Dyno.
            limits = if (subject.origin is Origin.Url) asked.copy(cpus = null, memory = null) else asked,
            latencyAt = latencyAt,
        )
    }

    private fun <T> part(kind: String, name: String, all: List<T>, nameOf: (T) -> String): T =
        requireNotNull(all.find { nameOf(it) == name }) { "there is no $kind `$name`" }
}

/** The smallest relative difference that matters: for every measure, unless [by] says otherwise. Declared before measuring. */
@Serializable
data class Matters(val share: Double = 0.03, val by: Map<Measure, Double> = emptyMap()) {
    operator fun get(measure: Measure): Double = by[measure] ?: share
}

/** Source of published figures. [key] is its name in claims; [conditions] describes the measurement. */
@Serializable
data class Source(val key: String, val title: String, val conditions: String? = null)

/** Limits of a subject; null means unlimited. */
@Serializable
data class Limits(val cpus: Double?, val memory: Bytes?, val cpuBy: CpuBy)

/** Mechanism of a CPU limit. It affects latency, so it is part of the cell. */
@Serializable(with = CpuByByWord::class)
enum class CpuBy : Worded {
    /** A cgroup quota: the subject runs on any CPU and is throttled after its share of a period. */
    QUOTA,

    /** A number of whole CPUs by affinity: no throttling. */
    PINNING,
}

internal object CpuByByWord : ByWord<CpuBy>(CpuBy.entries)

/** A subject in one configuration. Variants are compared. */
@Serializable
data class Variant(
    val name: String,
    val subject: String,
    /** Application properties, `spring.threads.virtual.enabled=true`. */
    val settings: Map<String, String> = emptyMap(),
    /** JVM flags, in order. */
    val jvm: List<String> = emptyList(),
    val environment: Map<String, String> = emptyMap(),
    /** The `java` command for jars; null: the JVM of Boot Dyno. */
    val java: String? = null,
    val runtime: RuntimeForm = RuntimeForm.JAR,
    /** Absolute path of its working directory; null: a new, empty folder. */
    val workingDirectory: String? = null,
    /** Null: those of the experiment. */
    val limits: Limits? = null,
)

/** A chain of requests, sent one after the other and repeated, or a mix of requests. Most workloads have one request. */
@Serializable
data class Workload(
    val name: String,
    val steps: List<Step>,
    val parameters: Map<String, String> = emptyMap(),
    /** Replace parameters of the same name during the warm-up, for cheaper requests to the same code. */
    val warmUpParameters: Map<String, String> = emptyMap(),
    /** Declared holding time of a request: the H of Little's law. */
    val holds: Duration? = null,
    /** Names of its variants; empty means all. */
    val on: List<String> = emptyList(),
    /** Number of calls of one request to each counting service, to check the counts. */
    val calls: Int = 1,
    /** Its value on the swept axis; null without a sweep. */
    val point: AxisPoint? = null,
    /** CSV file; each started chain, or request of a mix, takes the next row. */
    val data: DataFile? = null,
    /** Whether each request is one of the [steps], chosen at random by its weight; otherwise they are a chain. */
    val mix: Boolean = false,
    /** Of each user of closed load and of a burst; null: none. */
    val think: ThinkTime? = null,
    /** What each user sends once before its first request, in order; not part of the measured requests. */
    val login: List<Step> = emptyList(),
    /** Whether each user keeps cookies. */
    val cookies: Boolean = false,
) {
    /** The name in the file, without a swept value. */
    val declared: String get() = point?.declared ?: name

    /** Whether all requests are identical. */
    val sendsTheSame: Boolean get() = steps.size == 1 && steps.single().capture.isEmpty() && data == null && login.isEmpty()

    /** Requests that an arrival of open load, or one of a user of a burst, stands for: all steps of a chain. */
    val requestsPerArrival: Int get() = if (mix) 1 else steps.size

    /** Names of the steps if there are several; each has figures of its own. */
    val operations: List<String> get() = steps.map { it.name }.takeIf { it.size > 1 }.orEmpty()

    /**
     * The steps with [parameters] filled in, and paths in ASCII below that of the application's address, [below]. Data columns and captured
     * values remain placeholders.
     */
    fun requests(below: String = ""): List<Step> = steps.map { sent(it, below) }

    /** The same of the [login]. */
    fun loginRequests(below: String = ""): List<Step> = login.map { sent(it, below) }

    private fun sent(step: Step, below: String): Step =
        step.mapTexts { filled(it, parameters) }.let { it.copy(path = asciiTarget(below + it.path)) }

    /** Whether its throughput is pool size / delay while the CPU is not the bottleneck, see [Cell.lawLike]. */
    val lawLike: Boolean get() = holds != null
}

/** Expected response; null fields are not checked. */
@Serializable
data class Expectation(val status: Int = 200, val body: String? = null, val contentType: String? = null)

/** [name] is unique in an experiment. [declared] is the name in the file, before sweeps, protocols and engines multiply the profile. */
@Serializable
data class NamedProfile(
    val name: String,
    val load: LoadProfile,
    val window: Duration,
    val timeout: Duration,
    val protocol: MeasuringProtocol = MeasuringProtocol.STEADY,
    val point: AxisPoint? = null,
    val declared: String = name,
    /** Load engine of the window. */
    val engine: EngineSpec = EngineSpec(),
    /** Always warm up until certified, also for law-like cells. */
    val certified: Boolean = false,
) {
    /** The address of this machine on which subjects listen; null: loopback. */
    val target: String? get() = engine.target

    /** The load in the window; null if a script of the [engine] defines it, because scripts are not parsed. */
    val loadInWindow: LoadProfile? get() = load.takeUnless { engine.bringsLoad }

    /** Whether there is a capacity to search: closed load on a warm subject by our own engine, which all open load uses. */
    val hasCapacity: Boolean
        get() = load.isClosed && protocol == MeasuringProtocol.STEADY && engine.run { name == OWN_ENGINE && script == null }
}

/** What happens in a new process before its window. */
@Serializable(with = MeasuringProtocolByWord::class)
enum class MeasuringProtocol : Worded {
    /** The experiment's [WarmUp]: some seconds for law-like cells, until certified for others. */
    STEADY,

    /** No warm-up, and a window of 30 s from the first request on, like `wrk -d30s` on a new server. */
    ARTICLE,

    /** No warm-up, and the usual window from the first request on. */
    COLD,
}

internal object MeasuringProtocolByWord : ByWord<MeasuringProtocol>(MeasuringProtocol.entries)

/** One value of a swept axis. [declared]: name of the swept workload or profile; [axis]: a parameter or a quantity of the load. */
@Serializable
data class AxisPoint(val declared: String, val axis: String, val value: Double) {
    /** The value as a resolved file has it. */
    val text: String get() = plainText(value)

    /** The name at this value: `saturate+connections=50`. */
    val named: String get() = "$declared+$axis=$text"
}

/** Rounds, times and seed, from the preset, the file and the flags. */
@Serializable
data class Repetition(
    val preset: Preset,
    val seed: Long,
    val rounds: Int,
    /** Maximum number of rounds with adaptive stopping; equal to [rounds] without it. */
    val maxRounds: Int,
    val warmUp: WarmUp,
    /** Time limit of the whole run for adding rounds beyond [rounds]. */
    val budget: Duration,
    /** Whether each round measures the baseline twice, for the resolution. */
    val again: Boolean,
    /** Runs of older versions have no [Diagnosis]. */
    val diagnose: DiagnosedTrials = DiagnosedTrials.OFF,
    /** Whether each trial has a process of its own, also where several could share one. So it was in runs of older versions. */
    val fresh: Boolean = true,
)

/** The trials with a [Diagnosis] after their window. */
@Serializable(with = DiagnosedTrialsByWord::class)
enum class DiagnosedTrials : Worded {
    OFF,

    /** Of each cell the trial of the first round. */
    ONCE,

    /** The same, and no limit of the subject is changed while it runs. */
    OBSERVE,
    ALWAYS,
}

internal object DiagnosedTrialsByWord : ByWord<DiagnosedTrials>(DiagnosedTrials.entries)

@Serializable(with = PresetByWord::class)
enum class Preset : Worded { QUICK, STANDARD, PAPER }

internal object PresetByWord : ByWord<Preset>(Preset.entries)

@Serializable
sealed interface WarmUp {
    /** No warm-up. */
    @Serializable
    @SerialName("cold")
    data object Cold : WarmUp

    /** [lawLike]: duration for law-like cells. Others warm up until certified, at most for [budget]. */
    @Serializable
    @SerialName("certified")
    data class Certified(val lawLike: Duration, val budget: Duration) : WarmUp
}
