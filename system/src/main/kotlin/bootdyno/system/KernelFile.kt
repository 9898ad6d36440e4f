package bootdyno.system

import java.io.FileInputStream
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.isDirectory

/** The text of a kernel file; null if it is missing or unreadable, because processes may end meanwhile. */
fun readOrNull(file: Path): String? = ioOrNull { FileInputStream(file.toFile()).use { it.readAllBytes().decodeToString() } }

/** The number in a kernel file. */
fun readLong(file: Path): Long? = readOrNull(file)?.trim()?.toLongOrNull()

/** The number after [key] in a file like `cpu.stat`; see [numberAfter]. */
fun readKeyed(file: Path, key: String): Long? = readOrNull(file)?.let { numberAfter(key, it) }

/** The number after [key] at the start of a line of [text], as in `VmRSS:   120 kB` or `nr_periods 17`. */
fun numberAfter(key: String, text: String): Long? {
    var at = text.indexOf(key)
    while (at >= 0) {
        val end = at + key.length
        if ((at == 0 || text[at - 1] == '\n') && end < text.length && text[end] in ": \t") {
            return text.substring(end).trimStart(':', ' ', '\t').takeWhile { it.isDigit() }.toLongOrNull()
        }
        at = text.indexOf(key, end)
    }
    return null
}

/**
 * The counters of [protocol], by name, in the text of a file like `/proc/net/snmp`. Each has a line of names and a line of numbers in the
 * same order. Empty without these.
 */
fun countersOf(protocol: String, text: String): Map<String, Long?> {
    val lines = text.lines().filter { it.startsWith("$protocol: ") }.map { it.trim().split(' ') }
    if (lines.size != 2) return emptyMap()
    val (names, numbers) = lines
    return names.zip(numbers.map { it.toLongOrNull() }).toMap()
}

/**
 * Ticks per second of the times in `/proc`: USER_HZ.
 *
 * It is 100 on all architectures of the JDK (man 5 proc, sysconf(3) `_SC_CLK_TCK`; `include/asm-generic/param.h` of Linux).
 */
const val TICKS_PER_SECOND = 100.0

val PROC: Path = Path.of("/proc")

/** `/proc/PID/stat` of a process or a thread (man 5 proc_pid_stat). */
class ProcStat(text: String) {
    /** The command's name (field 2) may contain spaces and brackets, so fields are counted after its last `)`, from field 3. */
    private val fields = text.substringAfterLast(") ", "").split(' ')

    val isDead: Boolean get() = fields[0] == "Z" || fields[0] == "X"
    val nice: Int? get() = field(19)?.toInt()
    val threads: Int? get() = field(20)?.toInt()

    /** The clock tick of its start. */
    val startTicks: Long? get() = field(22)

    /** User and system time, including ended threads; the kernel's value in ns, truncated to a tick, so errors do not add up. */
    val cpuSeconds: Double? get() = field(14)?.let { user -> field(15)?.let { (user + it) / TICKS_PER_SECOND } }

    private fun field(number: Int): Long? = fields.getOrNull(number - 3)?.toLongOrNull()
}

/**
 * CPU time and run-queue wait of a thread in ns, from `/proc/PID/task/TID/schedstat` (Documentation/scheduler/sched-stats of Linux). Zero in
 * kernels that do not count them.
 */
class Schedstat private constructor(val ran: Long, val waited: Long) {
    companion object {
        /** Of the thread at [folder]; null if it has ended. */
        fun of(folder: Path): Schedstat? {
            val fields = readOrNull(folder.resolve("schedstat"))?.trim()?.split(' ')?.mapNotNull { it.toLongOrNull() }
            return fields?.takeIf { it.size >= 2 }?.let { (ran, waited) -> Schedstat(ran, waited) }
        }
    }
}

/** CPU seconds of a process since its start, including ended threads; from the JDK without [proc]. */
fun cpuSecondsOf(pid: Long, proc: Path = PROC): Double? = if (proc.isDirectory()) {
    readOrNull(proc.resolve("$pid/stat"))?.let { ProcStat(it).cpuSeconds }
} else {
    ProcessHandle.of(pid).flatMap { it.info().totalCpuDuration() }.map(Duration::toNanos).orElse(null)?.let { it / 1e9 }
}

/**
 * Distinguishes a process from a later one with the same pid: the clock tick of its start; without Linux, its start time. Null if no such
 * process runs; a zombie does not run.
 */
fun startMark(pid: Long): String? = if (PROC.resolve("self").isDirectory()) {
    readOrNull(PROC.resolve("$pid/stat"))?.let(::ProcStat)?.takeUnless { it.isDead }?.startTicks?.let { "ticks:$it" }
} else {
    ProcessHandle.of(pid).filter { it.isAlive }
        .flatMap { it.info().startInstant() }.map { "ms:${it.toEpochMilli()}" }.orElse(null)
}

fun isAlive(pid: Long, mark: String): Boolean = startMark(pid) == mark

/** Differs after each start of the machine; empty if unknown. */
fun bootMark(): String = readOrNull(PROC.resolve("sys/kernel/random/boot_id"))?.trim().orEmpty()

/** Our user as `uid:gid`; null if unknown. */
fun ownUser(): String? = PROC.resolve("self").takeIf { Files.isDirectory(it) }
    ?.let { "${Files.getAttribute(it, "unix:uid")}:${Files.getAttribute(it, "unix:gid")}" }
