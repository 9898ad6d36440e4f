package bootdyno.engines.gatling

/** What Gatling's console prints now and then, and once more when it ends: totals of the whole run. [active] users are under way. */
internal data class Summary(val good: Long, val bad: Long, val active: Long)

/**
 * Picks the summaries out of what Gatling prints. A summary stands between two lines of `=`:
 * ```
 * ---- Requests ---------------|---Total---|-----OK----|----KO----
 * > Global                     |     1,000 |       990 |        10
 * ---- load ----------------------------------------------------
 *           waiting:         0 / active:         5  / done:        15
 * ```
 * Where a [scenario] is given, only its users count.
 */
internal class ConsoleReader(private val scenario: String?) {
    private var place = Place.OUTSIDE
    private var title = ""
    private var totals: Summary? = null
    private var active = 0L

    /** Whether the last line belonged to a summary. */
    val inSummary: Boolean get() = place != Place.OUTSIDE || ended
    private var ended = false

    /** Takes the next [line]; a summary where it ends one. */
    fun take(line: String): Summary? {
        ended = false
        when (place) {
            Place.OUTSIDE -> if (line.isRule()) place = Place.OPENED

            // A script may print such a line too.
            Place.OPENED -> if (line.endsWith("elapsed")) begin() else place = if (line.isRule()) Place.OPENED else Place.OUTSIDE

            Place.INSIDE -> if (line.isRule()) return end() else inside(line)
        }
        return null
    }

    private fun begin() {
        place = Place.INSIDE
        title = ""
        totals = null
        active = 0
    }

    private fun end(): Summary? {
        place = Place.OUTSIDE
        ended = true
        return totals?.copy(active = active)
    }

    private fun inside(line: String) {
        HEADING.find(line)?.let { title = it.groupValues[1] }
        if (title == "Requests" && totals == null) {
            totals = GLOBAL.find(line)?.destructured?.let { (good, bad) -> Summary(good.number(), bad.number(), 0) }
        }
        if (scenario == null || title == scenario) ACTIVE.find(line)?.let { active += it.groupValues[1].number() }
    }

    private enum class Place { OUTSIDE, OPENED, INSIDE }

    private companion object {
        fun String.isRule() = length > 20 && all { it == '=' }

        val HEADING = Regex("""^---- (.+?) -+(\||$)""")
        val GLOBAL = Regex("""^> Global\s+\|[^|]*\|([^|]*)\|([^|]*)$""")
        val ACTIVE = Regex("""active:([^/]*)/""")

        /** However the locale groups digits; `-` is none, and what no count can be is none either. */
        fun String.number() = filter { it.isDigit() }.toLongOrNull() ?: 0
    }
}
