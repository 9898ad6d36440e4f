package bootdyno.engines.gatling

/** What Gatling's console tells now and then, and once more when it ends: totals of the whole run. [active] users are under way. */
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
    private var good = 0L
    private var bad = 0L
    private var active = 0L
    private var totalsFound = false

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
        good = 0
        bad = 0
        active = 0
        totalsFound = false
    }

    private fun end(): Summary? {
        place = Place.OUTSIDE
        ended = true
        return Summary(good, bad, active).takeIf { totalsFound }
    }

    private fun inside(line: String) {
        val heading = HEADING.find(line)
        val totals = GLOBAL.find(line)
        val users = ACTIVE.find(line)
        when {
            heading != null -> title = heading.groupValues[1]

            totals != null && title == "Requests" && !totalsFound -> {
                totalsFound = true
                good = totals.groupValues[1].number()
                bad = totals.groupValues[2].number()
            }

            users != null && (scenario == null || title == scenario) -> active += users.groupValues[1].number()
        }
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
