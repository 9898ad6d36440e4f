package bootdyno.explain

import bootdyno.catalogue.KnownResource
import bootdyno.model.Cell
import bootdyno.model.Stack
import bootdyno.model.listed
import bootdyno.occupancy.Size
import java.util.Locale
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** What was measured of a cell; null if not read, or before the run. */
data class Seen(
    /** Response time of a single request without load, seconds. */
    val aloneSeconds: Double? = null,
    /** Families of its threads: `tomcat`, `event-loop`… */
    val threadFamilies: Set<String> = emptySet(),
    val cpuSecondsPerRequest: Double? = null,
    /** CPUs that the subject may use, as read back. */
    val cpus: Double? = null,
    /** Null without a database, or if its CPUs are unknown. */
    val database: DatabaseCpu? = null,
)

/** CPU time per request on the [cpus] of the database, and of those [sharing] them: `the load generator`, `the application`. */
data class DatabaseCpu(val cpus: Double, val secondsPerRequest: Double, val sharing: List<String> = emptyList()) {
    /** `the database and the load generator` */
    val users: String get() = listed(listOf("the database") + sharing)
}

internal const val VIRTUAL = "spring.threads.virtual.enabled"

/** Setting of the built-in servlet subject: an executor of virtual threads for Tomcat. */
private const val EXECUTOR = "subject.executor"
private const val ACTIVE_PROCESSORS = "-XX:ActiveProcessorCount="

/** A cell and its measurements: the input for finding limits. */
internal data class Setup(val cell: Cell, val seen: Seen) {
    val virtualThreads: Boolean
        get() = setting(VIRTUAL)?.lowercase(Locale.ROOT) == "true" || setting(EXECUTOR) == "virtual"

    /** Declared, otherwise derived from its threads. */
    val stack: Stack
        get() = cell.subject.stack.takeUnless { it == Stack.UNKNOWN }
            ?: Stack.entries.find { it.threadFamily in seen.threadFamilies } ?: Stack.UNKNOWN

    /** CPUs that the subject may use, as read back, otherwise as configured; null if unlimited and unknown. */
    val cpus: Double? get() = seen.cpus ?: cell.limits.cpus

    /** CPUs as the JVM counts them, for the size of its pools: a quota is rounded up. */
    val jvmCpus: Int?
        get() = cell.variant.jvm.lastOrNull { it.startsWith(ACTIVE_PROCESSORS) }?.substringAfter('=')?.toIntOrNull()
            ?: cpus?.let { ceil(it).toInt() }

    /** Declared holding time of a request; null if unknown. The response time of a single request is none: it may be spent anywhere. */
    val heldFor: Duration? get() = cell.workload.holds

    /** Mean time between a response and the next request of its client. */
    val thinkSeconds: Double get() = cell.workload.think?.mean?.toDouble(DurationUnit.SECONDS) ?: 0.0

    /** The size of [entry] as configured, otherwise its default; null if it has neither, or if the value is not a number. */
    fun size(entry: KnownResource): Size? {
        val setting = entry.setting ?: return null
        val configured = if (setting.isSystemProperty) property(setting.key) else setting(setting.key)
        return if (configured == null) {
            setting.default(jvmCpus)?.let { Size(it, "default") }
        } else {
            configured.trim().toIntOrNull()?.let { Size(it, setting.key) }
        }
    }

    /** The value of [key] for the application, in this order: settings, environment (`SERVER_PORT`), system properties. */
    private fun setting(key: String): String? = cell.variant.settings[key]
        ?: cell.variant.environment[key.replace("-", "").replace('.', '_').uppercase(Locale.ROOT)]
        ?: property(key)

    /** A system property given as a JVM flag; the last one wins. */
    private fun property(key: String): String? = cell.variant.jvm.lastOrNull { it.startsWith("-D$key=") }?.substringAfter('=')
}
