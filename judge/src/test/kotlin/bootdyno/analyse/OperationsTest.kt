package bootdyno.analyse

import bootdyno.model.Assertion
import bootdyno.model.Claim
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.LatencyFacts
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.OperationFound
import bootdyno.model.PublishedFigure
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.roundToInt

class OperationsTest {
    /** Windows of 10 s: creates as given a second, all answered in 10 ms; half as many reads, and five more that nobody answered. */
    private fun trial(cell: bootdyno.model.CellId, round: Int, createsPerSecond: Double) = testTrial(
        cell,
        round,
        load = testLoad(createsPerSecond * 1.5).copy(
            errors = mapOf(ErrorCause.STATUS to 4L),
            inFlight = 5,
            operations = listOf(
                OperationFound("create", (createsPerSecond * 10).toLong(), mapOf(ErrorCause.STATUS to 4L)),
                OperationFound("read", (createsPerSecond * 5).toLong(), emptyMap(), inFlight = 5),
            ),
        ),
        latencies = latencies(listOf(10L, 20L)).copy(
            operations = mapOf("create" to seen(*LongArray(100) { 10L }), "read" to seen(*LongArray(5) { 20L })),
            unansweredOperations = mapOf("read" to seen(*LongArray(5) { 900L })),
        ),
    )

    private val trials =
        listOf(trial(baseline, 1, 100.0), trial(other, 1, 200.0), trial(baseline, 2, 100.0), trial(other, 2, 200.0))

    @Test
    fun `each operation has its own throughput, errors and latency over the trials`() {
        val operations = analyse(testRun(trials)).cell(baseline).shouldNotBeNull().operations
        operations.map { it.name } shouldContainExactly listOf("create", "read")
        val (create, read) = operations
        create.throughput.shouldNotBeNull().value shouldBe (100.0 plusOrMinus 1e-9)
        create.throughput.shouldNotBeNull().n shouldBe 2
        create.answered shouldBe 2000
        create.errors shouldBe mapOf(ErrorCause.STATUS to 8L)
        create.latency.getValue(Measure.P99).estimate.value shouldBe (10.0 plusOrMinus 0.1)
        read.throughput.shouldNotBeNull().value shouldBe (50.0 plusOrMinus 1e-9)
        read.inFlight shouldBe 10
    }

    // Of ten reads five took 20 ms and five longer than 900 ms: half are answered by 20 ms, the rest nobody knows.
    @Test
    fun `requests of an operation without an answer make its percentiles bounds`() {
        val read = analyse(testRun(trials)).cell(baseline).shouldNotBeNull().operations.last()
        read.latency.getValue(Measure.P50) shouldBe read.latency.getValue(Measure.P50).copy(censored = false)
        read.latency.getValue(Measure.P90).censored shouldBe true
        read.latency.getValue(Measure.P90).estimate.value shouldBe (900.0 plusOrMinus 1.0)
    }

    @Test
    fun `a trial keeps the figures of its operations`() {
        val figures = analyse(testRun(trials)).cell(other).shouldNotBeNull().trials.first().operations
        figures.map { it.name to it.throughput } shouldContainExactly listOf("create" to 200.0, "read" to 100.0)
    }

    @Test
    fun `a cell of one kind of request has no operations`() {
        analyse(testRun(rounds(baseline, 100.0))).cell(baseline).shouldNotBeNull().operations.shouldBeEmpty()
    }

    @Test
    fun `figures, claims and gates of an operation are judged by it alone`() {
        val experiment = experiment().copy(
            published = listOf(
                PublishedFigure(baseline, Measure.THROUGHPUT, 150.0, "s"),
                PublishedFigure(baseline, Measure.THROUGHPUT, 100.0, "s", "create"),
                PublishedFigure(other, Measure.THROUGHPUT, 400.0, "s", "create"),
                PublishedFigure(other, Measure.THROUGHPUT, 400.0, "s", "update"),
            ),
            claims = listOf(
                Claim("half as many reads", "s", Assertion.Figure(baseline, Measure.THROUGHPUT, 50.0, "read"), 0.05),
                Claim("twice the reads", "s", Assertion.Ratio(other, baseline, Measure.THROUGHPUT, 2.0, "read"), 0.05),
            ),
            gates = listOf(
                Gate(
                    "creates",
                    Operand(other, Measure.THROUGHPUT, "create"),
                    true,
                    1.9,
                    Operand(baseline, Measure.THROUGHPUT, "create"),
                ),
                Gate(
                    "reads by creates",
                    Operand(other, Measure.THROUGHPUT, "read"),
                    true,
                    0.9,
                    Operand(baseline, Measure.THROUGHPUT, "create"),
                ),
                Gate("failed reads", Operand(other, Measure.ERRORS, "read"), false, 0.0, null),
                Gate("failed creates", Operand(other, Measure.ERRORS, "create"), false, 0.0, null),
            ),
        )
        val analysis = analyse(testRun(trials, experiment = experiment))
        analysis.published.map { it.operation } shouldContainExactly listOf(null, "create", "create", "update")
        // 400 by the 100 published for the baseline's creates is 4; ours is 2.
        analysis.published.map { it.publishedRatio } shouldContainExactly listOf(null, null, 4.0, null)
        analysis.published[2].measuredRatio.shouldNotBeNull().value shouldBe (2.0 plusOrMinus 1e-9)
        analysis.published.map { it.outcome } shouldContainExactly listOf(
            ClaimOutcome.NO_VERDICT,
            ClaimOutcome.NO_VERDICT,
            ClaimOutcome.SAME_DIRECTION,
            ClaimOutcome.NOT_RUN,
        )
        analysis.claims.map { it.outcome } shouldContainExactly listOf(ClaimOutcome.NO_VERDICT, ClaimOutcome.REPRODUCED)
        analysis.published.take(2).map { it.measured?.value?.roundToInt() } shouldContainExactly listOf(150, 100)
        analysis.gates.map { it.outcome } shouldContainExactly
            listOf(GateOutcome.PASS, GateOutcome.PASS, GateOutcome.PASS, GateOutcome.FAIL)
    }

    // Both are not what the run is made for, and nothing else is measured that is not.
    @Test
    fun `the ratios of published figures of operations share an error`() {
        val published = listOf("create", "read").flatMap { operation ->
            listOf(baseline, other).map { PublishedFigure(it, Measure.THROUGHPUT, 100.0, "s", operation) }
        }
        analyse(testRun(trials, experiment = experiment().copy(published = published))).published
            .mapNotNull { it.measuredRatio?.interval?.level?.times(1000)?.roundToInt() } shouldContainExactly listOf(975, 975)
    }

    @Test
    fun `an engine that tells no latency by operation leaves throughput`() {
        val silent = trials.map { it.copy(latencies = LatencyFacts(seen(5), seen(5), seen())) }
        val create = analyse(testRun(silent)).cell(baseline).shouldNotBeNull().operations.first()
        create.latency shouldBe emptyMap()
        create.throughput.shouldNotBeNull().value shouldBe (100.0 plusOrMinus 1e-9)
    }
}
