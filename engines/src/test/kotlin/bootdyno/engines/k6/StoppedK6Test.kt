package bootdyno.engines.k6

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.order
import bootdyno.engine.stop
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class StoppedK6Test(@param:TempDir private val folder: Path) {
    @Test
    fun `k6 that writes nothing any more is named`() {
        val context = EngineContext(emptyList(), folder.resolve("k6.log"), folder)
        val order = order(81, LoadProfile.Closed(1), window = 1.seconds)
        GeneratorProcess.start(context, listOf("sleep", "60"), folder).use { process ->
            stop(process.pid)
            val run = K6Run(order, own = true, folder.resolve("results.csv"), folder.resolve("summary.json"), context) {}
            shouldThrow<EngineFailed> { run.measure("k6", process, silence = 200.milliseconds) }.message shouldContain
                "k6 wrote nothing for 200ms"
        }
    }

    @Test
    fun `samples that are fewer than the requests of k6's summary are a failure`() {
        val context = EngineContext(emptyList(), folder.resolve("k6.log"), folder)
        val results = folder.resolve("results.csv").apply { writeText(WrittenResults().request(1_000_000, 1_020_500).text()) }
        val summary = folder.resolve("summary.json")
        fun measure() = GeneratorProcess.start(context, listOf("true"), folder).use { process ->
            val run = K6Run(order(81, LoadProfile.Closed(1), window = 1.seconds), own = false, results, summary, context) {}
            run.measure("k6", process)
        }
        listOf("""{ "metrics": { "http_reqs": { "count": 1 } } }""", "{}", "broken").forEach {
            summary.writeText(it)
            measure().found.answered shouldBe 1
        }
        summary.writeText("""{ "metrics": { "http_reqs": { "count": 2, "rate": 10.5 } } }""")
        shouldThrow<EngineFailed> { measure() }.message shouldBe "k6 counted 2 requests, and its samples show 1: some were lost"
    }
}
