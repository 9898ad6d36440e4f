package bootdyno.explain

import bootdyno.model.Change
import bootdyno.model.Diagnosis
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.size
import bootdyno.occupancy.Resource
import bootdyno.occupancy.ResourceKind
import bootdyno.occupancy.setting
import kotlin.math.roundToInt

/**
 * What determines the size of a resource, recognised by the resource's noun. [forAll]: enough units for all requests in flight are advised.
 * [key]: a setting, with Spring Boot's default; a pool of another size was made by the application itself.
 */
private class SizeSetting(
    val kind: ResourceKind,
    val noun: String,
    val forAll: Boolean = true,
    private val key: String? = null,
    private val default: Int? = null,
    val change: (Int) -> Change,
) {
    fun isOf(resource: Resource, diagnosis: Diagnosis): Boolean = kind == resource.kind && noun in resource.noun &&
        (key == null || default == null || !diagnosis.knowsSettings || (diagnosis.setting(key) ?: default) == resource.size)
}

/** Whether a setting without a value in the diagnosis has its default. */
private val Diagnosis.knowsSettings: Boolean get() = settings["spring.application.admin.enabled"] == "true"

private fun setting(kind: ResourceKind, noun: String, key: String) = SizeSetting(kind, noun) { Change.Setting(key, "$it") }

/** Databases and peers have limits of their own, which are unknown: their connections are doubled only. */
private fun connections(noun: String, key: String, default: Int) =
    SizeSetting(ResourceKind.DATABASE_CONNECTIONS, noun, forAll = false, key, default) { Change.Setting(key, "$it") }

private fun property(kind: ResourceKind, noun: String, key: String) = SizeSetting(kind, noun) { Change.JvmFlag("-D$key=$it") }

private val SIZE_SETTINGS = listOf(
    setting(ResourceKind.REQUEST_THREADS, "Tomcat", TOMCAT_THREADS),
    setting(ResourceKind.REQUEST_THREADS, "Jetty", "server.jetty.threads.max"),
    setting(ResourceKind.REQUEST_THREADS, "Undertow", "server.undertow.threads.worker"),
    connections("HikariCP", "spring.datasource.hikari.maximum-pool-size", default = 10),
    connections("DBCP", "spring.datasource.dbcp2.max-total", default = 8),
    connections("Tomcat", "spring.datasource.tomcat.max-active", default = 100),
    connections("R2DBC", "spring.r2dbc.pool.max-size", default = 10),
    setting(ResourceKind.WORKERS, "threads of task", "spring.task.execution.pool.core-size"),
    property(ResourceKind.WORKERS, "Dispatchers.IO", IO_PARALLELISM),
    property(ResourceKind.WORKERS, "boundedElastic", ELASTIC_SIZE),
    property(ResourceKind.CARRIERS, "", "jdk.virtualThreadScheduler.parallelism"),
)

/** How to get more units of [resource], by a setting if it is known to have one. */
internal fun moreUnits(observed: Observed, resource: Resource): Advice {
    val size = resource.size
    val setting = SIZE_SETTINGS.find { it.isOf(resource, observed.diagnosis) }
    if (setting != null && size != null) {
        val all = observed.inFlight?.roundToInt()?.takeIf { setting.forAll && it > size }
        val units = all ?: (2 * size)
        return observed.advice(setting.change(units), resource, units)
    }
    val instruction = when (resource.kind) {
        ResourceKind.EVENT_LOOPS -> "Do not block event loops" + resource.users.firstOrNull()?.at?.let { " ($it)" }.orEmpty() +
            ": enable virtual threads, or block on a scheduler made for it"

        ResourceKind.RATE_LIMITER -> "Raise the rate of the ${resource.label}"

        ResourceKind.LOCK, ResourceKind.MONITOR -> "Hold the ${resource.label} for a shorter time, or for fewer requests"

        else -> "Allow more ${if (size == null) resource.noun else "than ${resource.label}"}, or hold each for a shorter time"
    }
    return Advice(instruction, null)
}

/** As an instruction without a full stop. */
internal val Change.words: String
    get() = when (this) {
        is Change.Setting -> "Set $key to $value"
        is Change.JvmFlag -> "Start with $flag"
        is Change.EnvironmentVariable -> "Set the environment variable $name to $value"
        is Change.Cpus -> "Use ${cpusText(cpus)}"
        is Change.Memory -> "Use ${size(memory)} of memory"
        is Change.Connections -> "Use ${count(connections)} connections"
    }
