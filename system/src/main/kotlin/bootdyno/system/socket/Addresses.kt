package bootdyno.system.socket

import bootdyno.system.ioOrNull
import bootdyno.system.succeeds
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket

/** The addresses of [host] with [port], at least one: `localhost` may be 127.0.0.1 and ::1. Unresolved if it has none. */
fun socketAddresses(host: String, port: Int): List<InetSocketAddress> =
    ioOrNull { InetAddress.getAllByName(host).map { InetSocketAddress(it, port) } }
        ?: listOf(InetSocketAddress.createUnresolved(host, port))

/** The first address of [host] at which a server accepts connections on [port], because it may listen on one of them only; without any, the first. */
fun acceptingAddress(host: String, port: Int): InetSocketAddress {
    val all = socketAddresses(host, port)
    return if (all.size == 1) all.single() else all.firstOrNull(::accepts) ?: all.first()
}

private fun accepts(address: InetSocketAddress): Boolean = succeeds { Socket().use { it.connect(address, CONNECT_MILLIS) } }

private const val CONNECT_MILLIS = 2_000
