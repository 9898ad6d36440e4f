package bootdyno.system.limits

import bootdyno.system.Inherited
import java.nio.file.Path

/** A way to hold a subject to its limits. Add one: a file, and a line in [confinements]. */
interface Confinement {
    /** As it stands in the report: `cgroup v1`, `affinity and heap`… */
    val mechanism: String

    /** It holds the JVM to its memory only by telling it how much there is; nothing outside the JVM does. */
    val memoryByHeap: Boolean

    /** Tries it for real and leaves nothing behind. Null: it works here; else why not, in a sentence. */
    fun whyNot(): String?

    /** Makes room for one subject. [name] is unique among all groups of this machine. */
    fun enclose(name: String, share: Share): Enclosure
}

/** What a group is to allow, [memory] in bytes; null is no limit. [favoured]: it may outweigh others on its CPUs, the engine not being there. */
data class Share(val quota: Double?, val memory: Long?, val favoured: Boolean)

/** The room made for one subject. */
interface Enclosure {
    /** Folders in the kernel's tree that must be removed at the end. */
    val folders: List<Path>

    /** What could not be applied, in sentences. */
    val notes: List<String>

    /** What the words of [wrap] need of our environment. */
    val inherits: Inherited get() = Inherited.BASIC

    /** The command that runs [command] inside from its first instruction, under the pid it is started with. */
    fun wrap(command: List<String>): List<String>

    /** The group that holds [pid]; null when there is none. */
    fun group(pid: Long): Group?

    /** Ends what is still inside, and removes the room. True when nothing is left. */
    fun remove(): Boolean
}

/** A kernel group with its limits as they stand now and its counters. */
interface Group {
    val paths: CgroupPaths

    /** In CPUs; null: no quota. */
    fun quota(): Double?

    /** Bytes; null: no limit. */
    fun memory(): Long?

    /** How often the kernel killed for memory in here. */
    fun memoryKills(): Long

    fun cpuSeconds(): Double?

    fun members(): List<Long>

    /** Null lifts the quota. True when it reads back as asked. */
    fun setQuota(cpus: Double?): Boolean
}

/** Where the kernel keeps a group's counters; a file that is not there is null. Version 1 and 2 differ in names, keys and units. */
data class CgroupPaths(
    /** 1 or 2. */
    val version: Int,
    /** v1: `nr_periods`, `nr_throttled`, `throttled_time` (ns). v2: the first two, `throttled_usec`, and `usage_usec`. */
    val cpuStat: Path?,
    /** v1: `cpuacct.usage`, nanoseconds. v2: `cpu.stat` again, `usage_usec`. */
    val cpuUsage: Path?,
    /** Bytes in use now. */
    val memoryUsage: Path?,
    /** The most bytes ever in use. */
    val memoryPeak: Path?,
    /** The file that counts `oom_kill`. */
    val memoryEvents: Path?,
)

/** Bytes of a group that is only made to see whether one can be made. */
const val TRIED_MEMORY = 64L shl 20
