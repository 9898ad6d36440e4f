package bootdyno.explain

import bootdyno.model.Change
import bootdyno.model.count
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.occupancy.setting

/** The largest number of connections that a server accepts. */
private class MostConnections(val noun: String, val setting: String)

private val MOST_CONNECTIONS =
    listOf(MostConnections("Tomcat", TOMCAT_CONNECTIONS), MostConnections("Jetty", "server.jetty.max-connections"))

/** The server has as many connections as it accepts, and others wait in its accept queue. */
internal class AcceptedConnections(
    private val observed: Observed,
    private val clients: Int,
    private val server: String,
    private val most: Int,
    private val setting: String,
) : Conclusion {
    private val readings = observed.diagnosis.sockets
    override val limit = "${count(most)} $server connections"
    override val measured: String
        get() {
            val queued = rounded(readings.map { it.listenQueue ?: 0 }.average())
            val full = readings.count { it.inbound >= most }
            return "${observed.rate}: all in use in $full of ${plural(readings.size, "reading")}, " +
                "$queued more in the accept queue, ${count(clients)} clients."
        }
    override val details = listOf("A client that is not accepted waits until another one closes its connection.")
    override val advice: Advice get() = observed.advice(Change.Setting(setting, "$clients"))
}

internal fun acceptedConnections(observed: Observed): Conclusion? {
    val clients = observed.clients ?: return null
    val readings = observed.diagnosis.sockets
    return MOST_CONNECTIONS.firstNotNullOfOrNull { server ->
        val most = observed.diagnosis.setting(server.setting)?.takeIf { it in 1..<clients } ?: return@firstNotNullOfOrNull null
        // A server may accept one more, which it does not serve.
        val full = observed.share(readings) { it.inbound in most..most + 1 && (it.listenQueue ?: 0) > 0 }
        if (full >= NEARLY_ALL_DUMPS) AcceptedConnections(observed, clients, server.noun, most, server.setting) else null
    }
}
