package bootdyno.rules

import bootdyno.model.Bytes
import bootdyno.model.WarmUpSlice
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CertificateTest {
    /** A slice on a busy CPU; [wait]: seconds that C2 waited for it. */
    private fun slice(
        c2: Double?,
        perSecond: Double = 1000.0,
        cheap: Boolean = false,
        seconds: Double = 2.5,
        wait: Double? = 0.0,
        cpu: Double? = 1.0,
    ) = WarmUpSlice(seconds, perSecond, c2, cheap, c2WaitSeconds = wait, cpuShare = cpu)

    @Test
    fun `two slices with C2 idle and throughput no longer rising are steady`() {
        steady(listOf(slice(3.0), slice(0.1), slice(0.1))) shouldBe true
        steady(listOf(slice(0.1))) shouldBe false
        steady(listOf(slice(0.1), slice(0.11))) shouldBe false
        steady(listOf(slice(0.1), slice(0.1, perSecond = 1101.0))) shouldBe false
        steady(listOf(slice(0.1), slice(0.1, perSecond = 700.0))) shouldBe true
    }

    @Test
    fun `a C2 that waits for a CPU is starved and not finished`() {
        // Measured: a starved C2 waits for 50 to 95 % of the time, a finished one for up to 11 %.
        steady(List(2) { slice(0.1, wait = 1.3) }) shouldBe false
        steady(List(2) { slice(0.1, wait = 0.3) }) shouldBe true
        steady(listOf(slice(0.1, wait = 2.3), slice(0.1, wait = 0.0))) shouldBe false
    }

    @Test
    fun `an application with CPU to spare is steady although the compiler goes on`() {
        // 100 requests/s wait 100 ms in a pool of 10; of the 0.15 CPUs used, the compiler uses a third.
        fun idle(c2: Double?, perSecond: Double = 100.0, wait: Double? = 0.05) = slice(c2, perSecond, wait = wait, cpu = 0.15)
        steady(List(2) { idle(0.125) }) shouldBe true
        steady(listOf(idle(0.125), idle(0.125, perSecond = 111.0))) shouldBe false
        steady(List(2) { idle(0.125, wait = 2.0) }) shouldBe false
        // No JVM, or a kernel that counts no waits.
        steady(List(2) { idle(null, wait = null) }) shouldBe true
        steady(List(2) { idle(0.125, wait = null) }) shouldBe true
        // Half of the CPU is not to spare: twice the work would fill it.
        steady(List(2) { slice(0.125, cpu = 0.5) }) shouldBe false
    }

    @Test
    fun `where the kernel counts no waits an idle C2 must be seen for twice as long`() {
        fun half(c2: Double?, perSecond: Double = 1000.0) = slice(c2, perSecond, wait = null)
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
    fun `the warm-up goes on while the heap grows, unless there is CPU to spare or little to collect`() {
        fun warm(vararg mib: Long?, cpu: Double = 1.0, gc: Double? = null) = isWarm(
            mib.map { slice(0.0, cpu = cpu).copy(heapCommitted = it?.let { size -> Bytes(size * Bytes.MIB) }, gcShare = gc) },
        )
        warm(50, 100, 101, 102) shouldBe true
        warm(50, 100, 101, 103) shouldBe false
        warm(100, 100, 90) shouldBe true
        warm(null, null, null) shouldBe true
        warm(50, 100, 101, 103, cpu = 0.2) shouldBe true
        warm(50, 100, 101, 103, gc = 0.05) shouldBe false
        warm(50, 100, 101, 103, gc = 0.02) shouldBe true
    }

    @Test
    fun `a compiler that is busy again at the end is not certified, whatever was before`() {
        certified(List(2) { slice(0.1) } + slice(0.3)) shouldBe false
    }

    @Test
    fun `where C2 cannot be seen three spans must be flat`() {
        fun unseen(perSecond: Double = 1000.0) = slice(null, perSecond, seconds = 5.0, wait = null)
        steady(List(2) { unseen() }) shouldBe false
        steady(List(3) { unseen() }) shouldBe true
        steady(listOf(unseen(500.0), unseen(), unseen())) shouldBe false
    }

    @Test
    fun `steady cheap slices certify nothing until the measured work is compiled too`() {
        val cheap = List(2) { slice(0.1, cheap = true) }
        certified(cheap) shouldBe false
        certified(cheap + slice(1.5)) shouldBe false
        certified(cheap + slice(0.1, wait = 2.0)) shouldBe false
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
    fun `where C2 cannot be seen the measured work must be flat over three spans as well`() {
        fun unseen(cheap: Boolean, perSecond: Double = 1000.0) = slice(null, perSecond, cheap, seconds = 5.0, wait = null)
        val cheap = List(3) { unseen(cheap = true) }
        certified(cheap + List(2) { unseen(cheap = false, perSecond = 9.0) }) shouldBe false
        certified(cheap + List(3) { unseen(cheap = false, perSecond = 9.0) }) shouldBe true
    }
}
