package bootdyno.explain

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.ResourceKind
import bootdyno.catalogue.SizeSetting
import bootdyno.model.count
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.occupancy.NEARLY_ALL_DUMPS
import bootdyno.occupancy.setting

/** The server has as many connections as it accepts, and others wait in its accept queue. */
internal class AcceptedConnections(
    private val observed: Observed,
    private val clients: Int,
    private val most: Int,
    private val entry: KnownResource,
    private val setting: SizeSetting,
) : Conclusion {
    private val readings = observed.diagnosis.sockets
    override val limit = entry.units.counted(most)
    override val measured: String
        get() {
            val queued = rounded(readings.map { it.listenQueue ?: 0 }.average())
            val full = readings.count { it.inbound >= most }
            return "${observed.rate}. All were in use in $full of ${plural(readings.size, "reading")}; " +
                "$queued more of ${count(clients)} clients stood in the accept queue."
        }
    override val details = listOf("A client that is not accepted waits until another one closes its connection.")
    override val advice: Advice get() = observed.advice(setting.change(clients))

    override fun isOf(ceiling: Ceiling) = ceiling.entry == entry && ceiling.size == most.toDouble()
}

internal fun acceptedConnections(observed: Observed): Conclusion? {
    val clients = observed.clients ?: return null
    val readings = observed.diagnosis.sockets
    return CATALOGUE.filter { it.kind == ResourceKind.SERVER_CONNECTIONS }.firstNotNullOfOrNull { entry ->
        val setting = entry.setting ?: return@firstNotNullOfOrNull null
        val most = observed.diagnosis.setting(setting.key)?.takeIf { it in 1..<clients } ?: return@firstNotNullOfOrNull null
        // A server may accept one more, which it does not serve.
        val full = observed.share(readings) { it.inbound in most..most + 1 && (it.listenQueue ?: 0) > 0 }
        if (full >= NEARLY_ALL_DUMPS) AcceptedConnections(observed, clients, most, entry, setting) else null
    }
}
