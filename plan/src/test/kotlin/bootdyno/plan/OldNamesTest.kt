package bootdyno.plan

import bootdyno.model.Database
import bootdyno.model.Measure
import bootdyno.model.OpenRate
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class OldNamesTest {
    private val old = """
        source: { key: s, title: S }
        database: { url: "postgresql://db/shop", user: bench, passwordEnv: DB_PASSWORD }
        latencyAt: [ 50 % ]
        published: { a/noop: { cpuPerRequest: 0.001 } }
        claims: [ { text: A, figure: a/noop, measure: liveThreads, published: 18 } ]
        gates: [ a/noop.buildTime <= 5 s ]
    """.trimIndent()

    @Test
    fun `keys and measures in camel case still work, and a warning names the new ones`() {
        val experiment = sound("$SMALL\n$old").experiment
        (experiment.database as Database.Server).passwordEnv shouldBe "DB_PASSWORD"
        experiment.latencyAt shouldBe mapOf("*" to listOf(OpenRate.Share(0.5)))
        experiment.published.single().measure shouldBe Measure.CPU_PER_REQUEST
        experiment.claims.single().assertion.measure shouldBe Measure.LIVE_THREADS
        experiment.gates.single().left.measure shouldBe Measure.BUILD_TIME
        warnings("$SMALL\n$old").shouldContainExactlyInAnyOrder(
            "mine.yaml:10: `passwordEnv` is now called `password-env`. The old name still works.",
            "mine.yaml:11: `latencyAt` is now called `latency-at`. The old name still works.",
            "mine.yaml:12: `cpuPerRequest` is now called `cpu-per-request`. The old name still works.",
            "mine.yaml:13: `liveThreads` is now called `live-threads`. The old name still works.",
            "mine.yaml:14: `buildTime` is now called `build-time`. The old name still works.",
        )
    }

    @Test
    fun `the resolved file has the new names only`() {
        val text = planText(sound("$SMALL\n$old"))
        listOf("password-env", "latency-at", "cpu-per-request", "live-threads", "build-time").forEach { text shouldContain it }
        listOf("passwordEnv", "latencyAt", "cpuPerRequest", "liveThreads", "buildTime").forEach { text shouldNotContain it }
    }

    @Test
    fun `an old name in a preset, in a flag and in an extended file is the same key`() {
        val preset = "$SMALL\nlatency-at: [ 50 % ]\npresets: { standard: { latencyAt: [ 60 % ] } }"
        sound(preset).experiment.latencyAt shouldBe mapOf("*" to listOf(OpenRate.Share(0.6)))
        sound(preset, Overrides(set = listOf("latencyAt=[ 70 % ]"))).experiment.latencyAt shouldBe
            mapOf("*" to listOf(OpenRate.Share(0.7)))
        val base = mapOf("base" to "$SMALL\nlatencyAt: [ 50 % ]")
        val child = readPlan("child.yaml", "extends: base\nlatency-at: [ 80 % ]", SUBJECTS, base::get, Overrides())
        planOf(child).experiment.latencyAt shouldBe mapOf("*" to listOf(OpenRate.Share(0.8)))
    }
}
