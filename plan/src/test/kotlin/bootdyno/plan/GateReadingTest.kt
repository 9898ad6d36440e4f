package bootdyno.plan

import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class GateReadingTest {
    private val a = CellId("a/noop")
    private val b = CellId("b/noop")

    private fun gate(rule: String) = sound("$SMALL\ngates: [ \"$rule\" ]").experiment.gates.single()

    @Test
    fun `a gate compares two cells by a factor`() {
        val rule = "a/noop.throughput >= 1.8 * b/noop.throughput"
        gate(rule) shouldBe Gate(rule, Operand(a, Measure.THROUGHPUT), true, 1.8, Operand(b, Measure.THROUGHPUT))
        gate("a/noop.p99.9 <= b/noop.p99.9").factor shouldBe 1.0
        gate("a/noop.p99.9 <= b/noop.p99.9").left.measure shouldBe Measure.P999
    }

    @Test
    fun `a limit is held in the unit of its measure`() {
        gate("a/noop.p99 <= 650 ms") shouldBe Gate("a/noop.p99 <= 650 ms", Operand(a, Measure.P99), false, 650.0, null)
        gate("a/noop.p99 <= 1.5 s").factor shouldBe 1500.0
        gate("a/noop.startup <= 500 ms").factor shouldBe 0.5
        gate("a/noop.rss <= 1 KiB").factor shouldBe 1024.0
        gate("a/noop.throughput >= 400/s").factor shouldBe 400.0
        gate("a/noop.errors <= 0").factor shouldBe 0.0
    }
}
