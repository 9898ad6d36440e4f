package bootdyno.keys

import bootdyno.model.CapturePlace
import bootdyno.model.Expectation
import bootdyno.model.Step
import bootdyno.model.ThinkTime
import bootdyno.model.Workload
import bootdyno.yaml.FLAG
import bootdyno.yaml.Fields
import bootdyno.yaml.Key
import bootdyno.yaml.MapNode
import bootdyno.yaml.MapOf
import bootdyno.yaml.OneOrSwept
import bootdyno.yaml.OpenShape
import bootdyno.yaml.Scalar
import bootdyno.yaml.Shape
import bootdyno.yaml.Swept
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.Unread
import bootdyno.yaml.duration
import bootdyno.yaml.formed
import bootdyno.yaml.number
import bootdyno.yaml.parseDuration
import bootdyno.yaml.parsed
import bootdyno.yaml.toText
import bootdyno.yaml.wholeNumber
import bootdyno.yaml.words
import kotlin.time.Duration

private val METHODS = listOf("get", "post", "put", "delete", "patch", "head")
private const val HOLDS =
    "Time that a request occupies its thread or connection: `500 ms`, `\"{ms} ms\"`, or one per swept value. " +
        "Boot Dyno then expects throughput = pool size / this time (*law-like*), and warms up for some seconds only."
private val STATUS = wholeNumber(STATUSES, "an HTTP status")
private val ANSWER_PATH = Scalar("text", TEXT.schema, { it }) { cursor ->
    cursor.value("a place in a response", "write $.persons[0].id, header:Name, cookie:Name or input[name=x]") { text ->
        text.takeIf { CapturePlace.parse(it) != null }
    }
}

/** A map with the keys of one request; [step] gives the request to write. */
internal abstract class RequestShape<W>(noun: String, description: String, private val step: (W) -> Step?) :
    OpenShape<W>(noun, description) {
    val methods: List<Key<W, String>> = METHODS.map { method ->
        Key<W, String>(method, TEXT, "Path and query. `{name}` inserts a parameter.", required = false) { value ->
            step(value)?.takeIf { it.method == method.uppercase() }?.let { TEXT.write(it.path) }
        }
    }.also(::include)
    val headers by key(
        TEXTS_BY_NAME,
        "Request headers. Headers of a chain or a mix apply to all its requests; a request can override them.",
    ) { step(it)?.headers }
    val body by key(TEXT, "Request body.") { step(it)?.body }
    val expect by key(ExpectKeys, "Expected response. It is checked before the measurement and for every response.") {
        step(it)?.expect
    }
}

internal object ExpectKeys : Shape<Expectation, Expectation>("expect", "Expected response.") {
    private val status by key(STATUS, "HTTP status code.", Expectation().status) { it.status }
    private val body by key(TEXT, "The complete body. `{name}` inserts a parameter.") { it.body }
    private val contentType by key(TEXT, "Content type without parameters: `application/json`.") { it.contentType }

    override fun make(fields: Fields) = Expectation(fields[status], fields[body], fields[contentType])
}

internal object OperationKeys : RequestShape<Step>("operation", "One request of a mix.", { it }) {
    override val kinds get() = methods
    val weight by key(number(WEIGHTS), "Share of the requests, relative to the other operations.", 1.0) { step ->
        step.weight.takeIf { it != 1.0 }
    }
}

internal object StepKeys : RequestShape<Step>("step", "One request of a chain.", { it }) {
    override val kinds get() = methods
    val capture by key(
        MapOf(ANSWER_PATH),
        "Values of the response for later steps: `id: $.persons[0].id`, or [other places](#sessions).",
    ) { it.capture }
}

