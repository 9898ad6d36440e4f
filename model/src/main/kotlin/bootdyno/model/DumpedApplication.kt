package bootdyno.model

/**
 * What thread dumps and recordings show of a process that Boot Dyno did not start. [diagnosis] has its dumps; their times are seconds since the
 * first of them. What the files do not say is null.
 */
data class DumpedApplication(
    val diagnosis: Diagnosis,
    /** Where the dumps come from, with their number: `Thread.print` → 5. */
    val forms: Map<String, Int>,
    val process: Long? = null,
    /** Version of its JVM: `25.0.1+8`. */
    val jvm: String? = null,
    /** Times of the first and the last dump as their files have them: `2026-11-26 13:04:45`. */
    val firstAt: String? = null,
    val lastAt: String? = null,
    /** Threads that were seen in all dumps with the same stack, by the index of the stack. A single dump has none. */
    val unchanged: Map<Int, Int> = emptyMap(),
    /** Whether dumps have states and locks of threads: files of JDK 21 to 24 by `Thread.dump_to_file` do not. */
    val hasStates: Boolean = true,
    /** Whether virtual threads exist, and whether the dumps contain them. */
    val virtualThreads: VirtualThreads = VirtualThreads.NONE_SEEN,
    val cpu: CpuSeen? = null,
) {
    enum class VirtualThreads { NONE_SEEN, HIDDEN, SHOWN }
}

/** CPU time over the time of the dumps or of the recording. */
data class CpuSeen(
    /** CPU seconds of the process per second. */
    val used: Double,
    /** CPUs that it may use; null if unknown. */
    val cpus: Double? = null,
    /** Share of [used] of the JIT compiler, 0 to 1; null if unknown. */
    val compiling: Double? = null,
    /** Share of the time for which the garbage collector stopped the application, 0 to 1; null if unknown. */
    val collecting: Double? = null,
)
