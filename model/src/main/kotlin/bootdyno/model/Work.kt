package bootdyno.model

import kotlin.time.Duration

/**
 * Same profile, same parameters, the same wait: the same work. Of swept parameters only the axis counts. [workload]: its name, if nothing says
 * that it does the work of others (see [Plan.workOf]).
 */
data class Work(val profile: String, val holds: Duration?, val parameters: Map<String, String>, val workload: String? = null) {
    constructor(cell: Cell, workload: String? = null) : this(
        cell.profile.name,
        cell.workload.holds,
        cell.workload.point?.let { mapOf(it.axis to exact(it.value)) } ?: cell.workload.parameters,
        workload,
    )
}
