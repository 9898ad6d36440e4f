package bootdyno.launch.docker

import bootdyno.launch.Fence
import bootdyno.launch.Placement
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.system.limits.Share
import bootdyno.system.pinned
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

class ContainerLimitsTest {
    private fun flags(share: Share, cpus: List<Int>) = limitFlags(
        Fence(
            "docker",
            false,
            Limits(1.0, null, CpuBy.PINNING),
            cpus,
            Placement(cpus, listOf(0), shared = false),
            share.quota,
            emptyList(),
        ),
        share,
    )

    @Test
    fun `a pinned subject has CPUs of its own and no quota, and its memory no swap behind it`() {
        flags(Share(null, 512L shl 20, favoured = false), listOf(1)) shouldContainExactly
            listOf("--cpuset-cpus=1", "--memory=536870912b", "--memory-swap=536870912b")
    }

    @Test
    fun `a quota holds on all CPUs but the engine's`() {
        flags(Share(1.5, null, favoured = true), listOf(1, 2, 3)) shouldContainExactly
            listOf("--cpus=1.500", "--cpuset-cpus=1-3", "--cpu-shares=10240")
    }
}
