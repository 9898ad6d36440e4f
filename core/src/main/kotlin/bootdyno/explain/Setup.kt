package bootdyno.explain

import bootdyno.model.Cell
import bootdyno.model.Stack
import bootdyno.model.time
import java.util.Locale
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What was seen of a cell while it ran; null is not seen. Before a run nothing is. */
data class Seen(
    /** Response time of a request that met no queue, seconds. */
    val aloneSeconds: Double? = null,
    /** The families of its threads: `tomcat`, `event-loop`… */
    val threadFamilies: Set<String> = emptySet(),
    val cpuSecondsPerRequest: Double? = null,
    /** CPUs the subject might use, as read back. */
    val cpus: Double? = null,
    /** Null where there is no database, or where it shares the subject's CPUs. */
    val database: DatabaseCpu? = null,
)

/** CPU time a request costs on the [cpus] of the database: the load generator's too where it runs on them, [withGenerator]. */
data class DatabaseCpu(val cpus: Double, val secondsPerRequest: Double, val withGenerator: Boolean)

/** The size of a pool and where it is from. */
internal data class Sized(val count: Double, val source: String)

private const val VIRTUAL = "spring.threads.virtual.enabled"

/** The built-in servlet subject's own setting: it puts virtual threads under Tomcat as an executor. */
private const val EXECUTOR = "subject.executor"
private const val ACTIVE_PROCESSORS = "-XX:ActiveProcessorCount="

/** A cell and what was seen of it: all that a limit is found from. */
internal data class Setup(val cell: Cell, val seen: Seen) {
    val virtualThreads: Boolean
        get() = setting(VIRTUAL)?.lowercase(Locale.ROOT) == "true" || setting(EXECUTOR) == "virtual"

    /** What the subject is built on: as declared, else as its threads show. */
    val stack: Stack
        get() = when {
            cell.subject.stack != Stack.UNKNOWN -> cell.subject.stack
            "tomcat" in seen.threadFamilies -> Stack.TOMCAT
            "event-loop" in seen.threadFamilies -> Stack.NETTY
            else -> Stack.UNKNOWN
        }

    /** CPUs the subject may use at once, as found, else as asked for; null when nothing limits it and nothing was seen. */
    val cpus: Double? get() = seen.cpus ?: cell.limits.cpus

    /** CPUs as the JVM counts them, which sizes its pools: a quota is rounded up. */
    val jvmCpus: Double?
        get() = cell.variant.jvm.lastOrNull { it.startsWith(ACTIVE_PROCESSORS) }?.substringAfter('=')?.toDoubleOrNull()
            ?: cpus?.let(::ceil)

    /** How long a request holds what it occupies: as the experiment says, else as a request without a queue took. */
    val heldFor: Duration? get() = cell.workload.holds ?: seen.aloneSeconds?.takeIf { it > 0 }?.seconds

    /** How the reader knows [heldFor]; null when the experiment says it. */
    val heldSource: String?
        get() = if (cell.workload.holds != null) null else heldFor?.let { "measured: a single request took ${time(it)}" }

    /** The size under [key], else [default]; null when it is configured as something that is no number. */
    fun sized(key: String, default: Double?): Sized? = sized(key, setting(key), default)

    /** The same of a size that is read as a system property only. */
    fun sizedByProperty(key: String, default: Double?): Sized? = sized(key, property(key), default)

    private fun sized(key: String, configured: String?, default: Double?): Sized? =
        if (configured == null) default?.let { Sized(it, "default") } else configured.toDoubleOrNull()?.let { Sized(it, key) }

    /** What the application reads under [key]: its settings, its environment (`SERVER_PORT`), its system properties, in that order. */
    private fun setting(key: String): String? = cell.variant.settings[key]
        ?: cell.variant.environment[key.replace("-", "").replace('.', '_').uppercase(Locale.ROOT)]
        ?: property(key)

    /** A system property given as a JVM flag; the last one wins. */
    private fun property(key: String): String? = cell.variant.jvm.lastOrNull { it.startsWith("-D$key=") }?.substringAfter('=')
}
