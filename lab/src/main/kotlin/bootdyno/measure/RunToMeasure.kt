package bootdyno.measure

import bootdyno.model.Plan
import bootdyno.model.TrialFacts
import bootdyno.store.RunFolder

/** An open run folder with its finished trials. [fresh]: created for this run. */
internal data class OpenedRun(val folder: RunFolder, val already: List<TrialFacts>, val fresh: Boolean)

/**
 * A run whose folder is opened or created after the machine's lock was taken, so that a rejected run leaves no folder. Owned by the measuring
 * thread.
 */
internal class RunToMeasure(private val opening: () -> OpenedRun) : AutoCloseable {
    private var opened: OpenedRun? = null
    private var begun = false

    /** Null before it was opened, and for a new folder without trials. */
    val kept: RunFolder? get() = opened?.takeIf { begun || !it.fresh }?.folder

    fun open(): OpenedRun = opening().also { opened = it }

    /** Whether trials may still be measured: some of the rounds are missing, including those that adaptive stopping may add. */
    fun mayMeasure(plan: Plan): Boolean {
        val some = opened?.folder?.environment()?.rounds.orEmpty()
        val all = plan.roundsToMeasure(some).flatMap { plan.numbersOf(it) }
        return !opened?.already.orEmpty().map { it.record.trial.number }.containsAll(all)
    }

    /** The folder is kept from now on. */
    fun begin(): OpenedRun {
        begun = true
        return checkNotNull(opened) { "a run begins when its folder is open" }
    }

    override fun close() {
        if (kept == null) opened?.folder?.discard()
    }
}
