package bootdyno.store

import bootdyno.model.Assertion
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.model.Repetition
import bootdyno.model.plural
import kotlin.time.Duration

private const val MOST_ROUNDS = 10_000
private const val MOST_CELLS = 100_000

/** Why [plan] is invalid, as a sentence without a full stop; null if it is valid. */
internal fun problemOf(plan: Plan): String? {
    val twice = plan.cells.groupBy { it.id }.values.find { it.size > 1 }?.first()
    val ids = plan.cells.map { it.id }.toSet()
    val unknown = plan.experiment.gates.flatMap { listOfNotNull(it.left, it.right) }.map { it.cell }.find { it !in ids }
    val unclaimed = plan.experiment.claims.mapNotNull { candidateOf(it.assertion) }.find { it !in ids }
    return when {
        plan.cells.isEmpty() -> "it has no cells"
        plan.cells.size > MOST_CELLS -> "it has ${plan.cells.size} cells"
        twice != null -> "it has the cell ${twice.id} twice"
        unknown != null -> "it has a gate for the cell $unknown, and no such cell"
        unclaimed != null -> "it has a claim about the cell $unclaimed, and no such cell"
        plan.prediction?.isSound(plan) == false -> "it predicts ${plan.prediction} of ${plural(plan.cells.size, "cell")}"
        else -> problemOf(plan.experiment.repetition) ?: plan.cells.firstNotNullOfOrNull(::problemOf)
    }
}

/** The cell that a claim compares; null if it compares none. */
private fun candidateOf(claim: Assertion): CellId? = when (claim) {
    is Assertion.Ratio -> claim.candidate
    is Assertion.Difference -> claim.candidate
    is Assertion.Figure -> null
}

private fun Prediction.isSound(plan: Plan): Boolean =
    low > 0 && low <= high && high.isFinite() && plan.cells.size == 2 && plan.experiment.baseline == plan.cells.first().id

private fun problemOf(protocol: Repetition): String? = when {
    protocol.rounds !in 1..MOST_ROUNDS -> "it has ${protocol.rounds} rounds"
    protocol.maxRounds !in protocol.rounds..MOST_ROUNDS -> "it has ${protocol.rounds} to ${protocol.maxRounds} rounds"
    !protocol.budget.isSound -> "its budget is ${protocol.budget}"
    else -> null
}

private fun problemOf(cell: Cell): String? {
    val profile = cell.profile
    val wrong = when {
        !profile.window.isSound -> "a window of ${profile.window}"
        !profile.timeout.isSound -> "a timeout of ${profile.timeout}"
        cell.workload.holds?.isSound == false -> "a holding time of ${cell.workload.holds}"
        cell.workload.calls < 0 -> "${cell.workload.calls} calls"
        cell.latencyAt.any { !it.isSound } -> "open load at ${cell.latencyAt}"
        else -> problemOf(profile.load) ?: problemOf(cell.limits)
    }
    return wrong?.let { "its cell ${cell.id} has $it" }
}

private val OpenRate.isSound: Boolean
    get() = when (this) {
        is OpenRate.Share -> share > 0 && share.isFinite()
        is OpenRate.OwnShare -> share > 0 && share.isFinite()
        is OpenRate.PerSecond -> perSecond > 0 && perSecond.isFinite()
    }

private fun problemOf(load: LoadProfile): String? = if (load.isSound) null else "the load $load"

private fun problemOf(limits: Limits): String? {
    val cpus = limits.cpus
    val memory = limits.memory
    return when {
        cpus != null && !(cpus > 0 && cpus.isFinite()) -> "$cpus CPUs"
        memory != null && memory.count <= 0 -> "${memory.count} bytes of memory"
        else -> null
    }
}

private val Duration.isSound: Boolean get() = isPositive() && isFinite()
