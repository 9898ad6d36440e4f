package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.MORE_ERRORS
import bootdyno.model.CellId
import bootdyno.model.Experiment
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.stats.Estimate
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/**
 * Instances of a cell, each under its limits, that together serve [targetRate] requests per second at their measured capacity, less the
 * headroom of the experiment.
 */
data class InstancesNeeded(
    val cell: CellId,
    val targetRate: Double,
    /** Requests per second of one instance. */
    val capacity: Estimate,
    val instances: Int,
    /** At the upper and lower end of the capacity's interval; null without an interval. */
    val fewest: Int?,
    val most: Int?,
    /** CPUs of all instances: as limited (null: unlimited), and as used at the target rate, which is rate × CPU time per request. */
    val cpuLimit: Double?,
    val cpuUsed: Estimate?,
    /** Peak resident memory of all instances. */
    val memory: Estimate?,
    /** Reasons why it may be other instances, as parts of a sentence. */
    val doubts: List<String>,
    /** Of a million requests at the target rate, in the currency of the prices; null without prices. */
    val costOfMillion: Double? = null,
)

/**
 * One entry per cell with a measured capacity, warm and under closed load: the window of open load or of a burst shows none. It is the throughput,
 * or the capacity found, be it a lower bound, where any cell of the same work was searched. The target rate is the experiment's. By default, it is
 * 10 times the best capacity of the same work, [rounded up][roundUp]: one instance is at most 10 % of all.
 */
fun instancesNeeded(analysis: Analysis, explanations: List<CellExplanation>): List<InstancesNeeded> =
    analysis.groups.flatMap { group ->
        val baseline = group.baseline?.let(analysis::cell)
        val cells = group.cells.mapNotNull(analysis::cell).filter { it.measuresCapacity }
        val isSearched = cells.any { it.capacitySteps.isNotEmpty() }
        val servable = cells.mapNotNull { cell ->
            (if (isSearched) cell.capacity?.estimate else cell.throughput)?.takeIf { it.value > 0 }?.let { cell to it }
        }
        val best = servable.maxOfOrNull { (_, capacity) -> capacity.value } ?: return@flatMap emptyList()
        val target = analysis.run.plan.experiment.targetRate ?: roundUp(INSTANCES * best)
        servable.map { (cell, capacity) ->
            val explanation = explanations.find { it.cell == cell.cell.id }.takeUnless { isSearched }
            instances(cell, capacity, target, analysis.run.plan.experiment, doubts(cell, baseline, explanation))
        }
    }

private const val INSTANCES = 10

/** Of quotients that are whole numbers. */
private const val ROUNDING = 1e-9
private const val SECONDS_OF_HOUR = 3600
private const val MILLION = 1e6

private val CellAnalysis.memory: Estimate? get() = resources[Measure.PEAK_RSS] ?: resources[Measure.RSS]

val CellAnalysis.measuresCapacity: Boolean
    get() = cell.profile.loadInWindow is LoadProfile.Closed && cell.profile.protocol == MeasuringProtocol.STEADY

private fun instances(
    cell: CellAnalysis,
    capacity: Estimate,
    target: Double,
    experiment: Experiment,
    doubts: List<String>,
): InstancesNeeded {
    fun at(rate: Double) = ceil(target / (rate * (1 - experiment.headroom)) - ROUNDING).toInt()
    val count = at(capacity.value)
    val interval = capacity.interval?.takeIf { it.low > 0 }
    return InstancesNeeded(
        cell = cell.cell.id,
        targetRate = target,
        capacity = capacity,
        instances = count,
        fewest = interval?.let { at(it.high) },
        most = interval?.let { at(it.low) },
        cpuLimit = cell.cell.limits.cpus?.times(count),
        cpuUsed = cell.resources[Measure.CPU_PER_REQUEST]?.times(target),
        memory = cell.memory?.times(count.toDouble()),
        doubts = doubts,
        costOfMillion = experiment.prices?.let { prices ->
            val cpus = cell.cell.limits.cpus ?: cell.resources[Measure.CPU]?.value
            val memory = cell.cell.limits.memory?.count?.toDouble() ?: cell.memory?.value
            prices.ofInstance(cpus, memory)?.let { hour -> count * hour / (target * SECONDS_OF_HOUR) * MILLION }
        },
    )
}

private operator fun Estimate.times(factor: Double) =
    copy(value = value * factor, interval = interval?.let { it.copy(low = it.low * factor, high = it.high * factor) })

private fun doubts(cell: CellAnalysis, baseline: CellAnalysis?, explanation: CellExplanation?): List<String> {
    val failsMore = baseline != null && cell.capacity == null && cell.errorShare > baseline.errorShare + MORE_ERRORS
    return listOfNotNull(
        "fails more requests than the baseline".takeIf { failsMore },
        cell.unsteady?.what,
        "its capacity is a lower bound: an instance may serve more".takeIf { cell.capacity?.censored == true },
        "limited by the load: an instance may serve more".takeIf { explanation?.binding?.ofLoad == true },
    )
}

private val CellAnalysis.errorShare get() = if (sent > 0) failed.toDouble() / sent else 0.0

/** To 1, 2 or 5 times a power of ten. */
private fun roundUp(rate: Double): Double {
    val power = 10.0.pow(floor(log10(rate)))
    return listOf(1.0, 2.0, 5.0, 10.0).map { it * power }.first { it >= rate * (1 - ROUNDING) }
}
