package bootdyno.launch.docker

import bootdyno.launch.AppliedLimits
import bootdyno.launch.Placement
import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

class ContainerLimitsTest {
    private fun flags(asked: Limits, cpus: List<Int>, shared: Boolean) =
        limitFlags(AppliedLimits("docker", false, asked, Placement(cpus, listOf(0), shared), emptyList()))

    @Test
    fun `a pinned subject has CPUs of its own and no quota, and its memory no swap behind it`() {
        flags(Limits(1.0, Bytes(512 * Bytes.MIB), CpuBy.PINNING), listOf(1), shared = true) shouldContainExactly
            listOf("--cpuset-cpus=1", "--memory=536870912b", "--memory-swap=536870912b")
    }

    @Test
    fun `a quota holds on all CPUs but the engine's`() {
        flags(Limits(1.5, null, CpuBy.QUOTA), listOf(1, 2, 3), shared = false) shouldContainExactly
            listOf("--cpus=1.500", "--cpuset-cpus=1-3", "--cpu-shares=10240")
    }
}
