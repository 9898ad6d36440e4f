package bootdyno.plan

import bootdyno.model.Arrivals
import bootdyno.model.AxisPoint
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.Preset
import bootdyno.model.count
import bootdyno.model.plainText
import kotlin.time.Duration.Companion.seconds

private val BURST_TEXT = Regex("""(\d+)\s*[x×]\s*(\d+)""")
private val CLOSED = wholeNumber(CONNECTIONS).of(LoadProfile::Closed) { it.connections }
private const val RATE = "write requests a second: 500/s"
private val OPEN = parsed("a rate ${words(RATES)} a second", TEXT.schema, { "${plainText(it)}/s" }, RATE) { text ->
    parseRate(text)?.takeIf { it in RATES }
}.of({ LoadProfile.Open(it) }) { it.perSecond }
private val BURST = parsed(
    "users × requests, at most ${count(USERS.last)} users and ${count(MOST_OF_A_BURST)} requests in all",
    TEXT.schema,
    { "${it.users} x ${it.requestsEach}" },
    "write 10000 x 100: that many users at once, that many requests each",
    ::burst,
)
private val TIMEOUT = 30.seconds

/** The window of `protocol: article`: that of `wrk -d30s`, whatever the preset. */
private val ARTICLE_WINDOW = 30.seconds

/** What one declaration became, and in which protocols and by which engines, is written as that declaration again. */
internal object ProfileKeys : OpenShape<List<NamedProfile>>("profile", "A load: one of closed, open and burst.") {
    val closed by key(OneOrSwept(CLOSED), "Connections; each sends again when it is answered. Measures the capacity.") {
        loads<LoadProfile.Closed>(it)
    }
    val open by key(
        OneOrSwept(OPEN),
        "Requests a second, sent on schedule, answered or not. Measures the latency that users see.",
    ) { loads<LoadProfile.Open>(it) }
    val burst by key(OneOrSwept(BURST), "Users at once, and requests of each. Ends with the last request, or with `window`.") {
        loads<LoadProfile.Burst>(it)
    }
    override val kinds = listOf(closed, open, burst)
    val arrivals by key(
        choice<Arrivals>(),
        "Spacing of open load; `poisson` as of independent users.",
        Arrivals.CONSTANT,
    ) { (usual(it).load as? LoadProfile.Open)?.arrivals }
    val window by key(duration(WINDOWS), "How long to measure; the preset's when left out.") { usual(it).window }
    val timeout by key(duration(TIMEOUTS), "When a request is given up.", TIMEOUT) { usual(it).timeout }
    val warmUp by key(choice(mapOf("certified" to true)), "`certified`: warm up until certified, law-like or not.") { points ->
        true.takeIf { usual(points).certified }
    }
}

/** Every protocol and engine has the same loads; the article's window is its own. */
private fun usual(points: List<NamedProfile>) = points.find { it.protocol != MeasuringProtocol.ARTICLE } ?: points.first()

private inline fun <reified L : LoadProfile> loads(points: List<NamedProfile>): Swept<L>? {
    val usual = usual(points)
    val loads = points.filter { it.protocol == usual.protocol && it.engine == usual.engine }.map { it.load }.filterIsInstance<L>()
    return Swept(loads, usual.point != null).takeIf { loads.isNotEmpty() }
}

/**
 * The profile as declared, or one for each value of its load; null after a problem. Protocols come later. A burst's window is the longest it
 * may take, which no preset and no protocol cuts: requests that were never sent say nothing.
 */
internal fun readProfile(entry: Entry, preset: Preset): List<NamedProfile>? {
    entry.checkName()
    val fields = ProfileKeys.read(entry.value) ?: return null
    val kind = fields.exactlyOne(ProfileKeys.kinds) ?: return null
    if (kind != ProfileKeys.open) {
        fields.at(ProfileKeys.arrivals)?.problem("only open load has arrivals", "remove it, or write open: 500/s")
    }
    val cursor = fields.at(kind) ?: return null
    val loads = kind.type.read(cursor) ?: return null
    if (loads.swept && !checkAxis(cursor, loads.values)) return null
    val asked = fields[ProfileKeys.window]
    return loads.values.map { load ->
        val point = if (loads.swept) pointOf(entry.name, load) else null
        NamedProfile(
            name = point?.named ?: entry.name,
            load = if (load is LoadProfile.Open) load.copy(arrivals = fields[ProfileKeys.arrivals]) else load,
            window = if (load is LoadProfile.Burst) asked ?: Timing.BURST_WINDOW else preset.window(asked),
            timeout = fields[ProfileKeys.timeout],
            point = point,
            declared = entry.name,
            certified = fields[ProfileKeys.warmUp] ?: false,
        )
    }
}

/** What is swept when the number of a load is a list, and its value. */
private fun pointOf(declared: String, load: LoadProfile) = when (load) {
    is LoadProfile.Closed -> AxisPoint(declared, "connections", load.connections.toDouble())
    is LoadProfile.Open -> AxisPoint(declared, "rate", load.perSecond)
    is LoadProfile.Burst -> AxisPoint(declared, "users", load.users.toDouble())
}

private fun burst(text: String): LoadProfile.Burst? {
    val (users, each) = BURST_TEXT.matchEntire(text.trim())?.destructured ?: return null
    val many = users.toIntOrNull()?.takeIf { it in USERS } ?: return null
    val often = each.toIntOrNull()?.takeIf { it in REQUESTS_EACH } ?: return null
    return LoadProfile.Burst(many, often).takeIf { many.toLong() * often <= MOST_OF_A_BURST }
}

/**
 * Every profile in every protocol by every engine. One declared profile measured in several ways is called after them (`article`,
 * `steady`, `steady+wrk`); several profiles keep their names and add it (`saturate+article`).
 */
internal fun inEveryWay(
    profiles: List<NamedProfile>,
    protocols: List<MeasuringProtocol>,
    engines: List<EngineSpec>,
): List<NamedProfile> = profiles.flatMap { profile ->
    protocols.flatMap { protocol ->
        engines.map { engine ->
            val ways = listOfNotNull(protocol.word.takeIf { protocols.size > 1 }, engine.name.takeIf { engines.size > 1 })
            val own = listOf(profile.name).filter { profiles.size > 1 || ways.isEmpty() }
            val fixed = protocol == MeasuringProtocol.ARTICLE && profile.load !is LoadProfile.Burst
            val window = if (fixed) ARTICLE_WINDOW else profile.window
            profile.copy(name = (own + ways).joinToString("+"), window = window, protocol = protocol, engine = engine)
        }
    }
}
