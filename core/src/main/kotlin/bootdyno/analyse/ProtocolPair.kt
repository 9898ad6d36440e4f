package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
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
