package bootdyno.explain

import bootdyno.model.Change
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.size
import bootdyno.occupancy.Resource
import bootdyno.occupancy.ResourceKind
import kotlin.math.roundToInt

/** A setting that determines the size of a resource, recognised by the resource's noun. [forAll]: enough units for all requests in flight are advised. */
private class Knob(val kind: ResourceKind, val noun: String, val forAll: Boolean, val change: (Int) -> Change)

private fun setting(kind: ResourceKind, noun: String, key: String, forAll: Boolean = true) =
    Knob(kind, noun, forAll) { Change.Setting(key, "$it") }

private fun property(kind: ResourceKind, noun: String, key: String) =
    Knob(kind, noun, forAll = true) { Change.JvmFlag("-D$key=$it") }

/** Databases and peers have limits of their own, which are unknown: their connections are doubled only. */
private val KNOBS = listOf(
    setting(ResourceKind.REQUEST_THREADS, "Tomcat", TOMCAT_THREADS),
    setting(ResourceKind.REQUEST_THREADS, "Jetty", "server.jetty.threads.max"),
    setting(ResourceKind.REQUEST_THREADS, "Undertow", "server.undertow.threads.worker"),
    setting(ResourceKind.DATABASE_CONNECTIONS, "HikariCP", "spring.datasource.hikari.maximum-pool-size", forAll = false),
    setting(ResourceKind.DATABASE_CONNECTIONS, "DBCP", "spring.datasource.dbcp2.max-total", forAll = false),
    setting(ResourceKind.DATABASE_CONNECTIONS, "Tomcat", "spring.datasource.tomcat.max-active", forAll = false),
    setting(ResourceKind.DATABASE_CONNECTIONS, "R2DBC", "spring.r2dbc.pool.max-size", forAll = false),
    setting(ResourceKind.WORKERS, "threads of task", "spring.task.execution.pool.core-size"),
    property(ResourceKind.WORKERS, "Dispatchers.IO", IO_PARALLELISM),
    property(ResourceKind.WORKERS, "boundedElastic", ELASTIC_SIZE),
    property(ResourceKind.CARRIERS, "", "jdk.virtualThreadScheduler.parallelism"),
)

/** How to get more units of [resource], by a setting if it is known to have one. */
internal fun moreUnits(observed: Observed, resource: Resource): Advice {
    val size = resource.size
    val knob = KNOBS.find { it.kind == resource.kind && resource.noun.contains(it.noun) }
    if (knob != null && size != null) {
        val all = observed.inFlight?.roundToInt()?.takeIf { knob.forAll && it > size }
        val units = all ?: (2 * size)
        return observed.advice(knob.change(units), resource, units)
    }
    return when (resource.kind) {
        ResourceKind.EVENT_LOOPS -> Advice(
            "Do not block event loops" + resource.users.firstOrNull()?.at?.let { " ($it)" }.orEmpty() +
                ": enable virtual threads, or block on a scheduler made for it",
            null,
        )

        ResourceKind.RATE_LIMITER -> Advice("Raise the rate of the limiter", null)

        else -> Advice("Allow more of them${size?.let { " than ${count(it)}" }.orEmpty()}, or hold each for a shorter time", null)
    }
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
