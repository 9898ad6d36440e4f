package bootdyno.system.limits

import bootdyno.system.readKeyed
import bootdyno.system.readLong
import bootdyno.system.readOrNull
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.math.roundToLong

/**
 * A group of our own in the unified tree of version 2.
 *
 * A group with processes in it cannot hand controllers to its children, and our own group has us in it. So the nearest ancestor of
 * [own], up to [top], that accepts a child with the cpu and memory controllers is taken: under systemd that is the slice that was
 * delegated to the user.
 */
class CgroupV2(private val own: Path?, private val top: Path?, private val kernel: GroupFolders = KernelGroupFolders) :
    Confinement {
    override val mechanism = "cgroup v2"
    override val memoryByHeap = false

    override fun whyNot(): String? {
        if (own == null || top == null) return "Version 2 of cgroups is not mounted."
        if (parents().isEmpty()) return "No cgroup above ours hands out both the cpu and the memory controller."
        return tryGroups(this, Share(quota = 1.0, memory = TRIED_MEMORY, favoured = false))
    }

    override fun enclose(name: String, share: Share): Enclosure {
        var refusal = IOException("no cgroup above ours hands out both the cpu and the memory controller")
        for (parent in parents()) {
            try {
                return encloseBelow(parent, name, share)
            } catch (refused: IOException) {
                refusal = refused
            }
        }
        throw refusal
    }

    private fun encloseBelow(parent: Path, name: String, share: Share): Enclosure {
        if (!handsOut(parent)) tryWriteKernel(parent.resolve("cgroup.subtree_control"), "+cpu +memory")
        val folder = parent.resolve(name)
        return makeEnclosure(listOf(folder), V2Group(folder), share, kernel)
    }

    /** Groups that have both controllers to give, nearest first. */
    private fun parents(): List<Path> {
        val last = top ?: return emptyList()
        return generateSequence(own) { folder -> folder.parent?.takeIf { folder != last && it.startsWith(last) } }
            .filter { words(it.resolve("cgroup.controllers")).containsAll(NEEDED) }
            .filter { handsOut(it) || Files.isWritable(it.resolve("cgroup.subtree_control")) }
            .toList()
    }

    private fun handsOut(parent: Path) = words(parent.resolve("cgroup.subtree_control")).containsAll(NEEDED)

    private fun words(file: Path) = readOrNull(file).orEmpty().split(' ', '\n').toSet()

    private companion object {
        val NEEDED = setOf("cpu", "memory")
    }
}

/** A group of version 2, whoever made it. */
internal class V2Group(private val folder: Path) : WritableGroup {
    override val paths = CgroupPaths(
        version = 2,
        cpuStat = folder.resolve("cpu.stat"),
        cpuUsage = folder.resolve("cpu.stat"),
        memoryUsage = folder.resolve("memory.current"),
        memoryPeak = folder.resolve("memory.peak").takeIf { Files.exists(it) },
        memoryEvents = folder.resolve("memory.events"),
    )

    override fun apply(share: Share): List<String> {
        val notes = mutableListOf<String>()
        share.memory?.let {
            writeKernel(folder.resolve("memory.max"), "$it")
            if (!tryWriteKernel(folder.resolve("memory.swap.max"), "0") && Files.exists(folder.resolve("memory.swap.max"))) {
                notes += "Swap could not be forbidden: beyond its memory limit the subject may swap."
            }
        }
        share.quota?.let { writeQuota(it) }
        if (share.favoured) tryWriteKernel(folder.resolve("cpu.weight"), "1000")
        return notes
    }

    /** `cpu.max` is `QUOTA PERIOD` in microseconds, or `max PERIOD`. */
    override fun quota(): Double? {
        val words = readOrNull(folder.resolve("cpu.max"))?.trim()?.split(' ') ?: return null
        val micros = words[0].toDoubleOrNull() ?: return null
        return micros / (words.getOrNull(1)?.toDoubleOrNull() ?: PERIOD_MICROS.toDouble())
    }

    override fun memory(): Long? = readLong(folder.resolve("memory.max"))

    override fun memoryKills(): Long = readKeyed(folder.resolve("memory.events"), "oom_kill") ?: 0

    override fun cpuSeconds(): Double? = readKeyed(folder.resolve("cpu.stat"), "usage_usec")?.let { it / 1e6 }

    override fun members(): List<Long> = membersOf(folder)

    override fun writeQuota(cpus: Double?) {
        val quota = cpus?.let { "${(it * PERIOD_MICROS).roundToLong()}" } ?: "max"
        writeKernel(folder.resolve("cpu.max"), "$quota $PERIOD_MICROS")
    }
}
