package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.nanoHistogram
import bootdyno.model.EngineKind
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadKind
import bootdyno.model.LoadProfile
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

class EnginesBenchTest {
    /** Answers each order with figures known beforehand; the CPU seconds of its turns are [cpu], in turn. */
    private class ScriptedEngine(
        name: String,
        private val cpu: List<Double>,
        private val errors: Map<ErrorCause, Long> = emptyMap(),
        private val printed: Map<String, Double> = emptyMap(),
    ) : LoadEngine {
        override val kind = EngineKind(name, setOf(LoadKind.CLOSED))
        override val pid: Long? = null
        val orders = mutableListOf<LoadOrder>()
        var closed = false

        override fun warmItself(chains: Boolean) = Unit

        override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
            val turn = orders.count { it.port == order.port }
            orders += order
            val found = LoadFound(
                engine = "$name 1.0",
                windowSeconds = 2.0,
                answered = 200_000,
                errors = errors,
                inFlight = 0,
                due = null,
                generator = GeneratorFound(cpu[turn.coerceAtMost(cpu.size - 1)], 1.0, null),
                leftBefore = 0,
                leftAfter = 0,
                drainSeconds = 0.0,
                printed = printed,
            )
            val latency = nanoHistogram().apply { recordValueWithCount(20_000_000, 100) }
            return LoadMeasured(found, LatencyHistograms(latency, latency, nanoHistogram()))
        }

        override fun close() {
            closed = true
        }
    }

    private fun kind(name: String) = EngineKind(name, setOf(LoadKind.CLOSED))

    private fun choice(engine: LoadEngine) = EngineChoice(kind(engine.name), "scripted") { _, _ -> engine }

    private fun table(folder: Path, choices: List<EngineChoice>) =
        benchEngines(BenchPlan(rounds = 3, slice = 2.seconds), choices, BenchSetup(folder)) {}

    @Test
    fun `costs are medians over the rounds, the first of which does not count`(@TempDir folder: Path) {
        // CPU seconds for 200,000 requests: 9 while warming, then 1, 2 and 1.2, hence 5, 10 and 6 µs.
        val engine = ScriptedEngine("known", cpu = listOf(9.0, 1.0, 2.0, 1.2))
        val row = table(folder, listOf(choice(engine))).first { "known 1.0" in it }
        row.trim().split(Regex(" {2,}")) shouldBe listOf("known 1.0", "6.00", "(5.00 to 10.00)", "100000", "0.60", "166667")
        engine.closed shouldBe true
        engine.orders.map { it.load }.distinct() shouldBe listOf(LoadProfile.Closed(400), LoadProfile.Closed(50))
        engine.orders.size shouldBe 4 * 3
    }

    @Test
    fun `stated latencies stand under the truth, and what an engine prints under what it sampled`(@TempDir folder: Path) {
        val engine = ScriptedEngine("printing", cpu = listOf(1.0), printed = mapOf("p99 ms" to 44.0))
        val lines = table(folder, listOf(choice(engine))).map { it.trim().split(Regex(" {2,}")) }
        lines shouldContain listOf("truth", "20.00", "20.00", "20.00", "20.00", "20.00")
        lines shouldContain listOf("truth", "9.95", "5.00", "5.00", "5–500", "500.00")
        // 20 ms lie in a bucket from 19.988 to 20.005 ms.
        lines shouldContain listOf("printing 1.0", "20.00", "20.00", "20.00", "20.00", "20.00")
        lines shouldContain listOf("as printed", "–", "–", "–", "44.00", "–")
    }

    @Test
    fun `engines that are missing, do not start or break are listed with their reason`(@TempDir folder: Path) {
        val failing = ScriptedEngine("failing", cpu = listOf(1.0), errors = mapOf(ErrorCause.RESET to 3L))
        val lines = table(
            folder,
            listOf(
                choice(ScriptedEngine("good", cpu = listOf(1.0))),
                EngineChoice(kind("absent"), "", { "absent is not installed: install it" }) { _, _ -> error("it was started") },
                EngineChoice(kind("unfit"), "") { _, _ -> throw EngineFailed("no network") },
                choice(failing),
            ),
        )
        lines shouldContain "Not available: absent. absent is not installed: install it"
        lines shouldContain "Not available: unfit. no network"
        lines shouldContain "Not available: failing. as fast as it can: 200000 answered, errors {RESET=3}"
        lines.filterNot { it.startsWith("Not") }.joinToString("\n") shouldNotContain "failing"
        failing.orders.size shouldBe 1
        failing.closed shouldBe true
    }
}
