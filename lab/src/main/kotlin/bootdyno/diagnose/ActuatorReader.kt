package bootdyno.diagnose

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.PoolBeans
import bootdyno.model.BeanReading
import bootdyno.model.ThreadDump
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import java.net.URLEncoder

private val JSON = Json { ignoreUnknownKeys = true }
private val GAUGES = CATALOGUE.mapNotNull { it.beans }.flatMap { beans ->
    beans.metrics.map { (attribute, metric) -> Gauge(metric, beans.tag, beans.beanOf(attribute), attribute) }
}

/**
 * Reads thread dumps and pools from Spring Boot's actuator, for a server that cannot be asked over JMX. [get]: the body of a successful
 * response to a `GET` of this path; null otherwise. Its requests queue behind those of the load.
 */
internal class ActuatorReader(private val get: (String) -> String?, private val draft: DiagnosisDraft) {
    /** Platform threads alone; null if the endpoint `threaddump` is not exposed. */
    fun dump(now: () -> Double): ThreadDump? {
        val threads = read("threaddump", ActuatorDump.serializer())?.threads ?: return null
        return ThreadDump(now(), 0.0, draft.stacks.grouped(seenByActuator(threads)))
    }

    /** Numbers of pools, as their MBeans would show them; empty if the endpoint `metrics` is not exposed. */
    fun pools(at: Double): List<BeanReading> = GAUGES.flatMap(::valuesOf)
        .groupBy({ (bean, _) -> bean }, { (_, value) -> value })
        .map { (bean, values) -> BeanReading(at, bean, values.toMap()) }

    private val absent = mutableSetOf<Gauge>()

    private fun valuesOf(gauge: Gauge): List<Pair<String, Pair<String, Double>>> {
        if (gauge in absent) return emptyList()
        val path = "metrics/${gauge.metric}"
        val all = read(path, ActuatorMetric.serializer())
        val pools = all?.availableTags?.find { it.tag == gauge.tag }?.values.orEmpty()
        if (all == null || pools.isEmpty()) absent += gauge
        return pools.mapNotNull { pool ->
            // The value without a tag is the sum over all pools.
            val one = if (pools.size == 1) all else read("$path?tag=${gauge.tag}:${encoded(pool)}", ActuatorMetric.serializer())
            one?.measurements?.firstOrNull()?.value?.takeIf { it.isFinite() && it >= 0 }
                ?.let { gauge.bean.replace(PoolBeans.POOL, pool) to (gauge.attribute to it) }
        }
    }

    private fun <T> read(path: String, serializer: KSerializer<T>): T? {
        val text = get("/actuator/$path") ?: return null
        return try {
            JSON.decodeFromString(serializer, text)
        } catch (_: SerializationException) {
            // Another page at this path, such as that of a login.
            null
        }
    }

    private fun encoded(value: String) = URLEncoder.encode(value, Charsets.UTF_8)
}

/** The metric of Micrometer that says the same as an [attribute] of an MBean, which is named after the value of [tag]. */
private class Gauge(val metric: String, val tag: String, val bean: String, val attribute: String)

@Serializable
private class ActuatorMetric(val measurements: List<Measurement> = emptyList(), val availableTags: List<Tag> = emptyList()) {
    @Serializable
    class Measurement(val value: Double)

    @Serializable
    class Tag(val tag: String, val values: List<String> = emptyList())
}

/** The response of the endpoint `threaddump`: [java.lang.management.ThreadInfo] as JSON. */
@Serializable
private class ActuatorDump(val threads: List<ActuatorThread>)

/** Its threads without the one that makes the dump, with what they own. */
internal fun seenByActuator(threads: List<ActuatorThread>): List<SeenThread> {
    val owners = threads.mapNotNull { thread -> thread.lockName?.let { it to thread.lockOwnerId } }.filter { (_, id) -> id >= 0 }
    return threads.filterNot { it.isObserver }.map { it.seen() }.withOwners(owners.toMap())
}

@Serializable
internal class ActuatorThread(
    val threadId: Long,
    val threadName: String,
    val threadState: String? = null,
    val stackTrace: List<Call> = emptyList(),
    val lockName: String? = null,
    val lockOwnerId: Long = -1,
    val lockedMonitors: List<Lock> = emptyList(),
) {
    /** It makes the dump. */
    val isObserver: Boolean get() = stackTrace.any { it.className.endsWith(".ThreadDumpEndpoint") }

    fun seen() = SeenThread(
        id = threadId,
        name = threadName,
        state = threadState,
        calls = stackTrace.map { "${StackTraceElement(it.className, it.methodName, it.fileName, it.lineNumber)}" },
        waitsFor = lockName,
        owns = lockedMonitors.map { "$it" }.distinct() - listOfNotNull(lockName).toSet(),
    )

    @Serializable
    class Call(
        val className: RepeatedText,
        val methodName: RepeatedText,
        val fileName: RepeatedText? = null,
        val lineNumber: Int = -1,
    )

    @Serializable
    class Lock(val className: String, val identityHashCode: Int) {
        override fun toString(): String = "$className@${Integer.toHexString(identityHashCode)}"
    }
}
