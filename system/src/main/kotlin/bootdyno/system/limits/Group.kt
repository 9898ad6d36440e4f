package bootdyno.system.limits

import bootdyno.system.ioOrNull
import bootdyno.system.readKeyed
import bootdyno.system.readLong
import bootdyno.system.readOrNull
import bootdyno.system.succeeds
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.math.abs
import kotlin.math.roundToLong

private const val PERIOD_MICROS = 100_000L

/** Version 1 reports a number near 2^63 for "unlimited". */
private const val NO_MEMORY_LIMIT = 1L shl 60

/**
 * A cgroup made by us or others: its current limits and counters. Cgroup [version] 1 has folders in three trees, version 2 has one. File
 * names, keys and units differ.
 */
open class Group(val version: Int, private val cpu: Path, private val accounting: Path = cpu, private val memory: Path = cpu) {
    val folders: List<Path> = listOf(cpu, accounting, memory).distinct()
    private val isV1 = version == 1

    /** v1: `nr_periods`, `nr_throttled`, `throttled_time` (ns). v2: the first two, `throttled_usec`, and `usage_usec`. */
    val cpuStat: Path = cpu.resolve("cpu.stat")
    val cpuUsage: Path = if (isV1) accounting.resolve("cpuacct.usage") else cpuStat

    /** Bytes in use. */
    val memoryUsage: Path = memory.resolve(if (isV1) "memory.usage_in_bytes" else "memory.current")
    private val memoryLimit = memory.resolve(if (isV1) "memory.limit_in_bytes" else "memory.max")
    private val swapLimit = memory.resolve(if (isV1) "memory.memsw.limit_in_bytes" else "memory.swap.max")

    /** In CPUs; null: unlimited. */
    open fun quota(): Double? {
        val files = if (isV1) listOf("cpu.cfs_quota_us", "cpu.cfs_period_us") else listOf("cpu.max")
        // v2: `QUOTA PERIOD` in µs, or `max PERIOD`; v1: one file each, and -1 for unlimited.
        val words = files.flatMap { readOrNull(cpu.resolve(it)).orEmpty().trim().split(' ') }
        val micros = words[0].toDoubleOrNull()?.takeIf { it > 0 } ?: return null
        return micros / (words.getOrNull(1)?.toDoubleOrNull() ?: PERIOD_MICROS.toDouble())
    }

    /** Bytes; null: unlimited. */
    open fun memory(): Long? = readLong(memoryLimit)?.takeIf { it < NO_MEMORY_LIMIT }

    /** Peak memory in bytes, including the page cache; null if the kernel does not count it. */
    fun peakMemory(): Long? = readLong(memory.resolve(if (isV1) "memory.max_usage_in_bytes" else "memory.peak"))

    /** Number of out-of-memory kills inside. */
    open fun memoryKills(): Long = readKeyed(memory.resolve(if (isV1) "memory.oom_control" else "memory.events"), "oom_kill") ?: 0

    fun cpuSeconds(): Double? =
        if (isV1) readLong(cpuUsage)?.let { it / 1e9 } else readKeyed(cpuUsage, "usage_usec")?.let { it / 1e6 }

    fun members(): List<Long> = folders.flatMap(::membersOf).distinct()

    /** Null lifts the quota. True if the value read back is equal. */
    open fun setQuota(cpus: Double?): Boolean = ioOrNull {
        writeQuota(cpus)
        sameQuota(quota(), cpus)
    } ?: false

    /** Returns sentences about limits that could not be applied. Throws [IOException]. */
    internal fun apply(share: Share): List<String> {
        share.memory?.let { writeKernel(memoryLimit, "$it") }
        share.quota?.let(::writeQuota)
        if (share.favoured) tryWriteKernel(cpu.resolve(if (isV1) "cpu.shares" else "cpu.weight"), if (isV1) "10240" else "1000")
        return listOfNotNull(share.memory?.takeUnless(::limitSwap)?.let { SWAPS })
    }

    /** v1 limits memory and swap together. v2 has no such file without swap accounting. */
    private fun limitSwap(memory: Long): Boolean =
        tryWriteKernel(swapLimit, if (isV1) "$memory" else "0") || (!isV1 && !Files.exists(swapLimit))

    /** A child cgroup with this [name]; enables the controllers for it. */
    internal fun child(name: String): Group {
        if (!isV1 && !handsOut(cpu)) tryWriteKernel(cpu.resolve(HANDED_OUT), "+cpu +memory")
        return Group(version, cpu.resolve(name), accounting.resolve(name), memory.resolve(name))
    }

    private fun writeQuota(cpus: Double?) {
        val micros = cpus?.let { (it * PERIOD_MICROS).roundToLong() }
        if (isV1) {
            writeKernel(cpu.resolve("cpu.cfs_period_us"), "$PERIOD_MICROS")
            writeKernel(cpu.resolve("cpu.cfs_quota_us"), "${micros ?: -1}")
        } else {
            writeKernel(cpu.resolve("cpu.max"), "${micros ?: "max"} $PERIOD_MICROS")
        }
    }
}

private const val SWAPS = "Swap could not be limited: beyond its memory limit the subject may swap."

/** Equal at the kernel's resolution of 1 µs. */
fun sameQuota(found: Double?, asked: Double?): Boolean =
    if (found == null || asked == null) found == asked else abs(found - asked) <= 1.0 / PERIOD_MICROS

internal fun membersOf(folder: Path): List<Long> =
    readOrNull(folder.resolve("cgroup.procs")).orEmpty().lines().mapNotNull { it.trim().toLongOrNull() }

/** Writes to an existing file; the kernel creates its files, so a missing one is a missing feature. */
private fun writeKernel(file: Path, text: String) {
    Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
}

/** [writeKernel]; whether the kernel accepted it. */
private fun tryWriteKernel(file: Path, text: String): Boolean = succeeds { writeKernel(file, text) }
