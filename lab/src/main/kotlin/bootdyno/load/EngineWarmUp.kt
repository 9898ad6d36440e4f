package bootdyno.load

import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
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
        val order = LoadOrder(
            host = "127.0.0.1",
            port = server.port,
            path = "/warm",
            headers = mapOf("Accept" to "*/*"),
            expect = Expectation(body = "hello"),
            load = load,
            window = 1.seconds,
            timeout = 5.seconds,
            drain = 1.seconds,
        )
        Drive(order, loops) {}.also(onDrive).run()
    }

    private fun compilationMillis(): Long = ManagementFactory.getCompilationMXBean()?.totalCompilationTime ?: 0

    private companion object {
        val HELLO = okAnswer("hello")
        const val MOST_CLOSED = 8
        const val MOST_OPEN = 4
        const val CALM_MILLIS = 60L
    }
}
