package bootdyno.probe

import java.nio.file.Path
import java.time.Duration

/**
 * Ticks a second of the times in `/proc`: USER_HZ.
 *
 * It is 100 on every architecture the JDK runs on (man 5 proc, sysconf(3) `_SC_CLK_TCK`; `include/asm-generic/param.h` of Linux);
 * only alpha had another.
 */
internal const val TICKS_PER_SECOND = 100.0

/** The fields of `/proc/PID/stat` we use (man 5 proc_pid_stat). */
internal data class ProcStat(val ticks: Long, val threads: Int) {
    /** User and system time, ended threads included; the kernel keeps it in ns and cuts it to a tick, so errors do not add up. */
    val cpuSeconds: Double get() = ticks / TICKS_PER_SECOND

    companion object {
        private const val STATE = 3
        private const val UTIME = 14
        private const val STIME = 15
        private const val THREADS = 20

        /** The name is in parentheses and may itself hold blanks and parentheses: fields count from the last one. */
        fun parse(text: String): ProcStat? {
            val fields = text.substringAfterLast(") ", "").split(' ')

            fun field(number: Int): Long? = fields.getOrNull(number - STATE)?.toLongOrNull()
            val user = field(UTIME) ?: return null
            val system = field(STIME) ?: return null
            return ProcStat(user + system, field(THREADS)?.toInt() ?: return null)
        }
    }
}

/** CPU seconds of a process since it began, ended threads included; from the JDK where there is no `/proc`. */
internal fun cpuSecondsOf(pid: Long, proc: Path): Double? =
    readKernelFile(proc.resolve("$pid/stat"))?.let { ProcStat.parse(it)?.cpuSeconds }
        ?: if (noProc(proc) == null) null else cpuSecondsBesideProc(pid)

private fun cpuSecondsBesideProc(pid: Long): Double? =
    ProcessHandle.of(pid).flatMap { it.info().totalCpuDuration() }.map(Duration::toNanos).orElse(null)?.let { it / 1e9 }
