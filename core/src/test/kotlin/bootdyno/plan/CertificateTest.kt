package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.WarmUpSlice
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CertificateTest {
    private fun steady(slices: List<WarmUpSlice>) = steady(slices, IdleMeans.FINISHED_OR_STARVED)

    private fun certified(slices: List<WarmUpSlice>) = certified(slices, IdleMeans.FINISHED_OR_STARVED)

    private fun slice(c2: Double?, perSecond: Double = 1000.0, cheap: Boolean = false, seconds: Double = 5.0) =
        WarmUpSlice(seconds, perSecond, c2, cheap)

    @Test
    fun `two spans with C2 idle and throughput no longer rising are steady`() {
        steady(listOf(slice(3.0), slice(0.2), slice(0.2))) shouldBe true
        steady(listOf(slice(0.1))) shouldBe false
        steady(listOf(slice(0.1), slice(0.21))) shouldBe false
        steady(listOf(slice(0.1), slice(0.1, perSecond = 1101.0))) shouldBe false
        steady(listOf(slice(0.1), slice(0.1, perSecond = 700.0))) shouldBe true
    }

    @Test
    fun `short slices are judged together, from the end`() {
        fun half(c2: Double?, perSecond: Double = 1000.0) = slice(c2, perSecond, seconds = 2.5)
        steady(List(3) { half(0.0) }) shouldBe false
        steady(listOf(half(2.0)) + List(4) { half(0.1) }) shouldBe true
        steady(List(2) { half(0.1) } + half(0.11) + half(0.1)) shouldBe false
        // 1,000 a second, then (1,000 + 1,210) / 2: each neighbour alone says otherwise.
        steady(List(3) { half(0.0) } + half(0.0, perSecond = 1210.0)) shouldBe false
        steady(List(3) { half(0.0) } + half(0.0, perSecond = 1190.0)) shouldBe true
        steady(List(5) { half(null) }) shouldBe false
        steady(List(6) { half(null) }) shouldBe true
    }

    @Test
    fun `where an idle C2 can only be a finished one it need not be seen idle so long`() {
        fun half(c2: Double, perSecond: Double = 1000.0) = slice(c2, perSecond, seconds = 2.5)
        steady(List(2) { half(0.1) }, IdleMeans.FINISHED) shouldBe true
        steady(List(2) { half(0.11) }, IdleMeans.FINISHED) shouldBe false
        steady(listOf(half(0.0), half(0.0, perSecond = 1101.0)), IdleMeans.FINISHED) shouldBe false
        steady(List(2) { half(0.1) }) shouldBe false
    }

    @Test
    fun `a heap that grew in the last slices does not stand`() {
        fun heap(vararg mib: Long?) = heapStands(
            mib.map {
                slice(0.0).copy(heapCommitted = it?.let { size -> Bytes(size * Bytes.MIB) })
            },
        )
        heap(50, 100, 101, 102) shouldBe true
        heap(50, 100, 101, 103) shouldBe false
        heap(100, 100, 90) shouldBe true
        heap(null, null, null) shouldBe true
    }

    @Test
    fun `a compiler that stirs again after it was steady is warm all the same`() {
        certified(List(2) { slice(0.1) } + slice(0.3)) shouldBe true
    }

    @Test
    fun `where C2 cannot be seen three slices must be flat`() {
        steady(List(2) { slice(null) }) shouldBe false
        steady(List(3) { slice(null) }) shouldBe true
        steady(listOf(slice(null, perSecond = 500.0), slice(null), slice(null))) shouldBe false
    }

    @Test
    fun `steady cheap slices certify nothing until the measured work is compiled too`() {
        val cheap = List(2) { slice(0.1, cheap = true) }
        certified(cheap) shouldBe false
        certified(cheap + slice(1.5)) shouldBe false
        // The real work is slower: its throughput is not compared with that of the cheap slices.
        certified(cheap + slice(1.5, perSecond = 9.0) + slice(0.1, perSecond = 10.0)) shouldBe true
        certified(listOf(slice(2.0, cheap = true), slice(0.1))) shouldBe false
    }

    @Test
    fun `without cheap slices being steady is enough`() {
        certified(List(2) { slice(0.1) }) shouldBe true
        certified(List(2) { slice(0.1, perSecond = 0.0) }) shouldBe false
    }

    @Test
    fun `where C2 cannot be seen the measured work must be flat over three slices as well`() {
        val cheap = List(3) { slice(null, cheap = true) }
        certified(cheap + List(2) { slice(null, perSecond = 9.0) }) shouldBe false
        certified(cheap + List(3) { slice(null, perSecond = 9.0) }) shouldBe true
    }
}
