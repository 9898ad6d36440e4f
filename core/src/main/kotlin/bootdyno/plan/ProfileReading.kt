package bootdyno.plan

import bootdyno.model.Arrivals
import bootdyno.model.AxisPoint
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

private val BURST_TEXT = Regex("""(\d+)\s*[x×]\s*(\d+)""")
private val CONNECTIONS_OF_LOAD = wholeNumber(CONNECTIONS)
private val RATE = parsed(
    "a rate ${words(RATES)} a second",
    TEXT.schema,
    { "${plainText(it)}/s" },
    "write requests a second: 500/s",
) { text -> parseRate(text)?.takeIf { it in RATES } }
private val BURST = parsed(
    "users × requests, at most ${whole(USERS.last.toLong())} users and ${whole(MOST_OF_A_BURST)} requests in all",
    TEXT.schema,
    { "${it.users} x ${it.requestsEach}" },
    "write 10000 x 100: that many users at once, that many requests each",
    ::burst,
)

/** What one declaration became, and in which protocols and by which engines, is written as that declaration again. */
internal object ProfileKeys : OpenShape<List<NamedProfile>>("profile", "A load: one of closed, open and burst.") {
    val closed by key(
        OneOrSwept(CONNECTIONS_OF_LOAD),
        "Connections; each sends again when it is answered. Measures the capacity.",
    ) {
        loads<LoadProfile.Closed, _>(it) { load -> load.connections }
    }
    val open by key(
        OneOrSwept(RATE),
        "Requests a second, sent on schedule, answered or not. Measures the latency that users see.",
    ) {
        loads<LoadProfile.Open, _>(it) { load -> load.perSecond }
    }
    val burst by key(OneOrSwept(BURST), "Users at once, and requests of each. Ends with the last request, or with `window`.") {
        loads<LoadProfile.Burst, _>(it) { load -> load }
    }
    override val kinds = listOf(closed, open, burst)
    val arrivals by key(
        choice(words<Arrivals>()),
        "Spacing of open load; `poisson` as of independent users.",
        Arrivals.CONSTANT,
    ) {
        (usual(it).load as? LoadProfile.Open)?.arrivals
    }
    val window by key(duration(WINDOWS), "How long to measure; the preset's when left out.") { usual(it).window }
    val timeout by key(duration(TIMEOUTS), "When a request is given up.", TIMEOUT) { usual(it).timeout }
    val warmUp by key(choice(mapOf("certified" to true)), "`certified`: warm up until certified, law-like or not.") { points ->
        true.takeIf { usual(points).certified }
    }
}

private val TIMEOUT = 30.seconds

/** The window of `protocol: article`: that of `wrk -d30s`, whatever the preset. */
private val ARTICLE_WINDOW = 30.seconds

/** What is swept when the number of a load is a list. */
private fun axisName(kind: Key<*, *>) = when (kind) {
    ProfileKeys.open -> "rate"
    ProfileKeys.burst -> "users"
    else -> "connections"
}

/** Every protocol and engine has the same loads; the article's window is its own. */
private fun usual(points: List<NamedProfile>) = points.find { it.protocol != MeasuringProtocol.ARTICLE } ?: points.first()

private inline fun <reified L : LoadProfile, V> loads(points: List<NamedProfile>, value: (L) -> V): Swept<V>? {
    val usual = usual(points)
    if (usual.load !is L) return null
    val same = points.filter { it.protocol == usual.protocol && it.engine == usual.engine }
    return Swept(same.map { it.load }.filterIsInstance<L>().map(value), usual.point != null)
}

/**
 * Reads profiles; [windowOf] says how long to measure, given what the file asks for. A burst's window is the longest it may
 * take, which no preset and no protocol cuts: requests that were never sent say nothing.
 */
internal class ProfileReading(private val windowOf: (Duration?) -> Duration) {
    /** The profile as declared, or one for each value of its load; null after a problem. Protocols come later. */
    fun read(entry: Entry): List<NamedProfile>? {
        entry.checkName()
        val fields = ProfileKeys.read(entry.value) ?: return null
        val kind = fields.exactlyOne(ProfileKeys.kinds)
        val isBurst = kind == ProfileKeys.burst
        val spacing = fields[ProfileKeys.arrivals]
        if (kind != null && kind != ProfileKeys.open) {
            fields.at(ProfileKeys.arrivals)?.problem("only open load has arrivals", "remove it, or write open: 500/s")
        }
        val asked = fields[ProfileKeys.window]
        val window = if (isBurst) asked ?: Timing.BURST_WINDOW else windowOf(asked)
        val timeout = fields[ProfileKeys.timeout]
        val certified = fields[ProfileKeys.warmUp] ?: false
        val cursor = kind?.let(fields::at) ?: return null
        if (cursor.node !is ListNode) {
            return load(kind, cursor, spacing)?.let {
                listOf(NamedProfile(entry.name, it, window, timeout, certified = certified))
            }
        }
        val axis = axisOf(axisName(kind), cursor) { axisNumber(kind, it) } ?: return null
        val loads =
            cursor.list().orEmpty().mapNotNull { load(kind, it, spacing) }.takeIf { it.size == axis.texts.size } ?: return null
        return loads.mapIndexed { index, load ->
            val point = AxisPoint(entry.name, axis.name, axisNumber(kind, axis.texts[index]) ?: error("checked above: $axis"))
            NamedProfile(
                point.named,
                load,
                window,
                timeout,
                point = point,
                declared = entry.name,
                certified = certified,
            )
        }
    }

    private fun axisNumber(kind: Key<*, *>, text: String): Double? = when (kind) {
        ProfileKeys.open -> parseRate(text)
        ProfileKeys.burst -> burst(text)?.users?.toDouble()
        else -> text.toDoubleOrNull()
    }

    private fun load(kind: Key<*, *>, cursor: Cursor, arrivals: Arrivals): LoadProfile? = when (kind) {
        ProfileKeys.open -> RATE.read(cursor)?.let { LoadProfile.Open(it, arrivals) }
        ProfileKeys.burst -> BURST.read(cursor)
        else -> CONNECTIONS_OF_LOAD.read(cursor)?.let(LoadProfile::Closed)
    }
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
            profile.copy(
                name = (own + ways).joinToString("+"),
                window = if (fixed) ARTICLE_WINDOW else profile.window,
                protocol = protocol,
                declared = profile.declared,
                engine = engine,
            )
        }
    }
}
