package bootdyno.system.limits

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

class CgroupMountsTest {
    @Test
    fun `version 1 has a folder of our own for each controller, joint ones too`() {
        val mounts = cgroupMounts(
            """
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
            """.trimIndent(),
            "5:cpu,cpuacct:/\n4:memory:/jobs/7\n9:name=systemd:/\n",
        ) { true }
        mounts.v1["cpu"] shouldBe Path.of("/sys/fs/cgroup/cpu,cpuacct")
        mounts.v1["cpuacct"] shouldBe Path.of("/sys/fs/cgroup/cpu,cpuacct")
        mounts.v1["memory"] shouldBe Path.of("/sys/fs/cgroup/memory/jobs/7")
        mounts.v2 shouldBe null
    }

    @Test
    fun `in a container the mounted part of the tree is our own group`() {
        val mountInfo = "735 731 0:32 /docker/abc /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory"
        val memory = { own: String -> cgroupMounts(mountInfo, "4:memory:$own", exists = { true }).v1["memory"] }
        memory("/docker/abc") shouldBe Path.of("/sys/fs/cgroup/memory")
        memory("/docker/abc/inner") shouldBe Path.of("/sys/fs/cgroup/memory/inner")
        memory("/") shouldBe Path.of("/sys/fs/cgroup/memory")
        memory("/../other") shouldBe Path.of("/sys/fs/cgroup/memory")
    }

    @Test
    fun `a folder that is not mounted gives way to the top`() {
        val mounts = cgroupMounts("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "0::/not/here", exists = { false })
        mounts.v2 shouldBe Path.of("/sys/fs/cgroup")
    }

    @Test
    fun `version 2 knows our group and the top of the tree`() {
        val mounts =
            cgroupMounts("29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "0::/user.slice/a.scope\n", exists = { true })
        mounts.v2 shouldBe Path.of("/sys/fs/cgroup/user.slice/a.scope")
        mounts.v2Top shouldBe Path.of("/sys/fs/cgroup")
    }
}
