package bootdyno.explain

import bootdyno.analyse.CellAnalysis
import bootdyno.model.ErrorCause
import bootdyno.model.count
import bootdyno.model.percent

/** From this share of failed requests on, the few good answers say nothing about a limit. */
private const val NEARLY_ALL = 0.9

/** What came instead of good answers, where not one came, or hardly any; null where requests succeeded. */
internal class Failing private constructor(
    val sentence: String,
    private val errors: Map<ErrorCause, Long>,
    private val answered: Long,
) {
    /**
     * Timeouts alone may be a full pool: requests whose clients gave up hold it. Any other failure ends a request early, so that nothing
     * measured is the cost of a good answer.
     */
    val hidesLimits: Boolean
        get() {
            val early = errors.filterKeys { it != ErrorCause.TIMEOUT }.values.sum()
            return answered == 0L || early >= NEARLY_ALL * (answered + errors.values.sum())
        }

    companion object {
        fun of(cell: CellAnalysis): Failing? {
            val failed = cell.errors.values.sum()
            val start = when {
                cell.answered == 0L && failed > 0 -> "No request succeeded: ${causes(cell.errors)}${waiting(cell)}"

                cell.answered == 0L && cell.inFlight > 0 ->
                    "No request succeeded: ${count(cell.inFlight)} had no response when the window ended"

                failed > 0 && failed >= NEARLY_ALL * (cell.answered + failed) ->
                    "${nearly(failed.toDouble() / (cell.answered + failed))} of the requests failed: ${causes(cell.errors)}"

                else -> return null
            }
            return Failing("$start. See the log of the application.", cell.errors, cell.answered)
        }

        private fun causes(errors: Map<ErrorCause, Long>): String = errors.filterValues { it > 0 }.entries
            .sortedByDescending { it.value }
            .joinToString { (cause, count) -> "${count(count)} ${cause.words}" }

        private fun waiting(cell: CellAnalysis) = if (cell.inFlight > 0) ", ${count(cell.inFlight)} without a response" else ""

        /** Never 100 % where one succeeded. */
        private fun nearly(share: Double): String = if (share > 0.99) "More than 99 %" else percent(share)
    }
}
