package bootdyno.run

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.LoadFound
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.Work
import java.math.BigDecimal
import java.math.MathContext

/** Open load of [perSecond] requests; [share] of a capacity, null for an absolute rate. */
class RatedLoad(val share: Double?, val perSecond: Double)

/**
 * The rates of open load after the windows of a run. Shares refer to the capacities of the first measured trial of each cell. A rate is fixed
 * when the first trial needs it: it is the same for all cells that do the same work, in all rounds. [before]: the trials of a resumed run.
 *
 * Used only by the thread that runs the rounds.
 */
class OpenRates(private val plan: Plan, before: List<TrialRecord> = emptyList()) {
    private val capacities = mutableMapOf<CellId, Double>()
    private val rates = mutableMapOf<Pair<Work, Double>, Double>()

    init {
        before.filter { it.ending is Ending.Measured }.sortedBy { it.trial.number }.forEach { record ->
            record.load?.let { note(record.trial, it) }
            val work = plan.workOf(plan.cell(record.trial.cell))
            record.openPoints.forEach { point -> point.share?.let { rates[work to it] = point.perSecond } }
        }
    }

    /** The open loads of [trial] after its window, with the counts of that [window]. */
    fun after(trial: Trial, window: LoadFound): List<RatedLoad> {
        note(trial, window)
        if (!plan.measuresOpenLoad(trial)) return emptyList()
        val cell = plan.cell(trial.cell)
        return cell.latencyAt.map { rate ->
            when (rate) {
                is OpenRate.Share -> RatedLoad(rate.share, rateAt(rate.share, cell))
                is OpenRate.PerSecond -> RatedLoad(null, rate.perSecond)
                is OpenRate.OwnShare -> RatedLoad(rate.share, rate.share * window.perSecond)
            }
        }.filter { it.perSecond > 0 }
    }

    /** A repetition replaces its trial. */
    private fun note(trial: Trial, window: LoadFound) {
        val isFirst = trial.round == 1 && !trial.again
        if (window.answered > 0 && (isFirst || trial.cell !in capacities)) capacities[trial.cell] = window.perSecond
    }

    /** To three digits, which reports print in full. */
    private fun rateAt(share: Double, cell: Cell): Double {
        val lowest = plan.sharing(cell).mapNotNull { capacities[it.id] }.minOrNull() ?: return 0.0
        return rates.getOrPut(plan.workOf(cell) to share) { BigDecimal(share * lowest).round(MathContext(3)).toDouble() }
    }
}
