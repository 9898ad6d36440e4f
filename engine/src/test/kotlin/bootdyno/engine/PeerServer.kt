package bootdyno.engine

import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors

/** Answers everything with "ok", and remembers what was asked by whom. */
internal class PeerServer(address: String) : AutoCloseable {
    data class Seen(val host: String, val port: Int, val path: String)

    private val threads = Executors.newVirtualThreadPerTaskExecutor()
    private val server = HttpServer.create(InetSocketAddress(address, 0), 1024)
    val seen = ConcurrentLinkedQueue<Seen>()
    val port: Int get() = server.address.port

    init {
        server.executor = threads
        server.createContext("/") { exchange ->
            seen += Seen(exchange.remoteAddress.address.hostAddress, exchange.remoteAddress.port, "${exchange.requestURI}")
            exchange.sendResponseHeaders(200, 2)
            exchange.responseBody.use { it.write("ok".toByteArray()) }
        }
        server.start()
    }

    override fun close() {
        server.stop(0)
        threads.close()
    }
}