/** Workloads of one declaration are written as that declaration. */
internal object WorkloadKeys : RequestShape<List<Workload>>("workload", "A request, a chain, or a mix.", ::singleRequest) {
    val chain by key(MapOf(StepKeys, "step"), "[Chain](#chains-of-requests): requests sent one after the other.") { points ->
        stepsOf(points).takeIf { singleRequest(points) == null && !points.first().mix }
    }
    val mix by key(
        MapOf(OperationKeys, "operation"),
        "[Mix](#mixes-of-requests): requests chosen at random by weight.",
    ) { points -> stepsOf(points).takeIf { points.first().mix } }
    override val kinds get() = methods + chain + mix
    val data by key(TEXT, "CSV file with values, relative to this file. Each chain, or request of a mix, takes the next row.") {
        it.first().data?.path
    }
    val parameters by key(
        MapOf(OneOrSwept(TEXT)),
        "Values of the placeholders. A list [sweeps](#sweeping-an-axis) them: one cell per value.",
        get = ::parameters,
    )
    val warmUp by key(TEXTS_BY_NAME, "Values of parameters for a cheaper warm-up.") { it.first().warmUpParameters }
    val holds by key(
        Unread(OneOrSwept(Scalar("a duration", TEXT.schema, Duration::toText, HOLDING_TIME::read))),
        HOLDS,
    ) { points ->
        val times = points.mapNotNull { it.holds }
        times.firstOrNull()?.let { Swept(times, times.distinct().size > 1) }
    }
    val think by key(THINK, "[Think time](#think-times) of each user before a request: `1 s` on average, or `500 ms..2 s`.") {
        it.first().think
    }
    val login by key(
        MapOf(StepKeys, "step"),
        "[Login](#sessions): requests that each user sends once before its first one. What they capture is known in all requests.",
    ) { points -> points.first().login.associateBy { it.name } }
    val cookies by key(FLAG, "Whether each user keeps [cookies](#sessions); by default with a `login`.") { points ->
        points.first().run { cookies.takeIf { it != login.isNotEmpty() } }
    }
    val on by key(TEXTS, "Variants to measure with this workload, `[ \"tomcat*\" ]`; by default all.") { it.first().on }
    val calls by key(
        wholeNumber(CALLS),
        "Calls of one request to each [service](#services) with `counts`, to check the counts.",
        1,
    ) { it.first().calls.takeIf { calls -> calls != 1 } }
}

internal val HOLDING_TIME = duration(HOLDING_TIMES)

private const val TIME = "[0-9]+([.][0-9]+)? *(h|min|s|ms)"

/** `1 s`: exponential with this mean. `500 ms..2 s`: uniform. */
internal val THINK = parsed(
    "a duration or a range ${words(THINK_TIMES, Duration::toText)}",
    formed("^$TIME( *[.][.] *$TIME)?$"),
    ::thinkText,
    "write 1 s for a mean, or 500 ms..2 s for a range",
) { text ->
    val ends = text.split("..").mapNotNull { end -> parseDuration(end)?.takeIf { it in THINK_TIMES } }
    when {
        ".." !in text -> ends.singleOrNull()?.let { ThinkTime.Exponential(it) }
        ends.size == 2 && ends[0] < ends[1] -> ThinkTime.Uniform(ends[0], ends[1])
        else -> null
    }
}

private fun thinkText(think: ThinkTime): String = when (think) {
    is ThinkTime.Exponential -> think.mean.toText()
    is ThinkTime.Uniform -> "${think.least.toText()}..${think.most.toText()}"
}

private fun singleRequest(points: List<Workload>): Step? = points.first().run {
    steps.singleOrNull()?.takeIf { sendsTheSame && !mix && it.name == declared }
}

private fun stepsOf(points: List<Workload>): Map<String, Step> = points.first().steps.associateBy { it.name }

/** The axis comes first and is always a list, because readers take the first list as the axis. */
private fun parameters(points: List<Workload>): Map<String, Swept<String>> {
    val first = points.first()
    val axis = first.point?.axis
    return (listOfNotNull(axis) + first.parameters.keys).distinct().associateWith { name ->
        val values = points.map { it.parameters.getValue(name) }
        Swept(values, name == axis || values.distinct().size > 1)
    }
}

/** A workload as the experiment file would have it. [words]: its requests, within a sentence. */
class WrittenWorkload internal constructor(
    val name: String,
    internal val node: MapNode,
    internal val words: String = "the requests of $name",
)
