package bootdyno.system.limits

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

class GroupOfProcessTest {
    private val v1 = """
        33 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
        35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
        41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
    """.trimIndent()
    private val v2 = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"

    private fun group(mounts: String, groups: String) = groupIn(cgroupMounts(mounts, groups) { true }, "c0ffee")

    @Test
    fun `version 1 keeps it in three trees, version 2 in one, as either driver names it`() {
        val files = group(v1, "4:memory:/docker/c0ffee\n2:cpu,cpuacct:/docker/c0ffee\n0::/docker/c0ffee").shouldNotBeNull()
        files.version shouldBe 1
        files.cpuUsage shouldBe Path.of("/sys/fs/cgroup/cpu,cpuacct/docker/c0ffee/cpuacct.usage")
        files.memoryUsage shouldBe Path.of("/sys/fs/cgroup/memory/docker/c0ffee/memory.usage_in_bytes")
        group(v2, "0::/system.slice/docker-c0ffee.scope").shouldNotBeNull().cpuStat shouldBe
            Path.of("/sys/fs/cgroup/system.slice/docker-c0ffee.scope/cpu.stat")
    }

    @Test
    fun `a group that is not its own, or not to be seen from here, is none`() {
        group(v2, "0::/system.slice/docker.service").shouldBeNull()
        group(v2, "0::/../docker/c0ffee").shouldBeNull()
        group(v1, "4:memory:/docker/c0ffee\n2:cpu,cpuacct:/\n0::/").shouldBeNull()
    }
}
