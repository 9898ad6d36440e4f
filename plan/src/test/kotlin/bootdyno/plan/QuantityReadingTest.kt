package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.PublishedFigure
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

class QuantityReadingTest {
    private val a = CellId("a/crud")
    private val b = CellId("b/crud")

    private val spoken = """
        |$CRUD
        |published:
        |  a/crud: { throughput: 835.1, create.throughput: 208.8, create.p99.9: 12 }
        |claims:
        |  - { text: As many creates, ratio: [ a/crud, b/crud ], measure: create.throughput, published: 1.25 }
        |  - { text: Reads, figure: a/crud, measure: read.p99, published: 20 }
        |gates:
        |  - a/crud.create.throughput >= 1.8 * b/crud.throughput
        |  - a/crud.read.p99.9 <= 5 ms
    """.trimMargin()

    @Test
    fun `figures, claims and gates may speak of one operation`() {
        val experiment = soundWithData(spoken).experiment
        experiment.published shouldContainExactly listOf(
            PublishedFigure(a, Measure.THROUGHPUT, 835.1, "s"),
            PublishedFigure(a, Measure.THROUGHPUT, 208.8, "s", "create"),
            PublishedFigure(a, Measure.P999, 12.0, "s", "create"),
        )
        experiment.claims.map { it.assertion } shouldContainExactly listOf(
            Assertion.Ratio(a, b, Measure.THROUGHPUT, 1.25, "create"),
            Assertion.Figure(a, Measure.P99, 20.0, "read"),
        )
        experiment.gates shouldContainExactly listOf(
            Gate(
                "a/crud.create.throughput >= 1.8 * b/crud.throughput",
                Operand(a, Measure.THROUGHPUT, "create"),
                true,
                1.8,
                Operand(b, Measure.THROUGHPUT),
            ),
            Gate("a/crud.read.p99.9 <= 5 ms", Operand(a, Measure.P999, "read"), false, 5.0, null),
        )
    }
}
