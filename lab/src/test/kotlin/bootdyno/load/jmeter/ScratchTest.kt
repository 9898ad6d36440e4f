package bootdyno.load.jmeter

import bootdyno.load.EngineKit
import bootdyno.load.EngineSeat
import bootdyno.load.LoadEngine
import bootdyno.load.LoadOrder
import bootdyno.load.bench.Truth
import bootdyno.load.bench.TruthProcess
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import org.junit.jupiter.api.Test
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

class ScratchTest {
    private val out = File("/tmp/jm/scratch.txt")
    private val log = Path.of("/tmp/jm/scratch.log")
    private val cache = Path.of("target/engines").toAbsolutePath()

    private fun engine(options: Map<String, String>, cpus: List<Int> = listOf(1)) =
        JMeterEngine.start(EngineSeat(cpus, log, cache), EngineSpec(JMETER_KIND.name, null, options))

    private fun say(line: String) = out.appendText(line + "\n")

    @Test
    fun `scratch figures`() {
        val which = File("/tmp/jm/scratch.which").readText().trim().split(' ')
        fun order(port: Int, load: LoadProfile, settle: Int, window: Int) = LoadOrder(
            host = "127.0.0.1", port = port, path = "/x", load = load, settle = settle.seconds, window = window.seconds, timeout = 10.seconds,
        )
        if ("warm" in which) {
            TruthProcess.start(Truth.FAST, listOf(0), log).use { server ->
                for (options in listOf(
                    mapOf("warm" to "0 s"), mapOf("warm" to "5 s"), mapOf("warm" to "10 s"), mapOf("warm" to "5 s", "properties.jmeter.save.saveservice.autoflush" to "false"),
                )) {
                    val seconds = mutableListOf<Long>()
                    val m = engine(options).use { it.drive(order(server.port, LoadProfile.Closed(100), 2, 8)) { s -> seconds += s.answered } }
                    say("$options ${m.found.answered / m.found.windowSeconds}/s cpu ${m.found.generator.cpuSeconds} us/req ${m.found.generator.cpuSeconds * 1e6 / m.found.answered} p50 ${m.latencies.response.getValueAtPercentile(50.0) / 1e6} p99 ${m.latencies.response.getValueAtPercentile(99.0) / 1e6} ${seconds.zipWithNext { a, b -> b - a }} ${m.found.printed}")
                }
            }
        }
        if ("truth" in which) {
            for (truth in listOf(Truth.EXACT_20_MS, Truth.EVERY_HUNDREDTH)) {
                TruthProcess.start(truth, listOf(0), log).use { server ->
                    for (users in listOf(10, 100)) for (warm in listOf("0 s", "5 s")) {
                        val m = engine(mapOf("warm" to warm)).use { it.drive(order(server.port, LoadProfile.Closed(users), 2, 6)) }
                        val r = m.latencies.response
                        say("$truth $users warm $warm: ${m.found.answered / m.found.windowSeconds}/s min ${r.minValue / 1e6} mean ${r.mean / 1e6} p50 ${r.getValueAtPercentile(50.0) / 1e6} p95 ${r.getValueAtPercentile(95.0) / 1e6} p99 ${r.getValueAtPercentile(99.0) / 1e6} p99.9 ${r.getValueAtPercentile(99.9) / 1e6} cpu ${m.found.generator.cpuSeconds} inflight ${m.found.inFlight}")
                    }
                }
            }
        }
        if ("burst" in which) {
            TruthProcess.start(Truth.FAST, listOf(0), log).use { server ->
                for ((users, each) in listOf(1000 to 100, 5000 to 20, 10000 to 20)) {
                    val t = System.nanoTime()
                    val r = runCatching { engine(mapOf("warm" to "0 s")).use { it.drive(order(server.port, LoadProfile.Burst(users, each), 0, 120)) } }
                    r.onSuccess { m -> say("burst $users x $each: answered ${m.found.answered} errors ${m.found.errors} inflight ${m.found.inFlight} window ${m.found.windowSeconds} total ${(System.nanoTime() - t) / 1e9} connect ${m.latencies.connect?.totalCount} ${m.latencies.connect?.maxValue?.div(1e6)} p50 ${m.latencies.response.getValueAtPercentile(50.0) / 1e6} max ${m.latencies.response.maxValue / 1e6} cpu ${m.found.generator.cpuSeconds}") }
                        .onFailure { say("burst $users: $it") }
                }
            }
        }
        if ("million" in which) {
            TruthProcess.start(Truth.FAST, listOf(0), log).use { server ->
                val t = System.nanoTime()
                val m = engine(mapOf("warm" to "0 s")).use { it.drive(order(server.port, LoadProfile.Burst(500, 2000), 0, 300)) }
                say("million: answered ${m.found.answered} errors ${m.found.errors} window ${m.found.windowSeconds} total ${(System.nanoTime() - t) / 1e9} lab heap ${Runtime.getRuntime().totalMemory() / 1e6}")
            }
        }
    }
}

class ScratchKitTest : EngineKit() {
    override val engine: LoadEngine by lazy {
        JMeterEngine.start(
            EngineSeat(emptyList(), Path.of("/tmp/jm/kit.log"), Path.of("target/engines").toAbsolutePath()),
            EngineSpec(JMETER_KIND.name, null, mapOf("warm" to "0 s")),
        )
    }
}
