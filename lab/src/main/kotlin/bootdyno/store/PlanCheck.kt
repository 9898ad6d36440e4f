package bootdyno.store

import bootdyno.model.Assertion
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.Environment
import bootdyno.model.Experiment
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.model.Repetition
import bootdyno.model.WarmUp
import bootdyno.model.plural
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.nanoseconds

private const val MOST_ROUNDS = 10_000
private const val MOST_CELLS = 100_000

/* What any version plans is within these. */
private val CPUS = 1..10_000
private val SHARES_OF_CPUS = 0.001..10_000.0
private val MEMORIES = Bytes.MIB..1_000_000 * Bytes.GIB
private val RATES = 1e-6..1e9
private val SHARES = 1e-6..100.0
private val WEIGHTS = 1e-6..1e9
private val CALLS = 0..100_000_000
private val FIGURES = 1e-9..1e15
private val TOLERANCES = 1e-6..10.0
private val NUMBERS_OF_USERS = 1..100_000_000
private val LONGEST = 365.days
private val SHORTEST = 1.nanoseconds

/** Why [plan] is invalid, as a sentence without a full stop; null if it is valid. */
internal fun problemOf(plan: Plan): String? {
    val twice = plan.cells.groupBy { it.id }.values.find { it.size > 1 }?.first()
    val ids = plan.cells.map { it.id }.toSet()
    val unknown = plan.experiment.gates.flatMap { listOfNotNull(it.left, it.right) }.map { it.cell }.find { it !in ids }
    val unclaimed = plan.experiment.claims.flatMap { it.cells }.find { it !in ids }
    return when {
        plan.cells.isEmpty() -> "it has no cells"

        plan.cells.size > MOST_CELLS -> "it has ${plan.cells.size} cells"

        twice != null -> "it has the cell ${twice.id} twice"

        unknown != null -> "it has a gate for the cell $unknown, and no such cell"

        plan.experiment.baseline?.let { it !in ids } == true -> "its baseline is ${plan.experiment.baseline}, and no such cell"

        unclaimed != null -> "it has a claim about the cell $unclaimed, and no such cell"

        plan.prediction?.isSound(plan) == false -> "it predicts ${plan.prediction} of ${plural(plan.cells.size, "cell")}"

        else -> problemOf(plan.experiment.repetition) ?: problemOf(plan.experiment)
            ?: plan.cells.firstNotNullOfOrNull(::problemOf)
    }
}

/** Of the figures that an experiment states or compares with. */
private fun problemOf(experiment: Experiment): String? {
    val (mayBeZero, positive) = experiment.published.partition { it.measure.mayBeZero }
    val (limits, ratios) = experiment.gates.partition { it.right == null }
    val figures = positive.map { it.value } + experiment.claims.mapNotNull { publishedBy(it.assertion) } +
        ratios.map { it.factor } + listOfNotNull(experiment.targetRate) + experiment.capacity?.limits.orEmpty().map { it.below }
    val orZero = mayBeZero.map { it.value } + limits.map { it.factor }
    val shares = experiment.claims.map { it.tolerance } + experiment.matters.share + experiment.matters.by.values
    val prices = experiment.prices?.run { listOfNotNull(instanceHour, cpuHour, gibHour) }.orEmpty()
    val warmUp = experiment.repetition.warmUp as? WarmUp.Certified
    return (figures.find { it !in FIGURES } ?: orZero.find { it !in 0.0..FIGURES.endInclusive })?.let { "it has the figure $it" }
        ?: shares.find { it !in TOLERANCES }?.let { "it has the share $it" }
        ?: prices.find { it !in 0.0..FIGURES.endInclusive }?.let { "it has the price $it" }
        ?: experiment.headroom.takeIf { it !in 0.0..<1.0 }?.let { "it has the headroom $it" }
        ?: listOfNotNull(warmUp?.lawLike, warmUp?.budget).find { !it.isSound }?.let { "it has a warm-up of $it" }
}

private fun publishedBy(claim: Assertion): Double? = when (claim) {
    is Assertion.Ratio -> claim.published
    is Assertion.Figure -> claim.published
    is Assertion.Difference -> null
}

private fun Prediction.isSound(plan: Plan): Boolean =
    low > 0 && low <= high && high.isFinite() && plan.cells.size == 2 && plan.experiment.baseline == plan.cells.first().id

private fun problemOf(repetition: Repetition): String? = when {
    repetition.rounds !in 1..MOST_ROUNDS -> "it has ${repetition.rounds} rounds"
    repetition.maxRounds !in repetition.rounds..MOST_ROUNDS -> "it has ${repetition.rounds} to ${repetition.maxRounds} rounds"
    !repetition.budget.isSound -> "its budget is ${repetition.budget}"
    else -> null
}

private fun problemOf(cell: Cell): String? {
    val profile = cell.profile
    val wrong = when {
        !profile.window.isSound -> "a window of ${profile.window}"
        !profile.timeout.isSound -> "a timeout of ${profile.timeout}"
        cell.workload.holds?.isSound == false -> "a holding time of ${cell.workload.holds}"
        cell.workload.calls !in CALLS -> "${cell.workload.calls} calls"
        cell.workload.steps.isEmpty() -> "no request"
        cell.workload.steps.any { it.weight !in WEIGHTS } -> "the weights ${cell.workload.steps.map { it.weight }}"
        cell.workload.think?.mean?.isSound == false -> "a think time of ${cell.workload.think?.mean}"
        cell.latencyAt.any { !it.isSound } -> "open load at ${cell.latencyAt}"
        else -> problemOf(profile.load) ?: problemOf(cell.limits)
    }
    return wrong?.let { "its cell ${cell.id} has $it" }
}

private val OpenRate.isSound: Boolean
    get() = when (this) {
        is OpenRate.Share -> share in SHARES
        is OpenRate.OwnShare -> share in SHARES
        is OpenRate.PerSecond -> perSecond in RATES
    }

private fun problemOf(load: LoadProfile): String? {
    val sound = when (load) {
        is LoadProfile.Closed -> load.connections in NUMBERS_OF_USERS
        is LoadProfile.Open -> load.perSecond in RATES
        is LoadProfile.Burst -> load.users in NUMBERS_OF_USERS && load.requestsEach in NUMBERS_OF_USERS
    }
    return if (sound) null else "the load $load"
}

private fun problemOf(limits: Limits): String? {
    val cpus = limits.cpus
    val memory = limits.memory
    return when {
        cpus != null && cpus !in SHARES_OF_CPUS -> "$cpus CPUs"
        memory != null && memory.count !in MEMORIES -> "${memory.count} bytes of memory"
        else -> null
    }
}

/** Why [environment] is invalid, as a sentence without a full stop; null if it is valid. */
internal fun problemOf(environment: Environment): String? {
    val memory = environment.memory
    return impossibleNumber(JsonFile.tree(Environment.serializer(), environment), LARGEST_NUMBER) ?: when {
        environment.cpus !in CPUS -> "it has ${environment.cpus} CPUs"
        memory != null && memory.count !in MEMORIES -> "it has ${memory.count} bytes of memory"
        environment.rounds.any { it !in 1..MOST_ROUNDS } -> "it has the rounds ${environment.rounds}"
        else -> null
    }
}

private val Duration.isSound: Boolean get() = this in SHORTEST..LONGEST
