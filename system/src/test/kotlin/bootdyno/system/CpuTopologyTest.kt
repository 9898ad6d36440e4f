package bootdyno.system

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

class CpuTopologyTest {
    @TempDir
    lateinit var root: Path

    private fun cores(cpus: String, sys: Path) = cpuTopology(parseCpuList(cpus), sys).cores.map(::formatCpuList)

    private fun nodes(cpus: String, sys: Path) = cpuTopology(parseCpuList(cpus), sys).nodes.map(::formatCpuList)

    /** Below the root, the kernel's files about [cores] and [nodes], in its list format. */
    private fun planted(cores: List<String>, nodes: List<String>): Path = root.apply {
        cores.forEach { siblings ->
            parseCpuList(siblings).forEach { cpu ->
                resolve("devices/system/cpu/cpu$cpu/topology").createDirectories().resolve("thread_siblings_list")
                    .writeText("$siblings\n")
            }
        }
        nodes.forEachIndexed { nth, cpus ->
            resolve("devices/system/node/node$nth").createDirectories().resolve("cpulist").writeText("$cpus\n")
        }
    }

    @Test
    fun `hardware threads of one core are found by the list of siblings`() {
        cores("0-7", planted(listOf("0,4", "1,5", "2,6", "3,7"), listOf("0-7"))) shouldContainExactly
            listOf("0,4", "1,5", "2,6", "3,7")
        nodes("0-7", root) shouldContainExactly listOf("0-7")
    }

    // Container with CPUs 2, 3, 6 and 7 of two nodes: half of the cores are whole, none has a thread outside.
    @Test
    fun `only the CPUs of the process count`() {
        val sys = planted(listOf("0,4", "1,5", "2,6", "3,7"), listOf("0-1,4-5", "2-3,6-7"))
        cores("2,3,6,7", sys) shouldContainExactly listOf("2,6", "3,7")
        nodes("2,3,6,7", sys) shouldContainExactly listOf("2-3,6-7")
        cores("3,4", sys) shouldContainExactly listOf("3", "4")
        nodes("3,4", sys) shouldContainExactly listOf("4", "3")
    }

    @Test
    fun `without lists of siblings, package and core tell the hardware threads of a core`() {
        listOf("0/0" to 0, "0/1" to 1, "1/0" to 2, "0/0" to 3).forEach { (ids, cpu) ->
            val folder = root.resolve("devices/system/cpu/cpu$cpu/topology").createDirectories()
            folder.resolve("physical_package_id").writeText("${ids.first()}\n")
            folder.resolve("core_id").writeText("${ids.last()}\n")
        }
        cores("0-3", root) shouldContainExactly listOf("0,3", "1", "2")
    }

    @Test
    fun `without any of the kernel's files, or with unreadable ones, each CPU is a core on one node`() {
        cores("0-2", root) shouldContainExactly listOf("0", "1", "2")
        nodes("0-2", root) shouldContainExactly listOf("0-2")
        planted(listOf("1"), listOf("0-2"))
        root.resolve("devices/system/cpu/cpu1/topology/thread_siblings_list").writeText("nonsense")
        cores("0-2", root) shouldContainExactly listOf("0", "1", "2")
    }

    // Without a cpuset Linux allows all CPUs that the machine might ever have.
    @Test
    fun `offline CPUs are not available`() {
        val proc = root.resolve("proc/self").createDirectories().also {
            it.resolve("status").writeText("Cpus_allowed_list:\t0-127\n")
        }
        availableCpus(proc.parent, root).size shouldBe 128
        root.resolve("devices/system/cpu").createDirectories().resolve("online").writeText("0-1,3\n")
        availableCpus(proc.parent, root) shouldContainExactly listOf(0, 1, 3)
    }
}
