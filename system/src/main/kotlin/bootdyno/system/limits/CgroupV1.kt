package bootdyno.system.limits

import bootdyno.system.readKeyed
import bootdyno.system.readLong
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.math.roundToLong

/** The kernel reports "no limit" as the largest page multiple: anything near 2^63 is none. */
private const val NO_MEMORY_LIMIT = 1L shl 60

/** Groups below our own one in the `cpu`, `cpuacct` and `memory` trees of version 1. [mounts]: controller to our own group's folder. */
class CgroupV1(private val mounts: Map<String, Path>, private val kernel: GroupFolders = KernelGroupFolders) : Confinement {
    override val mechanism = "cgroup v1"
    override val memoryByHeap = false

    override fun whyNot(): String? {
        val missing = listOf("cpu", "cpuacct", "memory") - mounts.keys
        if (missing.isNotEmpty()) return "Version 1 of the ${missing.joinToString(", ")} cgroup is not mounted."
        return tryGroups(this, Share(quota = 1.0, memory = TRIED_MEMORY, favoured = false))
    }

    override fun enclose(name: String, share: Share): Enclosure {
        val cpu = folder("cpu", name)
        val accounting = folder("cpuacct", name)
        val memory = folder("memory", name)
        val folders = listOf(cpu, accounting, memory).distinct()
        return makeEnclosure(folders, V1Group(cpu, accounting, memory), share, kernel)
    }

    private fun folder(controller: String, name: String): Path =
        (mounts[controller] ?: throw IOException("the $controller cgroup is not mounted")).resolve(name)
}

internal class V1Group(private val cpu: Path, private val accounting: Path, private val memory: Path) : WritableGroup {
    override val paths = CgroupPaths(
        version = 1,
        cpuStat = cpu.resolve("cpu.stat"),
        cpuUsage = accounting.resolve("cpuacct.usage"),
        memoryUsage = memory.resolve("memory.usage_in_bytes"),
        memoryPeak = memory.resolve("memory.max_usage_in_bytes"),
        memoryEvents = memory.resolve("memory.oom_control"),
    )

    override fun apply(share: Share): List<String> {
        val notes = mutableListOf<String>()
        share.memory?.let {
            writeKernel(memory.resolve("memory.limit_in_bytes"), "$it")
            val withSwap = memory.resolve("memory.memsw.limit_in_bytes")
            if (!Files.exists(withSwap) || !tryWriteKernel(withSwap, "$it")) {
                notes += "Swap could not be limited: beyond its memory limit the subject may swap."
            }
        }
        share.quota?.let { writeQuota(it) }
        if (share.favoured) tryWriteKernel(cpu.resolve("cpu.shares"), "10240")
        return notes
    }

    override fun quota(): Double? {
        val micros = readLong(cpu.resolve("cpu.cfs_quota_us"))?.takeIf { it > 0 } ?: return null
        return micros.toDouble() / (readLong(cpu.resolve("cpu.cfs_period_us")) ?: PERIOD_MICROS)
    }

    override fun memory(): Long? = readLong(memory.resolve("memory.limit_in_bytes"))?.takeIf { it < NO_MEMORY_LIMIT }

    override fun memoryKills(): Long = readKeyed(memory.resolve("memory.oom_control"), "oom_kill") ?: 0

    override fun cpuSeconds(): Double? = readLong(accounting.resolve("cpuacct.usage"))?.let { it / 1e9 }

    override fun members(): List<Long> = listOf(cpu, accounting, memory).flatMap(::membersOf).distinct()

    override fun writeQuota(cpus: Double?) {
        writeKernel(cpu.resolve("cpu.cfs_period_us"), "$PERIOD_MICROS")
        writeKernel(cpu.resolve("cpu.cfs_quota_us"), cpus?.let { "${(it * PERIOD_MICROS).roundToLong()}" } ?: "-1")
    }
}
