package bootdyno.launch

import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.concurrent.thread

/** What stand-ins answer. It knows nothing of the tool, which is not in their jar. */
internal fun serve(port: Int) {
    val server = HttpServer.create(InetSocketAddress("127.0.0.1", port), 0)
    server.createContext("/") { exchange ->
        val path = exchange.requestURI.path
        val body = when (path) {
            "/memory" -> "${Runtime.getRuntime().maxMemory()} ${Runtime.getRuntime().availableProcessors()}"

            "/settings" -> listOf("SERVER_PORT", "SPRING_APPLICATION_JSON", "JAVA_TOOL_OPTIONS").joinToString(" ") {
                System.getenv(it) ?: "null"
            }

            "/environment" -> System.getenv().keys.sorted().joinToString(" ")

            "/folder" -> Path.of("").toAbsolutePath().let { "$it ${it.toFile().list().orEmpty().sorted()}" }

            "/property" -> System.getProperty(exchange.requestURI.query).orEmpty()

            "/detach" -> "gone".also { ProcessBuilder("sh", "-c", "setsid sleep 300 & exit 0").inheritIO().start().waitFor() }

            "/shout" -> "loud".also { repeat(20_000) { println("x".repeat(999)) } }

            "/counts" -> """{"received":3,"answered":2,"inFlight":1,"byDay":{"monday":3}}"""

            "/eat" -> "eating".also { thread { eat() } }

            else -> "hello ${exchange.requestURI.query.orEmpty()}"
        }.toByteArray()
        exchange.responseHeaders.add("Content-Type", "text/plain;charset=UTF-8")
        exchange.sendResponseHeaders(if (path == "/missing") 404 else 200, body.size.toLong())
        exchange.responseBody.use { it.write(body) }
    }
    server.start()
}

/** Direct memory is outside the heap: the JVM does not stop it, the kernel does. */
private fun eat() {
    val eaten = mutableListOf<Any>()
    while (true) {
        val block = ByteBuffer.allocateDirect(1 shl 20)
        for (at in 0 until block.capacity() step 4096) block.put(at, 1)
        eaten.add(block)
    }
}
