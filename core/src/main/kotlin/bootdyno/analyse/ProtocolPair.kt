package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.model.exact
import bootdyno.stats.Estimate
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The same cell measured cold and warm: what its warm-up is worth. */
@Serializable
data class ProtocolPair(
    /** The cell without its protocol. */
    @SerialName("cell") val name: String,
    val cold: CellId,
    val steady: CellId,
    /** Throughput cold by throughput steady, within rounds; null where no round has both. */
    @SerialName("throughputRatio") val ratio: Share?,
)

internal fun protocolPairsOf(measured: Measurements): List<ProtocolPair> {
    val cells = measured.run.plan.cells
    val several = cells.map { it.profile.declared to it.profile.point }.distinct().size > 1
    return cells.filter { it.profile.protocol == MeasuringProtocol.STEADY }.flatMap { steady ->
        cells.filter { it.profile.protocol != MeasuringProtocol.STEADY && it.isElse(steady) }.map { cold ->
            ProtocolPair(
                name = steady.withoutProtocol(several),
                cold = cold.id,
                steady = steady.id,
                ratio = measured.ratio(cold.id, steady.id, Measure.THROUGHPUT)?.figure?.estimate,
            )
        }
    }
}

/** Whether the two differ in their protocol only. */
private fun Cell.isElse(other: Cell) = variant.name == other.variant.name && workload.name == other.workload.name &&
    profile.declared == other.profile.declared && profile.point == other.profile.point && profile.engine == other.profile.engine

private fun Cell.withoutProtocol(severalProfiles: Boolean): String {
    val value = profile.point?.let { "+${it.axis}=${exact(it.value)}" }.orEmpty()
    return "${variant.name}/${workload.name}" + if (severalProfiles) "@${profile.declared}$value" else ""
}
