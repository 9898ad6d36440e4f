package bootdyno.keys

import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.REQUEST_RATES
import bootdyno.model.count
import bootdyno.model.plainText
import bootdyno.yaml.OneOrSwept
import bootdyno.yaml.OpenShape
import bootdyno.yaml.Swept
import bootdyno.yaml.TEXT
import bootdyno.yaml.choice
import bootdyno.yaml.duration
import bootdyno.yaml.parseRate
import bootdyno.yaml.parsed
import bootdyno.yaml.wholeNumber
import bootdyno.yaml.words
import kotlin.time.Duration.Companion.seconds

private val BURST_TEXT = Regex("""(\d+)\s*[x×]\s*(\d+)""")
private val CLOSED = wholeNumber(CONNECTIONS).of(LoadProfile::Closed) { it.connections }
private const val RATE = "write requests a second: 500/s"
internal val A_RATE = parsed("a rate ${words(REQUEST_RATES)} a second", TEXT.schema, { "${plainText(it)}/s" }, RATE, ::rateOf)

/** `500/s` as 500.0; null for anything else, and for a rate that no experiment may have. */
fun rateOf(text: String): Double? = parseRate(text)?.takeIf { it in REQUEST_RATES }

private val OPEN = A_RATE.of({ LoadProfile.Open(it) }) { it.perSecond }
private val BURST = parsed(
    "users × requests, at most ${count(USERS.last)} users and ${count(MOST_OF_A_BURST)} requests in all",
    TEXT.schema,
    { "${it.users} x ${it.requestsEach}" },
    "write 10000 x 100: that many users at once, that many requests each",
    ::burst,
)
private val TIMEOUT = 30.seconds

/** Profiles of one declaration, for all protocols and engines, are written as that declaration. */
internal object ProfileKeys : OpenShape<List<NamedProfile>>("profile", "Load: `closed`, `open` or `burst`.") {
    val closed by key(OneOrSwept(CLOSED), "Connections; each sends its next request after a response. Measures the capacity.") {
        loads<LoadProfile.Closed>(it)
    }
    val open by key(
        OneOrSwept(OPEN),
        "Request rate, independent of the responses. Measures the latency that users see.",
    ) { loads<LoadProfile.Open>(it) }
    val burst by key(OneOrSwept(BURST), "Users who start at once × requests of each. Ends with the last request or `window`.") {
        loads<LoadProfile.Burst>(it)
    }
    override val kinds = listOf(closed, open, burst)
    val arrivals by key(
        choice<Arrivals>(),
        "Intervals of open load: equal, or random as those of independent users (`poisson`).",
        Arrivals.CONSTANT,
    ) { (usual(it).load as? LoadProfile.Open)?.arrivals }
    val window by key(duration(WINDOWS), "Duration of the measurement; by default that of the preset.") { usual(it).window }
    val timeout by key(duration(TIMEOUTS), "Timeout of a request.", TIMEOUT) { usual(it).timeout }
    val network by key(
        NetworkKeys,
        "[Emulated network](networks.md#an-emulated-network) between load generator and subject; by default loopback.",
    ) { usual(it).engine.network }
    val warmUp by key(
        choice(mapOf("certified" to true)),
        "`certified`: warm up until the steady state despite `holds`.",
    ) { points -> true.takeIf { usual(points).certified } }
}

/** Every protocol and engine has the same loads; only the protocol `article` has another window. */
private fun usual(points: List<NamedProfile>) = points.find { it.protocol != MeasuringProtocol.ARTICLE } ?: points.first()

private inline fun <reified L : LoadProfile> loads(points: List<NamedProfile>): Swept<L>? {
    val usual = usual(points)
    val loads = points.filter { it.protocol == usual.protocol && it.engine == usual.engine }.map { it.load }.filterIsInstance<L>()
    return Swept(loads, usual.point != null).takeIf { loads.isNotEmpty() }
}

private fun burst(text: String): LoadProfile.Burst? {
    val (users, each) = BURST_TEXT.matchEntire(text.trim())?.destructured ?: return null
    val many = users.toIntOrNull()?.takeIf { it in USERS } ?: return null
    val often = each.toIntOrNull()?.takeIf { it in REQUESTS_EACH } ?: return null
    return LoadProfile.Burst(many, often).takeIf { many.toLong() * often <= MOST_OF_A_BURST }
}
