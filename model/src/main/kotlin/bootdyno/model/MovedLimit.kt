package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * A limit of the running subject that was changed while the load went on: its original value and others in turn, in short [slices]. How the
 * throughput depends on the limit is computed from them.
 */
@Serializable
data class MovedLimit(
    /** The key of the resource in the thread dumps of the same diagnosis; [CPUS] for the CPU limit. */
    val resource: String,
    /** Its units in the plural: `HikariCP connections`. */
    val noun: String,
    val original: Double,
    /** In the order of time; empty if it was not tested. */
    val slices: List<MovedSlice> = emptyList(),
    /** The value that was read back after the original one had been put back; null if it could not be read. */
    val readBack: Double? = null,
    /** A sentence: why it was not tested, or not as long as planned; null if it was. */
    val missing: String? = null,
) {
    companion object {
        const val CPUS = "cpus"
    }
}

/** The throughput at one [value] of a limit, after the change had taken effect. */
@Serializable
data class MovedSlice(
    /** Seconds since the start of the trial. */
    val at: Double,
    val seconds: Double,
    val value: Double,
    /** Successful requests per second. */
    val perSecond: Double,
)
