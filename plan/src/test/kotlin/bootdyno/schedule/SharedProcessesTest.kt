package bootdyno.schedule

import bootdyno.model.DiagnosedTrials
import bootdyno.model.Plan
import bootdyno.plan.Overrides
import bootdyno.plan.sound
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

private const val THREADS = "server.tomcat.threads.max"
private const val CONNECTIONS = "spring.datasource.hikari.maximum-pool-size"

class SharedProcessesTest {
    private fun variant(settings: String, more: String = "") = "{ subject: { jar: /app.jar }, settings: { $settings }$more }"

    private fun plan(
        variants: List<String>,
        workloads: String = "{ noop: { get: / } }",
        more: String = "",
        overrides: Overrides = Overrides(),
    ): Plan {
        val named = variants.mapIndexed { index, variant -> "  v$index: $variant" }
        val lines =
            listOf("title: Sizes", "variants:") + named + "workloads: $workloads" + "profiles: { few: { closed: 4 } }" + more
        return sound(lines.joinToString("\n"), overrides)
    }

    private val sizes = listOf("10, x: 1", "20, x: 1", "40, x: 1").map { variant("$CONNECTIONS: $it") }

    @Test
    fun `variants that differ in a size that can be changed while they run share a process with the largest value`() {
        plan(sizes).largestValues() shouldBe mapOf(CONNECTIONS to 40)
        val two = listOf("10" to "50", "5" to "200").map { (own, threads) -> variant("$CONNECTIONS: $own, $THREADS: $threads") }
        plan(two).largestValues() shouldBe mapOf(CONNECTIONS to 10, THREADS to 200)
    }

    @Test
    fun `variants that differ in anything else have processes of their own`() {
        val others = mapOf(
            "another setting" to listOf(variant("$THREADS: 50, a: 1"), variant("$THREADS: 200, a: 2")),
            "no value" to listOf(variant("$THREADS: 50"), variant("a: 1")),
            "no number" to listOf(variant("$THREADS: 50"), variant("$THREADS: many")),
            "a flag" to listOf(variant("$THREADS: 50"), variant("$THREADS: 200", ", jvm: [ -Xint ]")),
            "another jar" to listOf(variant("$THREADS: 50"), "{ subject: { jar: /other.jar }, settings: { $THREADS: 200 } }"),
            "a setting that takes effect at the start" to
                listOf(variant("server.tomcat.accept-count: 1"), variant("server.tomcat.accept-count: 2")),
        )
        others.forEach { (difference, variants) -> withClue(difference) { plan(variants).largestValues().shouldBeEmpty() } }
    }

    @Test
    fun `a plan whose trials need a start or the state after it has processes for each trial`() {
        val experiments = listOf(
            plan(sizes, more = "fresh: true"),
            plan(sizes, overrides = Overrides(fresh = true)),
            plan(sizes, more = "diagnose: observe"),
            plan(sizes, overrides = Overrides(diagnose = DiagnosedTrials.OFF)),
            plan(sizes, more = "protocol: cold"),
            plan(sizes, more = "latency-at: [ 100/s ]"),
            plan(sizes, more = "in: docker"),
            plan(sizes, more = "gates: [ v1/noop.startup <= 3 s ]"),
            plan(sizes, more = "gates: [ v1/noop.rss <= 300 MiB ]"),
            plan(sizes, workloads = "{ order: { post: /orders, body: x } }"),
            plan(sizes.take(1)),
        )
        experiments.forEach { withClue(it.experiment) { it.largestValues().shouldBeEmpty() } }
    }

    @Test
    fun `trials of a process follow each other in an order of their own, and each cell is measured once`() {
        val plan = plan(sizes, "{ a: { get: /a }, b: { get: /b } }", "again: false")
        val rounds = (1..20).map { trialsOfRound(plan, it, plan.numbersOf(it).first) }
        rounds.forEach { trials ->
            trials.map { it.cell }.shouldContainExactlyInAnyOrder(plan.cells.map { it.id })
            trials.map(plan::processOf).zipWithNext().count { (one, next) -> one != next } shouldBe 1
        }
        rounds.map { trials -> trials.map { it.cell } }.distinct().size shouldBeGreaterThan 10
        plan.processOf(rounds[0][0])?.round shouldBe 1
    }

    @Test
    fun `a shared process starts and warms up once a round`() {
        fun expected(fresh: Boolean): Duration =
            expectedDuration(plan(sizes, more = "again: false", overrides = Overrides(rounds = 2, fresh = fresh)))
        val cell = plan(sizes).run { forecast(this, cells.first()) }
        val saved = cell.startUp + cell.warmUp + cell.stop - 1.seconds
        expected(true) - expected(false) shouldBe saved * 4
    }
}
