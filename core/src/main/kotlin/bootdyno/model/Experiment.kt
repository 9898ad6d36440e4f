package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** A declared question: variants × workloads × profiles under limits, repeated in rounds. Fully resolved: every default is filled in. */
@Serializable
data class Experiment(
    val name: String,
    val title: String,
    val question: String,
    val source: Source?,
    val limits: Limits,
    /** Where the subjects keep their data; null where they keep none. */
    val database: Database? = null,
    val subjects: List<Subject>,
    val variants: List<Variant>,
    val workloads: List<Workload>,
    val profiles: List<NamedProfile>,
    /** Patterns of cell ids to keep, `*` matches anything; empty keeps all. */
    val only: List<String>,
    /** The cell all others are compared with; null when there is one cell. */
    val baseline: CellId?,
    val published: List<PublishedFigure>,
    val claims: List<Claim>,
    val gates: List<Gate>,
    val repetition: Repetition,
    /** Patterns of cell ids, with the shares of the measured capacity at which their latency is measured too, as open load. */
    val latencyAt: Map<String, List<Double>> = emptyMap(),
    /** What subjects call while they are measured, in the order they are started. */
    val services: List<Service> = emptyList(),
    /** Where subjects run; what they call runs as processes always. */
    val place: RunPlace = RunPlace.Process,
) {
    /** The cell of these parts, which are given by their names. */
    fun cell(id: CellId, variant: String, workload: String, profile: String, latencyAt: List<Double> = emptyList()): Cell {
        val own = part("variant", variant, variants) { it.name }
        return Cell(
            id = id,
            variant = own,
            subject = part("subject", own.subject, subjects) { it.name },
            workload = part("workload", workload, workloads) { it.name },
            profile = part("profile", profile, profiles) { it.name },
            limits = limits,
            latencyAt = latencyAt,
        )
    }

    private fun <T> part(kind: String, name: String, all: List<T>, nameOf: (T) -> String): T =
        requireNotNull(all.find { nameOf(it) == name }) { "there is no $kind `$name`" }
}

/** Where published figures come from. [key] is how claims name it; [conditions] what they were measured under, in a phrase. */
@Serializable
data class Source(val key: String, val title: String, val conditions: String? = null)

/** What a subject gets of the machine; null means not limited. */
@Serializable
data class Limits(val cpus: Double?, val memory: Bytes?, val cpuBy: CpuBy)

/** The mechanism of a CPU limit. It shapes latency, so it is part of the cell. */
@Serializable(with = CpuByByWord::class)
enum class CpuBy : Worded {
    /** A cgroup quota: the subject may run on any CPU and sleeps when its share of a period is spent. */
    QUOTA,

    /** Whole CPUs of its own, by affinity: no throttling. */
    PINNING,
}

internal object CpuByByWord : ByWord<CpuBy>(CpuBy.entries)

/** A subject in one configuration: the thing compared. */
@Serializable
data class Variant(
    val name: String,
    val subject: String,
    /** Application settings, `spring.threads.virtual.enabled=true`. */
    val settings: Map<String, String> = emptyMap(),
    /** JVM flags, in order. */
    val jvm: List<String> = emptyList(),
    val environment: Map<String, String> = emptyMap(),
    /** The `java` to run jars with; null means the one Boot Dyno runs on. */
    val java: String? = null,
    /** What its jar is run as. */
    val runtime: RuntimeForm = RuntimeForm.JAR,
    /** The absolute path of the folder it is started in; null: an empty one of its own. */
    val workingDirectory: String? = null,
)

