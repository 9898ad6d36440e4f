package bootdyno.engine

import bootdyno.model.DataTable
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.netty.channel.EventLoopGroup
import java.lang.management.ManagementFactory
import kotlin.time.Duration.Companion.seconds

/**
 * Warms the engine against a server inside its own process: closed load until this JVM compiles next to nothing, then open load until its
 * lag is small. Cold, an engine of this kind stamped a p99 of 573 ms where 5 ms was true.
 */
internal class EngineWarmUp(private val loops: EventLoopGroup, private val onDrive: (Drive) -> Unit) {
    fun run() {
        TruthServer.start { it.answer(HELLO) }.use { server ->
            untilCalm(MOST_CLOSED) { drive(server, LoadProfile.Closed(100)) }
            untilCalm(MOST_OPEN) { drive(server, LoadProfile.Open(5_000.0)) }
            // Connections that come and go are code of their own.
            drive(server, LoadProfile.Burst(200, 5))
        }
        TruthServer.start { it.answer(PERSON) }.use { server -> untilCalm(MOST_CHAINS) { driveChain(server) } }
    }

    /** Repeats [slice] until compiling took little of one. */
    private fun untilCalm(most: Int, slice: () -> Unit) {
        repeat(most) {
            val before = compilationMillis()
            slice()
            if (compilationMillis() - before < CALM_MILLIS) return
        }
    }

    private fun drive(server: TruthServer, load: LoadProfile) {
        Drive(order(server, load), loops) {}.also(onDrive).run()
    }

    /** Making a request for each time it is sent, and capturing from answers, is code of its own too. */
    private fun driveChain(server: TruthServer) {
        val json = mapOf("Content-Type" to "application/json")
        val steps = listOf(
            Step("create", "POST", "/person", json, """{ "name": "{name}" }""", Expectation(), mapOf("id" to "$.id")),
            Step("read", "GET", "/person/{id}"),
        )
        val order = order(server, LoadProfile.Closed(100)).copy(steps = steps)
        val names = DataTable(listOf("name"), listOf(listOf("Jörg"), listOf("Ann \"A\" Lee")))
        Drive(order, loops, Chain(order, names)) {}.also(onDrive).run()
    }

    private fun order(server: TruthServer, load: LoadProfile) = LoadOrder(
        host = "127.0.0.1",
        port = server.port,
        steps = listOf(Step("warm", path = "/warm", headers = mapOf("Accept" to "*/*"), expect = Expectation(body = "hello"))),
        load = load,
        window = 1.seconds,
        timeout = 5.seconds,
        drain = 1.seconds,
    )

    private fun compilationMillis(): Long = ManagementFactory.getCompilationMXBean()?.totalCompilationTime ?: 0

    private companion object {
        val HELLO = okAnswer("hello")
        val PERSON = okAnswer("""{ "id": 7, "name": "Jörg" }""")
        const val MOST_CLOSED = 8
        const val MOST_OPEN = 4
        const val MOST_CHAINS = 3
        const val CALM_MILLIS = 60L
    }
}
