package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.launch.LaunchFailed
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.LatencyFacts
import bootdyno.model.LoadFound
import bootdyno.model.OpenPointFound
import bootdyno.model.Plan
import bootdyno.model.SearchCutOff
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.facts
import bootdyno.rules.TriedRate
import bootdyno.rules.bracket
import bootdyno.rules.nextStep
import bootdyno.rules.searchRate
import bootdyno.rules.searchStep
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** The first search of a cell begins at this share of the throughput of its window. */
private const val FIRST = 0.95

/** The last request of a load is sent a moment before the end of its window. */
private const val UNTIL_TIMEOUT = 0.9

private val TIMEOUTS = setOf(ErrorCause.TIMEOUT, ErrorCause.CONNECT_TIMEOUT)

/**
 * The capacity searches of a run. The first of a cell begins near the throughput of its window. Later ones begin at the median of what
 * earlier trials found, so that one disturbed trial does not mislead them. [meets]: whether open load met the objective; null if the load
 * generator could not offer the rate. [before]: the trials of a resumed run.
 *
 * Used only by the thread that runs the rounds.
 */
class CapacitySearches(
    private val plan: Plan,
    private val meets: (Trial, OpenPointFound, LatencyFacts) -> Boolean?,
    before: List<TrialFacts> = emptyList(),
) {
    private val highestMet = mutableMapOf<CellId, List<Int>>()

    init {
        before.forEach { facts ->
            val points = facts.record.openPoints.zip(facts.openLatencies).filter { (point, _) -> point.searched }
            note(facts.record.trial, points.map { (point, latencies) -> tried(facts.record.trial, point, latencies) })
        }
    }

    /**
     * Searches after the [window] of [trial]; [drive] offers a rate in requests per second. The subject may still work on requests that timed out: then
     * [recover] waits for it. Returns where the subject or the load engine failed, or the subject did not recover: what was measured before counts.
     * Null if they did not.
     */
    fun search(trial: Trial, window: LoadFound, recover: () -> Unit, drive: (Double) -> LoadMeasured): SearchCutOff? {
        if (!plan.cell(trial.cell).profile.hasCapacity || window.answered == 0L) return null
        val start = start(trial.cell) ?: searchStep(FIRST * window.perSecond)
        val tried = mutableListOf<TriedRate>()
        var cutOff: SearchCutOff? = null
        var before = window
        while (cutOff == null) {
            val rate = searchRate(nextStep(start, tried) ?: break)
            try {
                if (leavesWork(before, plan.cell(trial.cell).profile.timeout)) recover()
                val measured = drive(rate)
                tried += tried(trial, OpenPointFound(null, rate, measured.found, searched = true), measured.latencies.facts())
                before = measured.found
            } catch (ended: LaunchFailed) {
                cutOff = SearchCutOff(rate, ended.reason)
            } catch (failed: EngineFailed) {
                cutOff = SearchCutOff(rate, failed.message.orEmpty())
            }
        }
        note(trial, tried)
        return cutOff
    }

    /** Whether requests of [load] ended at their [timeout]: in the window or, as its last ones, in the drain. */
    private fun leavesWork(load: LoadFound, timeout: Duration) = load.answered == 0L || load.leftAfter > 0 ||
        TIMEOUTS.any { it in load.errors } || load.drainSeconds >= UNTIL_TIMEOUT * timeout.toDouble(DurationUnit.SECONDS)

    private fun tried(trial: Trial, point: OpenPointFound, latencies: LatencyFacts) =
        TriedRate(searchStep(point.perSecond), meets(trial, point, latencies))

    private fun note(trial: Trial, tried: List<TriedRate>) {
        bracket(tried).met?.let { met -> highestMet.merge(trial.cell, listOf(met)) { old, new -> old + new } }
    }

    private fun start(cell: CellId): Int? = highestMet[cell]?.sorted()?.let { it[it.size / 2] }
}
