package bootdyno.engine

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CpuTraceTest {
    @Test
    fun `an end between two readings counts in proportion`() {
        val trace = CpuTrace()
        trace.add(1_000, 0.0)
        trace.add(2_000, 0.8)
        trace.add(3_000, 1.0)
        trace.seconds(1_000, 3_000) shouldBe (1.0 plusOrMinus 1e-9)
        trace.seconds(1_500, 2_500) shouldBe (0.5 plusOrMinus 1e-9)
        trace.seconds(2_000, 9_000) shouldBe (0.2 plusOrMinus 1e-9)
        CpuTrace().seconds(0, 1) shouldBe 0.0
    }
}
