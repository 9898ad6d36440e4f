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
) {
    companion object {
        val nothing = Seen()
    }
}

/** A cell and what was seen of it: all that a limit is found from. */
internal data class Setup(val cell: Cell, val seen: Seen)
