package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.EngineSpec
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.stats.Estimate
import bootdyno.stats.plainMean

/** A cell that several load engines measured, by one of them. */
data class EngineSide(
    val cell: CellId,
    val engine: EngineSpec,
    /** Name and version as reported by the engine; null if it never ran. */
    val version: String?,
    /** Requests per second; of the generator instead of the subject if [ownLimit]. */
    val throughput: Estimate?,
    /** Whether every trial is invalid, because the generator was the bottleneck. */
    val ownLimit: Boolean,
    /** CPU use of the generator as a share of its CPUs, over all trials. */
    val generatorCpu: Estimate?,
    /** Within-round ratio to the first engine, of all trials where none of one side counts; null for the first engine. */
    val ratio: Estimate?,
    /** Means over trials of figures printed by the engine that differ from its samples. */
    val printed: Map<String, Double>,
)

/** In the experiment's order; empty with a single engine. */
internal fun engineComparisonsOf(measured: Measurements): List<List<EngineSide>> {
    val cells = measured.run.plan.cells
    if (cells.map { it.profile.engine }.distinct().size < 2) return emptyList()
    return cells.groupBy { it.key.byAnyEngine }.values.filter { it.size > 1 }
        .map { same -> same.map { side(it, same.first(), measured) } }
}

private fun side(cell: Cell, first: Cell, measured: Measurements): EngineSide {
    val all = measured.trials(cell.id).filterNot { it.again }
    val counted = measured.counted(cell.id)
    val ownLimit = counted.isEmpty() && all.isNotEmpty()
    // Where no trial of one side counts, all do.
    val ofAll = ownLimit || measured.counted(first.id).isEmpty()
    val ratio = if (ofAll) {
        measured.ratioOfAll(cell.id, first.id, Measure.THROUGHPUT)
    } else {
        measured.ratio(cell.id, first.id, Measure.THROUGHPUT)
    }
    return EngineSide(
        cell = cell.id,
        engine = cell.profile.engine,
        version = all.firstOrNull()?.load?.engine,
        throughput = (if (ownLimit) all else counted).mean { it.throughput },
        ownLimit = ownLimit,
        generatorCpu = plainMean(all.mapNotNull { it.load.generatorShare }),
        ratio = if (cell.id == first.id) null else ratio?.figure?.estimate,
        printed = all.flatMap { it.load.printed.entries }
            .groupBy({ it.key }, { it.value }).mapValues { (_, values) -> values.average() },
    )
}

/** One cell measured cold and warm, to show the effect of the warm-up. */
data class ProtocolPair(
    /** The cell without its protocol. */
    val name: String,
    val cold: CellId,
    val steady: CellId,
    /** Cold throughput / steady throughput within rounds; null without a round that has both. */
    val ratio: Estimate?,
)

internal fun protocolPairsOf(measured: Measurements): List<ProtocolPair> {
    val cells = measured.run.plan.cells
    val profiles = cells.map { it.key.profileAtValue }
    return cells.filter { it.profile.protocol == MeasuringProtocol.STEADY }.flatMap { steady ->
        cells.filter {
            it.profile.protocol != MeasuringProtocol.STEADY && it.key.inAnyProtocol == steady.key.inAnyProtocol
        }.map { cold ->
            ProtocolPair(
                name = steady.key.nameAmong(profiles),
                cold = cold.id,
                steady = steady.id,
                ratio = measured.ratio(cold.id, steady.id, Measure.THROUGHPUT)?.figure?.estimate,
            )
        }
    }
}
