package bootdyno.plan

import bootdyno.model.CellId
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CutTest {
    private val three = """
        title: Three
        source: { key: s, title: S }
        variants:
          a: { subject: servlet }
          b: { subject: servlet }
          c: { subject: reactive }
        workloads:
          noop: { get: /noop }
        profiles:
          saturate: { closed: 10 }
        baseline: b/noop
        published: { a/noop: { throughput: 5 }, b/noop: { throughput: 6, p99: 7 } }
        claims:
          - { text: a to b, ratio: [ a/noop, b/noop ], published: 2 }
          - { text: b, figure: b/noop, published: 6 }
        gates: [ a/noop.throughput >= 2 * b/noop.throughput, b/noop.p99 <= 1 s ]
    """

    @Test
    fun `a cut keeps what speaks only of the cells that remain`() {
        val plan = sound(three, Overrides(only = listOf("b/*", "c/*")))
        plan.cells.map { it.id.text }.shouldContainExactly("b/noop", "c/noop")
        plan.experiment.published.map { it.cell.text }.distinct().shouldContainExactly("b/noop")
        plan.experiment.claims.map { it.text }.shouldContainExactly("b")
        plan.experiment.gates.map { it.text }.shouldContainExactly("b/noop.p99 <= 1 s")
        plan.experiment.baseline shouldBe CellId("b/noop")
    }

    @Test
    fun `without its baseline the first remaining cell takes its place, with a warning`() {
        val overrides = Overrides(only = listOf("a/*", "c/*"))
        sound(three, overrides).experiment.baseline shouldBe CellId("a/noop")
        warnings(
            three,
            overrides,
        ).shouldContainExactly("The baseline b/noop is not among the cells left by `only`; a/noop takes its place.")
    }

    @Test
    fun `a flag narrows the file's own cut and cannot widen it`() {
        val cut = "$three\n        only: [ a/noop, b/noop ]"
        sound(cut, Overrides(only = listOf("b/*"))).cells.map { it.id.text }.shouldContainExactly("b/noop")
        problems(cut, Overrides(only = listOf("c/*"))).single() shouldBe
            "--only c/* only: leaves no cell: the file's own `only` has none of these"
    }

    @Test
    fun `a single cell has no baseline and no second measurement of it`() {
        val plan = sound(three, Overrides(only = listOf("b/*")))
        plan.experiment.baseline shouldBe null
        plan.experiment.repetition.again shouldBe false
    }

    @Test
    fun `doubtful but possible things are warnings`() {
        warnings(SMALL).shouldBeEmpty()
        warnings(SMALL.replace("get: /noop", "get: /monoIO1, parameters: { ms: 1 }")).shouldContainExactly(
            "Workload noop: nothing in its path, headers or body uses the parameter ms.",
            "a/noop: the subject servlet lists no endpoint /monoIO1.",
        )
    }
}
