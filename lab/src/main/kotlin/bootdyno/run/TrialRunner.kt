package bootdyno.run

import bootdyno.model.Cell
import bootdyno.model.LatencyHistograms
import bootdyno.model.Series
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUp
import java.nio.file.Path

/** The record of one trial, and its measurements if it has some. */
data class TrialOutcome(
    val record: TrialRecord,
    val latencies: LatencyHistograms? = null,
    val series: Series = Series(emptyList()),
    val openLatencies: List<LatencyHistograms> = emptyList(),
)

/** Runs trials, one at a time. A failure of the subject or the engine becomes a record, not an exception. */
class TrialRunner(
    internal val parts: TrialParts,
    internal val clock: RunClock,
    internal val warmUpOf: (Cell) -> WarmUp,
    internal val seed: Long,
    internal val listener: (RunEvent) -> Unit,
) {
    internal val preparing = Preparing(parts, seed)

    fun run(trial: Trial, cell: Cell, log: Path, way: WayToWarm = WayToWarm.FAVOURED): TrialOutcome =
        OneTrial(this, trial, cell, log, way).run()
}
