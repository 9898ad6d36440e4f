package bootdyno.explain

import bootdyno.model.Cell

/** What was seen of a cell while it ran; null is not seen. Before a run nothing is. */
data class Seen(
    /** Response time of a request that met no queue, seconds. */
    val aloneSeconds: Double? = null,
    /** Most threads seen at once, by family: `tomcat`, `event-loop`… */
    val threadFamilies: Map<String, Int>? = null,
    val cpuSecondsPerRequest: Double? = null,
    /** CPUs the subject might use, as read back. */
    val cpus: Double? = null,
    /** Null where there is no database, or where it shares the subject's CPUs. */
    val database: DatabaseCpu? = null,
) {
    companion object {
        val nothing = Seen()
    }
}

/** CPU time a request costs on the [cpus] of the database: the load generator's too where it runs on them, [withGenerator]. */
data class DatabaseCpu(val cpus: Double, val secondsPerRequest: Double, val withGenerator: Boolean)

/** A cell and what was seen of it: all that a limit is found from. */
internal data class Setup(val cell: Cell, val seen: Seen)
