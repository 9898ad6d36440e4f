package bootdyno.launch

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Expectation
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.Workload
import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.concurrent.thread
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds

/** A subject for tests, started with this suite's own class path: the port, then what it is to do. */
fun main(arguments: Array<String>) {
    val (port, role) = arguments
    println("stand-in $role on $port")
    when (role) {
        "dies" -> exitProcess(3)
        "deaf" -> Thread.currentThread().join()
        "serves" -> serve(port.toInt())
        else -> error("no role $role")
    }
}

internal fun serve(port: Int) {
    val server = HttpServer.create(InetSocketAddress("127.0.0.1", port), 0)
    server.createContext("/") { exchange ->
        val path = exchange.requestURI.path
        val body = when (path) {
            "/memory" -> "${Runtime.getRuntime().maxMemory()} ${Runtime.getRuntime().availableProcessors()}"

            "/settings" -> "${System.getenv(
                "SERVER_PORT",
            )} ${System.getenv("SPRING_APPLICATION_JSON")} ${System.getenv("JAVA_TOOL_OPTIONS")}"

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

internal val unlimited = Limits(cpus = null, memory = null, cpuBy = CpuBy.PINNING)

internal val runningJava: String = Path.of(System.getProperty("java.home"), "bin", "java").toString()

internal fun standIn(
    role: String,
    limits: Limits = unlimited,
    jvm: List<String> = emptyList(),
    variant: Variant = Variant("v", "stand-in"),
): Cell {
    val words =
        listOf(runningJava) + jvm + listOf("-cp", System.getProperty("java.class.path"), "bootdyno.launch.StandInSubjectKt")
    return cellOf(Origin.Command(words + listOf("{port}", role)), limits, variant)
}

internal fun cellOf(origin: Origin, limits: Limits = unlimited, variant: Variant = Variant("v", "stand-in")) = Cell(
    id = CellId("v/hello"),
    variant = variant,
    subject = Subject("stand-in", origin),
    workload = hello,
    profile = NamedProfile("one", LoadProfile.Closed(1), 1.seconds, 1.seconds),
    limits = limits,
)

internal val hello = Workload(
    name = "hello",
    path = "/hello?who={who}",
    parameters = mapOf("who" to "dyno"),
    expect = Expectation(200, "hello who=dyno", "text/plain"),
)
