package bootdyno.plan

import bootdyno.model.Arrivals
import bootdyno.model.AxisPoint
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

internal val PROFILE_KINDS = listOf("closed", "open", "burst")
internal val PROFILE_KEYS = PROFILE_KINDS + listOf("arrivals", "window", "timeout", "warm-up")
internal val ARRIVALS = mapOf("constant" to Arrivals.CONSTANT, "poisson" to Arrivals.POISSON)
internal val WARM_UPS = mapOf("certified" to true)
private val BURST = Regex("""(\d+)\s*[x×]\s*(\d+)""")
private val TIMEOUT = 30.seconds

/** The window of `protocol: article`: that of `wrk -d30s`, whatever the preset. */
private val ARTICLE_WINDOW = 30.seconds

/** What is swept when the number of a load is a list, by the load's kind. */
private val LOAD_AXES = mapOf("closed" to "connections", "open" to "rate", "burst" to "users")

/**
 * Reads profiles; [windowOf] says how long to measure, given what the file asks for. A burst's window is the longest it may
 * take, which no preset and no protocol cuts: requests that were never sent say nothing.
 */
internal class ProfileReading(private val windowOf: (Duration?) -> Duration) {
    /** The profile as declared, or one for each value of its load; null after a problem. Protocols come later. */
    fun read(entry: Entry): List<NamedProfile>? {
        entry.checkName()
        val fields = entry.value.fields(PROFILE_KEYS) ?: return null
        val kind = fields.exactlyOne(PROFILE_KINDS)
        val arrivals = fields["arrivals"]
        val spacing = arrivals?.oneOf(ARRIVALS) ?: Arrivals.CONSTANT
        if (kind != null && kind != "open") arrivals?.problem("only open load has arrivals", "remove it, or write open: 500/s")
        val asked = fields["window"]?.duration(WINDOWS)
        val window = if (kind == "burst") asked ?: Timing.BURST_WINDOW else windowOf(asked)
        val timeout = fields["timeout"]?.duration(TIMEOUTS) ?: TIMEOUT
        val certified = fields["warm-up"]?.oneOf(WARM_UPS) ?: false
        val cursor = kind?.let { fields[it] } ?: return null
        if (cursor.node !is ListNode) {
            return load(kind, cursor, spacing)?.let {
                listOf(NamedProfile(entry.name, it, window, timeout, certified = certified))
            }
        }
        val axis = axisOf(LOAD_AXES.getValue(kind), cursor) { axisNumber(kind, it) } ?: return null
        val loads =
            cursor.list().orEmpty().mapNotNull { load(kind, it, spacing) }.takeIf { it.size == axis.texts.size } ?: return null
        return loads.mapIndexed { index, load ->
            val point = AxisPoint(entry.name, axis.name, axisNumber(kind, axis.texts[index]) ?: error("checked above: $axis"))
            NamedProfile(
                pointName(entry.name, axis.name, point.text),
                load,
                window,
                timeout,
                point = point,
                declared = entry.name,
                certified = certified,
            )
        }
    }

    private fun axisNumber(kind: String, text: String): Double? = when (kind) {
        "open" -> parseRate(text)
        "burst" -> burst(text)?.users?.toDouble()
        else -> text.toDoubleOrNull()
    }

    private fun load(kind: String, cursor: Cursor, arrivals: Arrivals): LoadProfile? = when (kind) {
        "closed" -> cursor.wholeNumber(CONNECTIONS)?.let(LoadProfile::Closed)

        "open" -> cursor.value("a rate ${words(RATES)} a second", "write requests a second: 500/s", ::rate)?.let {
            LoadProfile.Open(it, arrivals)
        }

        else -> cursor.value(
            "users × requests, at most ${whole(USERS.last.toLong())} users and ${whole(MOST_OF_A_BURST)} requests in all",
            "write 10000 x 100: that many users at once, that many requests each",
            ::burst,
        )
    }

    private fun rate(text: String): Double? = parseRate(text)?.takeIf { it in RATES }

    private fun burst(text: String): LoadProfile.Burst? {
        val (users, each) = BURST.matchEntire(text.trim())?.destructured ?: return null
        val many = users.toIntOrNull()?.takeIf { it in USERS } ?: return null
        val often = each.toIntOrNull()?.takeIf { it in REQUESTS_EACH } ?: return null
        return LoadProfile.Burst(many, often).takeIf { many.toLong() * often <= MOST_OF_A_BURST }
    }
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