/** Requests sent one after the other, again and again: a chain. Most workloads are chains of one request. */
@Serializable
data class Workload(
    val name: String,
    /** At least one, in order. */
    val steps: List<Step>,
    val parameters: Map<String, String> = emptyMap(),
    /** Parameters that replace those of the same name while warming up, to warm the same code cheaply. */
    val warmUpParameters: Map<String, String> = emptyMap(),
    /** How long a request holds what its style occupies, when the experiment knows: the H of Little's law. */
    val holds: Duration? = null,
    /** Names of the variants it applies to; empty means all. */
    val on: List<String> = emptyList(),
    /** How many calls of each counting service one request makes: what the counts of both sides are compared by. */
    val calls: Int = 1,
    /** Where it stands among the workloads that one declaration with a list of values became; null when it is alone. */
    val point: AxisPoint? = null,
    /** What a chain takes values from, a row each time it begins. */
    val data: DataFile? = null,
) {
    /** What it is called in the file: without the value it stands for. */
    val declared: String get() = point?.declared ?: name

    /** Whether the same bytes are sent each time. */
    val sendsTheSame: Boolean get() = steps.size == 1 && steps.single().capture.isEmpty() && data == null

    /** The steps by name where there are several, so that each has figures of its own. */
    val operations: List<String> get() = steps.map { it.name }.takeIf { it.size > 1 }.orEmpty()

    /** The steps with [parameters] filled in as they are. Columns of the data and captured values still stand as `{name}`. */
    fun requests(parameters: Map<String, String> = this.parameters): List<Step> = steps.map { step ->
        step.mapTexts { text -> parameters.entries.fold(text) { filled, (name, value) -> filled.replace("{$name}", value) } }
    }

    /** Its throughput follows from a pool and a delay, as long as the CPU serves it: see [Cell.lawLike]. */
    val lawLike: Boolean get() = holds != null
}

/** What a good answer looks like; null fields are not checked. */
@Serializable
data class Expectation(val status: Int = 200, val body: String? = null, val contentType: String? = null)

/** [name] is unique in an experiment; [declared] what the file calls it, before its axis, its protocols and its engines multiplied it. */
@Serializable
data class NamedProfile(
    val name: String,
    val load: LoadProfile,
    val window: Duration,
    val timeout: Duration,
    val protocol: MeasuringProtocol = MeasuringProtocol.STEADY,
    val point: AxisPoint? = null,
    val declared: String = name,
    /** Who asks while the window is open. */
    val engine: EngineSpec = EngineSpec(),
    /** It is so much load that the cost of a request counts, whatever it holds: subjects are warmed until certified. */
    val certified: Boolean = false,
) {
    /** What is asked while the window is open; null where a script of the [engine] says that, which nobody here has read. */
    val loadInWindow: LoadProfile? get() = load.takeUnless { engine.bringsLoad }
}

/** What happens to a fresh process before its window opens. */
@Serializable(with = MeasuringProtocolByWord::class)
enum class MeasuringProtocol : Worded {
    /** As the protocol's [WarmUp] says: seconds where a law decides, until certified where cost does. */
    STEADY,

    /** No warm-up and a window of 30 s under full load from the first request on: what `wrk -d30s` on a fresh server measures. */
    ARTICLE,

    /** No warm-up, the usual window: the first request counts. */
    COLD,
}

internal object MeasuringProtocolByWord : ByWord<MeasuringProtocol>(MeasuringProtocol.entries)

/** A place on a swept axis: [declared] is what was written down with several values of [axis], a parameter or a quantity of the load. */
@Serializable
data class AxisPoint(val declared: String, val axis: String, val value: Double) {
    /** The number as the axis of a resolved file writes it. */
    val text: String get() = plainText(value)

    /** `saturate+connections=50`: what the declaration is called at this value. */
    val named: String get() = "$declared+$axis=$text"
}

/** How often and how long. Resolved from the preset, the file and the flags. */
@Serializable
data class Repetition(
    val preset: Preset,
    val seed: Long,
    val rounds: Int,
    /** Adaptive stopping goes on to at most this many rounds; equal to [rounds] when it is off. */
    val maxRounds: Int,
    val warmUp: WarmUp,
    /** The longest the whole run may go on adding rounds beyond [rounds]. */
    val budget: Duration,
    /** Whether each round measures the baseline a second time, to learn the machine's resolution. */
    val again: Boolean,
)

@Serializable(with = PresetByWord::class)
enum class Preset : Worded { QUICK, STANDARD, PAPER }

internal object PresetByWord : ByWord<Preset>(Preset.entries)

@Serializable
sealed interface WarmUp {
    /** No warm-up at all: the first request counts. */
    @Serializable
    @SerialName("cold")
    data object Cold : WarmUp

    /** [lawLike] for cells whose throughput is a pool divided by a delay; others until certified or [budget] is spent. */
    @Serializable
    @SerialName("certified")
    data class Certified(val lawLike: Duration, val budget: Duration) : WarmUp
}
