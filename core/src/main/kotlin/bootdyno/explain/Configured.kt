package bootdyno.explain

import bootdyno.model.Stack
import bootdyno.model.time
import java.util.Locale
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The size of a pool and where it is from. */
internal data class Sized(val count: Double, val source: String)

private const val DEFAULT = "default"
private const val VIRTUAL = "spring.threads.virtual.enabled"

/** The built-in servlet subject's own setting: it puts virtual threads under Tomcat as an executor. */
private const val EXECUTOR = "subject.executor"
private const val ACTIVE_PROCESSORS = "-XX:ActiveProcessorCount="

/** The families of threads that give a stack away, as the probes call them. */
private const val TOMCAT_WORKERS = "tomcat"
private const val EVENT_LOOPS = "event-loop"

/** What the application reads under [key]: its settings, its environment (`SERVER_PORT`), its system properties, in that order. */
internal fun Setup.setting(key: String): String? = cell.variant.settings[key]
    ?: cell.variant.environment[key.replace("-", "").replace('.', '_').uppercase(Locale.ROOT)]
    ?: property(key)

/** A system property given as a JVM flag; the last one wins. */
internal fun Setup.property(key: String): String? = cell.variant.jvm.lastOrNull { it.startsWith("-D$key=") }?.substringAfter('=')

internal val Setup.virtualThreads: Boolean
    get() = setting(VIRTUAL)?.lowercase(Locale.ROOT) == "true" || setting(EXECUTOR) == "virtual"

/** The configured size, else [default]; null when it is configured as something that is no number. */
internal fun sized(configured: String?, key: String, default: Double?): Sized? =
    if (configured == null) default?.let { Sized(it, DEFAULT) } else configured.toDoubleOrNull()?.let { Sized(it, key) }

/** What the subject is built on: as declared, else as its threads show. */
internal val Setup.stack: Stack
    get() {
        val names = seen.threadFamilies.orEmpty().keys
        return when {
            cell.subject.stack != Stack.UNKNOWN -> cell.subject.stack
            TOMCAT_WORKERS in names -> Stack.TOMCAT
            EVENT_LOOPS in names -> Stack.NETTY
            else -> Stack.UNKNOWN
        }
    }

/** CPUs the subject may use at once, as found, else as asked for; null when nothing limits it and nothing was seen. */
internal val Setup.cpus: Double? get() = seen.cpus ?: cell.limits.cpus

/** CPUs as the JVM counts them, which sizes its pools: a quota is rounded up. */
internal val Setup.jvmCpus: Double?
    get() = cell.variant.jvm.lastOrNull { it.startsWith(ACTIVE_PROCESSORS) }?.substringAfter('=')?.toDoubleOrNull()
        ?: cpus?.let(::ceil)

/** How long a request holds what it occupies: as the experiment says, else as a request without a queue took. */
internal val Setup.heldFor: Duration? get() = cell.workload.holds ?: seen.aloneSeconds?.takeIf { it > 0 }?.seconds

/** How the reader knows [heldFor]; null when the experiment says it. */
internal val Setup.heldSource: String?
    get() = if (cell.workload.holds != null) null else heldFor?.let { "measured: a single request took ${time(it)}" }
