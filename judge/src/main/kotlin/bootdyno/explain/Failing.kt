package bootdyno.explain

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.NEARLY_ALL
import bootdyno.analyse.failedBy
import bootdyno.model.ErrorCause
import bootdyno.model.count
import bootdyno.model.percent

private const val SHOWN = 200

/**
 * Describes the failures if no or hardly any request succeeded. [hidesCosts]: not with timeouts alone, which a full pool may cause. Any other
 * failure ends a request early, so that no measured cost or time is that of a successful response.
 */
internal class Failing(val sentence: String, val hidesCosts: Boolean)

/** Null if requests succeeded. */
internal fun failing(cell: CellAnalysis): Failing? {
    val all = cell.answered + cell.failed
    val causes = failedBy(cell.errors, cell.failures)
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
    val log = cell.errorLogged?.let { "Its log says most often: ${it.take(SHOWN)}" } ?: "See the log of the application."
    return Failing(
        listOfNotNull("$start.", cell.refuses, log).joinToString(" "),
        cell.answered == 0L || early >= NEARLY_ALL * all,
    )
}

/** Never 100 % if one succeeded. */
private fun nearly(share: Double): String = if (share > 0.99) "More than 99 %" else percent(share)
