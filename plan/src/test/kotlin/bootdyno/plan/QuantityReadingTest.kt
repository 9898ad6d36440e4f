package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.PublishedFigure
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
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

    @Test
    fun `they are read again as they were`() {
        val plan = soundWithData(spoken)
        planOf(plannedWithData(planText(plan))) shouldBe plan
    }

    @Test
    fun `an operation that is none, or a measure it cannot have, is a problem`() {
        problemsWithData(
            """
            |$CRUD
            |published:
            |  a/crud: { craete.throughput: 1, create.rss: 1, create.speed: 2 }
            |claims:
            |  - { text: A, figure: a/crud, measure: creat.p99, published: 1 }
            |  - { text: B, figure: a/crud, measure: read.speed, published: 1 }
            |gates: [ a/crud.reed.p99 <= 5 ms, a/crad.read.p99 <= 5 ms, a/crud.read.startup <= 5 s ]
            """.trimMargin(),
        ).map { it.substringAfter(' ').substringBefore(" (") } shouldContainExactly listOf(
            "published.a/crud.craete.throughput: `craete` is no operation of a/crud",
            "published.a/crud.create.rss: `rss` is of the whole subject, not of one operation",
            "published.a/crud.create.speed: unknown key `create.speed`",
            "claims[0].measure: `creat` is no operation of a/crud",
            "claims[1].measure: `read.speed` is not one of ${MEASURES.keys.joinToString(", ")}",
            "gates[0]: `reed` is no operation of a/crud",
            "gates[1]: there is no cell `a/crad.read`",
            "gates[2]: `startup` is of the whole subject, not of one operation",
        )
        problemsWithData("$CRUD\ngates: [ a/crud.reed.p99 <= 5 ms ]").single() shouldContain "(did you mean `read`?)"
    }

    @Test
    fun `a single request has no operations`() {
        val text = "$SMALL\ngates: [ a/noop.read.p99 <= 5 ms ]"
        problems(text).single().substringAfter(' ') shouldBe
            "gates[0]: `read` is no operation of a/noop, which is one request (chains and mixes have operations)"
    }
}
