package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.AxisPoint
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.OpenRate
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

/** A workload swept over two values beside one that is not swept. */
internal val SWEPT = """
    title: Swept
    source: { key: s, title: S }
    variants:
      a: { subject: servlet }
      b: { subject: reactive }
    workloads:
      primes:
        get: "/noop?limit={limit}&kind={kind}"
        parameters: { limit: [ 100, 1000 ], sum: [ 1060, 76127 ], kind: primes }
        warm-up: { limit: 10, sum: 17 }
        expect: { body: "{sum}" }
      noop: { get: /noop, on: [ a ] }
    profiles:
      saturate: { closed: 400 }
    baseline: a/primes+limit=100
    published:
      a/primes: { throughput: { 100: 13409.62, 1000: 12037.07 } }
    claims:
      - { text: faster, ratio: [ b/primes+limit=1000, a/primes+limit=1000 ], published: 2 }
    gates: [ a/primes+limit=100.p99 <= 1 s ]
""".trimIndent()

class SweepReadingTest {
    private fun ids(text: String, overrides: Overrides = Overrides()) = sound(text, overrides).cells.map { it.id.text }

    @Test
    fun `a list of values makes a cell for each, named after its value`() {
        ids(SWEPT).shouldContainExactly(
            "a/primes+limit=100",
            "a/primes+limit=1000",
            "a/noop",
            "b/primes+limit=100",
            "b/primes+limit=1000",
        )
        val workload = sound(SWEPT).cells[1].workload
        workload.point shouldBe AxisPoint("primes", "limit", 1000.0)
        workload.parameters shouldBe mapOf("limit" to "1000", "sum" to "76127", "kind" to "primes")
        workload.requests().single().path shouldBe "/noop?limit=1000&kind=primes"
    }

    @Test
    fun `published figures of a line are given by the values of its axis`() {
        sound(SWEPT).experiment.published.map { "${it.cell} ${it.value}" }
            .shouldContainExactly("a/primes+limit=100 13409.62", "a/primes+limit=1000 12037.07")
    }

    @Test
    fun `how long a request holds follows the value`() {
        val text = SMALL.replace(
            "{ get: /noop }",
            "{ get: \"/noop?ms={ms}\", parameters: { ms: [ 5, 50 ] }, holds: \"{ms} ms\" }",
        )
        sound(text).cells.mapNotNull { it.workload.holds }.distinct().shouldContainExactly(5.milliseconds, 50.milliseconds)
        val listed = text.replace("holds: \"{ms} ms\"", "holds: [ 6 ms, 60 ms ]")
        sound(listed).cells.mapNotNull { it.workload.holds }.distinct().shouldContainExactly(6.milliseconds, 60.milliseconds)
    }

    @Test
    fun `loads can be swept too`() {
        ids(SMALL.replace("closed: 10", "closed: [ 10, 100 ]")).shouldContainExactly(
            "a/noop@saturate+connections=10",
            "a/noop@saturate+connections=100",
            "b/noop@saturate+connections=10",
            "b/noop@saturate+connections=100",
        )
        val open = sound(SMALL.replace("closed: 10", "open: [ 5/s, 50/s ], arrivals: poisson")).experiment.profiles
        open.map { (it.load as LoadProfile.Open).perSecond }.shouldContainExactly(5.0, 50.0)
        open.map { it.point }.shouldContainExactly(AxisPoint("saturate", "rate", 5.0), AxisPoint("saturate", "rate", 50.0))
    }

    @Test
    fun `in several protocols each cell is measured in each, and a reference without one speaks of all`() {
        val both = sound(SWEPT, Overrides(protocols = listOf(MeasuringProtocol.ARTICLE, MeasuringProtocol.STEADY)))
        both.cells.map { it.id.text }.take(3)
            .shouldContainExactly("a/primes+limit=100@article", "a/primes+limit=100@steady", "a/primes+limit=1000@article")
        both.experiment.baseline?.text shouldBe "a/primes+limit=100@steady"
        both.baselines().map { it.id.text }.shouldContainExactly("a/primes+limit=100@article", "a/primes+limit=100@steady")
        both.experiment.published.size shouldBe 4
        both.experiment.claims.map { (it.assertion as Assertion.Ratio).candidate.text }
            .shouldContainExactly("b/primes+limit=1000@article", "b/primes+limit=1000@steady")
        both.experiment.gates.map { it.text }
            .shouldContainExactly("a/primes+limit=100@article.p99 <= 1 s", "a/primes+limit=100@steady.p99 <= 1 s")
    }

    @Test
    fun `a cut may name a line of cells, a value or a protocol`() {
        val both = Overrides(protocols = listOf(MeasuringProtocol.ARTICLE, MeasuringProtocol.STEADY))
        ids(SWEPT, both.copy(only = listOf("a/primes"))).size shouldBe 4
        ids(SWEPT, both.copy(only = listOf("a/primes+limit=100"))).size shouldBe 2
        ids(
            SWEPT,
            both.copy(only = listOf("*+limit=100@steady")),
        ).shouldContainExactly("a/primes+limit=100@steady", "b/primes+limit=100@steady")
    }

    @Test
    fun `latency under open load is asked for by cell, and only where there is a capacity`() {
        val plan =
            sound("$SWEPT\nlatency-at: { a/primes: [ 300/s, 80 %, 50 % ] }", Overrides(protocols = MeasuringProtocol.entries))
        plan.cells.filter { it.latencyAt.isNotEmpty() }.map { it.id.text }
            .shouldContainExactly("a/primes+limit=100@steady", "a/primes+limit=1000@steady")
        plan.cells.map { it.latencyAt }.distinct() shouldBe listOf(
            listOf(OpenRate.Share(0.5), OpenRate.Share(0.8), OpenRate.PerSecond(300.0)),
            emptyList(),
        )
    }
}
