package bootdyno.plan

import bootdyno.model.Expectation
import bootdyno.model.JsonPath
import bootdyno.model.Step
import bootdyno.model.Workload
import kotlin.time.Duration

private val METHODS = listOf("get", "post", "put", "delete", "patch", "head")
private const val HOLDS =
    "How long a request holds what its style occupies: `500 ms`, `\"{ms} ms\"`, or one for each swept value. " +
        "The throughput of such a cell is a pool divided by this time (*law-like*): seconds of warm-up do."
private val STATUS = wholeNumber(STATUSES, "an HTTP status")
private val ANSWER_PATH = Scalar("text", TEXT.schema, { it }) { cursor ->
    cursor.value("a way into a JSON answer", "names after dots and places in brackets only: $.persons[0].id") { text ->
        text.takeIf { JsonPath.parse(it) != null }
    }
}

/** What has the keys of one request; [step] gives the request to write. */
internal abstract class RequestShape<W>(noun: String, description: String, private val step: (W) -> Step?) :
    OpenShape<W>(noun, description) {
    val methods: List<Key<W, String>> = METHODS.map { method ->
        Key<W, String>(method, TEXT, "Path and query; `{name}` stands for a parameter.", required = false) { value ->
            step(value)?.takeIf { it.method == method.uppercase() }?.let { TEXT.write(it.path) }
        }
    }.also(::include)
    val headers by key(TEXTS_BY_NAME, "Request headers; of a chain, for each step without such a header of its own.") {
        step(it)?.headers
    }
    val body by key(TEXT, "Request body.") { step(it)?.body }
    val expect by key(ExpectKeys, "What a good answer looks like, checked before the measurement and on every answer.") {
        step(it)?.expect
    }
}

internal object ExpectKeys : Shape<Expectation, Expectation>("expect", "What a good answer looks like.") {
    private val status by key(STATUS, "HTTP status.", Expectation().status) { it.status }
    private val body by key(TEXT, "The whole body; `{name}` stands for a parameter.") { it.body }
    private val contentType by key(TEXT, "Without its parameters.") { it.contentType }

    override fun make(fields: Fields) = Expectation(fields[status], fields[body], fields[contentType])
}

internal object StepKeys : RequestShape<Step>("step", "One request of a chain.", { it }) {
    override val kinds get() = methods
    val capture by key(MapOf(ANSWER_PATH), "Values of the answer, which is JSON, for later steps: `id: $.persons[0].id`.") {
        it.capture
    }
}

/** What one declaration became is written as that declaration again. */
internal object WorkloadKeys : RequestShape<List<Workload>>("workload", "A request, or a chain of them.", ::singleRequest) {
    val chain by key(MapOf(StepKeys, "step"), "Requests one after the other, a [chain](#chains-of-requests).") { points ->
        points.first().steps.associateBy { it.name }.takeIf { singleRequest(points) == null }
    }
    override val kinds get() = methods + chain
    val data by key(TEXT, "Of a chain: a CSV file beside this one. Each chain begun takes the next row.") {
        it.first().data?.path
    }
    val parameters by key(
        MapOf(OneOrSwept(TEXT)),
        "Values for the placeholders. A list is [swept](#sweeping-an-axis).",
        get = ::parameters,
    )
    val warmUp by key(TEXTS_BY_NAME, "Cheaper values of the parameters while warming up.") { it.first().warmUpParameters }
    val holds by key(
        Unread(OneOrSwept(Scalar("a duration", TEXT.schema, Duration::toText, HOLDING_TIME::read))),
        HOLDS,
    ) { points ->
        val times = points.mapNotNull { it.holds }
        times.firstOrNull()?.let { Swept(times, times.distinct().size > 1) }
    }
    val on by key(TEXTS, "The variants it applies to, `[ \"tomcat*\" ]`; all when left out.") { it.first().on }
    val calls by key(wholeNumber(CALLS), "Calls of each service that counts, by one request; for the check of counts.", 1) {
        it.first().calls.takeIf { calls -> calls != 1 }
    }
}

internal val HOLDING_TIME = duration(HOLDING_TIMES)

private fun singleRequest(points: List<Workload>): Step? = points.first().run {
    steps.singleOrNull()?.takeIf { sendsTheSame && it.name == declared }
}

/** The axis is a list even of one value, and comes first, since the first list is the axis. */
private fun parameters(points: List<Workload>): Map<String, Swept<String>> {
    val first = points.first()
    val axis = first.point?.axis
    return (listOfNotNull(axis) + first.parameters.keys).distinct().associateWith { name ->
        val values = points.map { it.parameters.getValue(name) }
        Swept(values, name == axis || values.distinct().size > 1)
    }
}
