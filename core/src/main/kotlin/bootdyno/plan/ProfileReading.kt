package bootdyno.plan

import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

internal val PROFILE_KINDS = listOf("closed", "open", "burst")
internal val PROFILE_KEYS = PROFILE_KINDS + listOf("arrivals", "window", "timeout")
internal val ARRIVALS = mapOf("constant" to Arrivals.CONSTANT, "poisson" to Arrivals.POISSON)
private val BURST = Regex("""(\d+)\s*[x×]\s*(\d+)""")
private val TIMEOUT = 30.seconds

/** Reads profiles; [windowOf] says how long to measure, given what the file asks for. */
internal class ProfileReading(private val windowOf: (Duration?) -> Duration) {
    fun read(entry: Entry): NamedProfile? {
        entry.checkName()
        val fields = entry.value.fields(PROFILE_KEYS) ?: return null
        val kind = fields.exactlyOne(PROFILE_KINDS)
        val arrivals = fields["arrivals"]
        val spacing = arrivals?.oneOf(ARRIVALS) ?: Arrivals.CONSTANT
        if (kind != null && kind != "open") arrivals?.problem("only open load has arrivals", "remove it, or write open: 500/s")
        val window = fields["window"]?.duration()
        val timeout = fields["timeout"]?.duration()
        val load = kind?.let { fields[it] }?.let { load(kind, it, spacing) } ?: return null
        return NamedProfile(entry.name, load, windowOf(window), timeout ?: TIMEOUT)
    }

    private fun load(kind: String, cursor: Cursor, arrivals: Arrivals): LoadProfile? = when (kind) {
        "closed" -> cursor.wholeNumber(1)?.let(LoadProfile::Closed)

        "open" -> cursor.value("a rate above 0", "write requests a second: 500/s", ::parseRate)?.let {
            LoadProfile.Open(it, arrivals)
        }

        else -> cursor.value("users × requests", "write 10000 x 100: that many users at once, that many requests each", ::burst)
    }

    private fun burst(text: String): LoadProfile.Burst? {
        val (users, each) = BURST.matchEntire(text.trim())?.destructured ?: return null
        val sizes = listOf(users, each).mapNotNull { number -> number.toIntOrNull()?.takeIf { it > 0 } }
        return if (sizes.size == 2) LoadProfile.Burst(sizes.first(), sizes.last()) else null
    }
}
