package bootdyno.explain

import bootdyno.analyse.CellAnalysis
import bootdyno.model.ErrorCause
import bootdyno.model.count
import bootdyno.model.percent

/** From this share of failed requests on, the few good answers say nothing about a limit. */
private const val NEARLY_ALL = 0.9

/**
 * What came instead of good answers, where not one came, or hardly any. Timeouts alone may be a full pool: requests whose clients gave up
 * hold it. Any other failure ends a request early, so that nothing measured is the cost of a good answer: it [hidesLimits].
 */
internal class Failing(val sentence: String, val hidesLimits: Boolean)

/** Null where requests succeeded. */
internal fun failing(cell: CellAnalysis): Failing? {
    val all = cell.answered + cell.failed
    val causes = cell.errors.filterValues { it > 0 }.entries.sortedByDescending { it.value }
        .joinToString { (cause, count) -> "${count(count)} ${cause.words}" }
    val waiting = if (cell.inFlight > 0) ", ${count(cell.inFlight)} without a response" else ""
    val start = when {
        cell.answered == 0L && cell.failed > 0 -> "No request succeeded: $causes$waiting"

        cell.answered == 0L && cell.inFlight > 0 ->
            "No request succeeded: ${count(cell.inFlight)} had no response when the window ended"

        cell.failed > 0 && cell.failed >= NEARLY_ALL * all ->
            "${nearly(cell.failed.toDouble() / all)} of the requests failed: $causes"

        else -> return null
    }
    val early = cell.failed - (cell.errors[ErrorCause.TIMEOUT] ?: 0)
    return Failing("$start. See the log of the application.", cell.answered == 0L || early >= NEARLY_ALL * all)
}

/** Never 100 % where one succeeded. */
private fun nearly(share: Double): String = if (share > 0.99) "More than 99 %" else percent(share)
