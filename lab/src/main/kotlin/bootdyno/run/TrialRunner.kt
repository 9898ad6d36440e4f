package bootdyno.run

import bootdyno.model.Cell
import bootdyno.model.Diagnosis
import bootdyno.model.LatencyHistograms
import bootdyno.model.Series
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUp
import bootdyno.model.facts
import java.nio.file.Path
import kotlin.time.Duration

/** The record of one trial, and its measurements if it has some. */
data class TrialOutcome(
    val record: TrialRecord,
    val latencies: LatencyHistograms? = null,
    val series: Series = Series(emptyList()),
    val openLatencies: List<LatencyHistograms> = emptyList(),
    val diagnosis: Diagnosis? = null,
) {
    /** As it will be read from the run folder. */
    fun facts(): TrialFacts = TrialFacts(record, latencies?.facts(), series, openLatencies.map { it.facts() }, diagnosis)
}

/**
 * Runs trials, one at a time. A failure of the subject or the engine becomes a record, not an exception. [openRates]: of the open load after
 * the windows; null for none. [diagnoses]: whether a trial is observed after its window. [searches]: null without capacity searches.
 * [measuresStartUp]: whether a cell starts under its CPU limit; others get it when they are ready.
 */
class TrialRunner(
    internal val parts: TrialParts,
    internal val clock: RunClock,
    internal val warmUpOf: (Cell) -> WarmUp,
    internal val seed: Long,
    internal val openRates: OpenRates? = null,
    internal val diagnoses: (Trial) -> Boolean = { false },
    internal val searches: CapacitySearches? = null,
    internal val measuresStartUp: (Cell) -> Boolean = { true },
    internal val listener: (RunEvent) -> Unit,
) {
    internal val preparing = Preparing(parts, seed)

    /** [warmAtLeast]: minimum duration of the warm-up. */
    fun run(
        trial: Trial,
        cell: Cell,
        log: Path,
        way: WayToWarm = WayToWarm.FAVOURED,
        warmAtLeast: Duration = Duration.ZERO,
    ): TrialOutcome = OneTrial(this, trial, cell, log, way, warmAtLeast).run()
}
