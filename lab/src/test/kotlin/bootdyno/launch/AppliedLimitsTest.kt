package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.system.limits.Group
import bootdyno.system.parseCpuList
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

class AppliedLimitsTest {
    private class FakeGroup(private val quota: Double?, private val memory: Bytes? = null) : Group(2, Path.of("/nowhere")) {
        override fun quota() = quota

        override fun memory() = memory?.count
    }

    private fun found(asked: Limits, cpuList: String, group: Group?, machine: Int, shared: Boolean = false) = limitsFound(
        AppliedLimits("m", false, asked, Placement(parseCpuList(cpuList), listOf(0), shared), emptyList()),
        cpuList,
        group,
        machine,
    )

    private fun limits(cpus: Double?, by: CpuBy, memory: Bytes? = null) = Limits(cpus, memory, by)

    @Test
    fun `a quota below the CPUs it may run on is the limit`() {
        val found = found(limits(1.0, CpuBy.QUOTA), "1-3", FakeGroup(1.0), machine = 4)
        found.cpus shouldBe 1.0
        found.cpuBy shouldBe CpuBy.QUOTA
        found.cpuList shouldBe "1-3"
        found.notes.shouldBeEmpty()
    }

    @Test
    fun `whole CPUs of its own are a limit by pinning`() {
        val found = found(limits(1.0, CpuBy.PINNING, Bytes(Bytes.GIB)), "1", FakeGroup(null, Bytes(Bytes.GIB)), machine = 2)
        found.cpus shouldBe 1.0
        found.cpuBy shouldBe CpuBy.PINNING
        found.memory shouldBe Bytes(Bytes.GIB)
        found.engineCpuList shouldBe "0"
        found.notes.shouldBeEmpty()
    }

    @Test
    fun `what was asked for and is not there is said`() {
        found(limits(1.0, CpuBy.QUOTA, Bytes(1)), "0-1", null, machine = 2).notes shouldContainExactly
            listOf("1 CPUs were asked for. No CPU limit could be applied.", "The memory limit could not be applied.")
        found(limits(4.0, CpuBy.PINNING), "0-1", null, machine = 2).notes shouldContain
            "4 CPUs were asked for. The machine has only 2."
        found(limits(0.5, CpuBy.PINNING), "1", null, machine = 2).notes shouldContain
            "0.5 CPUs were asked for. The subject has 1."
        found(limits(0.5, CpuBy.PINNING), "1", FakeGroup(0.5), machine = 2).notes shouldContain
            "0.5 is not a whole number of CPUs: the subject is pinned to 1 with a quota of 0.5."
        found(limits(1.0, CpuBy.QUOTA), "0-1", FakeGroup(1.0), machine = 2, shared = true).notes shouldContain
            "The load engine shares CPU 0 with the subject."
    }

    @Test
    fun `no limit asked for is no limit found and no note`() {
        val found = found(limits(null, CpuBy.QUOTA), "0-1", FakeGroup(null), machine = 2, shared = true)
        found.cpus shouldBe null
        found.cpuBy shouldBe null
        found.notes.shouldBeEmpty()
    }

    @Test
    fun `pinning asks for a quota only where whole CPUs cannot say it`() {
        quotaFor(limits(2.0, CpuBy.PINNING)) shouldBe null
        quotaFor(limits(1.5, CpuBy.PINNING)) shouldBe 1.5
        quotaFor(limits(2.0, CpuBy.QUOTA)) shouldBe 2.0
        quotaFor(limits(null, CpuBy.QUOTA)) shouldBe null
    }

    @Test
    fun `a subject with fewer CPUs than another one of the run is pinned to some of them`() {
        val forTwo = Placement(listOf(2, 3), listOf(0, 1), shared = false)
        cpusFor(limits(1.0, CpuBy.PINNING), forTwo, quotas = true) shouldBe listOf(3)
        cpusFor(limits(2.0, CpuBy.PINNING), forTwo, quotas = true) shouldBe listOf(2, 3)
    }

    @Test
    fun `without quotas the subject gets whole CPUs instead`() {
        val placement = Placement(listOf(0, 1), listOf(0), shared = true)
        cpusFor(limits(1.0, CpuBy.QUOTA), placement, quotas = false) shouldBe listOf(1)
        cpusFor(limits(1.0, CpuBy.QUOTA), placement, quotas = true) shouldBe listOf(0, 1)
    }
}
