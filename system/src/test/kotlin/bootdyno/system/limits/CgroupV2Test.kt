package bootdyno.system.limits

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.io.path.writeText

class CgroupV2Test(@param:TempDir private val top: Path) {
    /** Imitates the kernel: a new folder has its files at once, with the controllers its parent hands out. */
    private object FakeKernel : GroupFolders {
        override fun make(folder: Path) {
            Files.createDirectory(folder)
            folder.resolve("cgroup.procs").writeText("")
            val controllers = folder.resolveSibling("cgroup.subtree_control").readText().replace("+", "")
            folder.resolve("cgroup.controllers").writeText(controllers)
            folder.resolve("cgroup.subtree_control").writeText("")
            if ("cpu" in controllers) folder.resolve("cpu.max").writeText("max 100000\n")
            if ("cpu" in controllers) folder.resolve("cpu.weight").writeText("100\n")
            if ("memory" in controllers) folder.resolve("memory.max").writeText("max\n")
            if ("memory" in controllers) folder.resolve("memory.swap.max").writeText("max\n")
        }

        override fun remove(folder: Path) {
            folder.toFile().deleteRecursively()
        }
    }

    private fun tree(own: String, controllers: String, subtree: String): Cgroups {
        val folder = top.resolve(own).createDirectories()
        folder.resolve("cgroup.controllers").writeText(controllers)
        folder.resolve("cgroup.subtree_control").writeText(subtree)
        return cgroupV2(folder, top, FakeKernel)
    }

    @Test
    fun `limits are written as the kernel wants them, and read back`() {
        val enclosure = tree(
            "own",
            "cpu memory pids\n",
            "cpu memory\n",
        ).enclose("dyno-1-1", Share(1.5, 64L shl 20, favoured = true))
        val folder = top.resolve("own/dyno-1-1")
        enclosure.folders shouldContainExactly listOf(folder)
        // 1.5 CPUs are 150 ms in each 100 ms.
        folder.resolve("cpu.max").readText() shouldBe "150000 100000"
        folder.resolve("memory.max").readText() shouldBe "67108864"
        folder.resolve("memory.swap.max").readText() shouldBe "0"
        folder.resolve("cpu.weight").readText() shouldBe "1000"
        val group = enclosure.group(1) ?: error("no group")
        group.quota() shouldBe 1.5
        group.memory() shouldBe 67108864L
    }

    @Test
    fun `a lifted quota is none, and comes back`() {
        val group =
            tree("own", "cpu memory\n", "cpu memory\n").enclose("dyno-1-1", Share(1.0, null, favoured = false)).group(1)
                ?: error("no group")
        group.memory() shouldBe null
        group.setQuota(null) shouldBe true
        group.quota() shouldBe null
        group.setQuota(0.25) shouldBe true
        group.quota() shouldBe 0.25
    }

    @Test
    fun `counters are read in the units of version 2`() {
        val enclosure = tree("own", "cpu memory\n", "cpu memory\n").enclose("dyno-1-1", Share(null, null, favoured = false))
        val group = enclosure.group(1) ?: error("no group")
        group.memoryKills() shouldBe 0
        val folder = enclosure.folders.single()
        folder.resolve("memory.events").writeText("low 0\nhigh 0\nmax 12\noom 2\noom_kill 1\noom_group_kill 0\n")
        folder.resolve("cpu.stat").writeText("usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n")
        folder.resolve("cgroup.procs").writeText("17\n18\n")
        group.memoryKills() shouldBe 1
        group.cpuSeconds() shouldBe 2.5
        group.members() shouldContainExactly listOf(17, 18)
        folder.resolve("cgroup.procs").writeText("")
        enclosure.remove() shouldBe true
        Files.exists(folder) shouldBe false
    }

    @Test
    fun `a group that has the controllers but hands them to no one is asked to`() {
        tree("own", "cpu memory\n", "").enclose("dyno-1-1", Share(1.0, null, favoured = false)).group(1)?.quota() shouldBe 1.0
        top.resolve("own/cgroup.subtree_control").readText() shouldBe "+cpu +memory"
    }

    @Test
    fun `when our own group cannot, the nearest above it that can is taken`() {
        tree("slice", "cpu memory\n", "cpu memory\n")
        val own = tree("slice/ours.scope", "memory\n", "")
        own.enclose("dyno-1-1", Share(1.0, null, favoured = false)).folders shouldContainExactly
            listOf(top.resolve("slice/dyno-1-1"))
    }

    @Test
    fun `without the cpu controller it says so and makes nothing`() {
        val without = tree("own", "memory pids\n", "memory\n")
        without.whyNot().orEmpty() shouldContain "cpu"
        shouldThrow<IOException> { without.enclose("dyno-1-1", Share(1.0, null, favoured = false)) }
        Files.list(top.resolve("own")).use { files -> files.filter(Files::isDirectory).toList() }.shouldBeEmpty()
    }
}
