package bootdyno.schedule

import bootdyno.model.Cell
import bootdyno.model.DiagnosedTrials
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Trial
import kotlin.time.Duration

/**
 * The time for changing limits in the subject of [trial], beyond that of its observation. Zero in a run of one round; also in one that may
 * add rounds, if all cells together would take more than a tenth of its budget. Then what the observation leaves of its own time must do.
 * Null if nothing is to be changed: between the ends of an axis, after the first round, in a server that was already running. Also null
 * where the experiment forbids it.
 */
fun Plan.timeToMove(trial: Trial): Duration? {
    val cell = cell(trial.cell)
    val repetition = experiment.repetition
    val isAsked = trial.round == 1 && !trial.again && repetition.diagnose != DiagnosedTrials.OBSERVE
    if (!isAsked || !diagnoses(trial) || cell.subject.origin is Origin.Url || !isEndOfAxis(cell)) return null
    val isLong = Timing.MOVING * cells.count(::isEndOfAxis) > repetition.budget * LARGEST_SHARE
    val costsRounds = isLong && repetition.maxRounds > repetition.rounds
    return if (repetition.maxRounds == 1 || costsRounds) Duration.ZERO else Timing.MOVING
}

/** Of the budget. A further round tells more than a further suspect. */
private const val LARGEST_SHARE = 0.1

private fun Plan.isEndOfAxis(cell: Cell): Boolean {
    val value = cell.point?.value ?: return true
    val values = cells.filter { it.line == cell.line && it.point?.axis == cell.point?.axis }.mapNotNull { it.point?.value }
    return value == values.min() || value == values.max()
}
