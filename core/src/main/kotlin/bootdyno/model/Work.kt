package bootdyno.model

import kotlin.time.Duration

/** Same profile, same parameters, the same wait: the same work. Of swept parameters only the axis counts. */
data class Work(val profile: String, val holds: Duration?, val parameters: Map<String, String>) {
    constructor(cell: Cell) : this(
        cell.profile.name,
        cell.workload.holds,
        cell.workload.point?.let { mapOf(it.axis to exact(it.value)) } ?: cell.workload.parameters,
    )
}
