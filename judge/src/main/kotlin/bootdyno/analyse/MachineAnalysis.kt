package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Environment
import bootdyno.model.Measure
import bootdyno.model.associateWithNotNull

/** What one of several machines measured: by cell, the estimates of the measures that it is compared by. */
data class MachineAnalysis(val environment: Environment, val figures: Map<CellId, Map<Measure, LatencyEstimate>>)

/** Empty for a run on one machine. */
internal fun machinesOf(measured: Measurements): List<MachineAnalysis> {
    val machines = measured.run.machines
    if (machines.size < 2) return emptyList()
    return machines.mapIndexed { index, environment ->
        val figures = measured.run.plan.cells.associate { cell ->
            cell.id to cell.comparedBy.associateWithNotNull { measure ->
                measured.counted(cell.id, at = null, measure).filter { it.machine.index == index }
                    .estimate(measure.mayBeZero, measure.step) { it.sample(measure) }
            }
        }
        MachineAnalysis(environment, figures)
    }
}
