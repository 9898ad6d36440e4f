package bootdyno.diagnose

import bootdyno.model.BeanReading
import javax.management.Attribute
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import javax.management.openmbean.CompositeData

/** Beans that say how much of a pool is in use, and their attributes; null for all with numbers. */
private val BEANS: Map<ObjectName, List<String>?> = mapOf(
    "com.zaxxer.hikari:*" to null,
    "*:type=ThreadPool,*" to listOf(
        "currentThreadsBusy",
        "currentThreadCount",
        "maxThreads",
        "connectionCount",
        "maxConnections",
        "keepAliveCount",
        "acceptCount",
    ),
    "*:type=DataSource,*" to listOf("numActive", "numIdle", "maxTotal", "active", "idle", "size", "maxActive", "waitCount"),
    "*:type=ConnectionPool,*" to listOf("Active", "Idle", "Size", "MaxActive", "WaitCount"),
    "java.lang:type=Memory" to listOf("HeapMemoryUsage", "NonHeapMemoryUsage"),
    "java.lang:type=MemoryPool,*" to listOf("Usage", "CollectionUsage"),
    "java.lang:type=GarbageCollector,*" to listOf("CollectionCount", "CollectionTime"),
    "java.nio:type=BufferPool,*" to listOf("Count", "MemoryUsed", "TotalCapacity"),
).mapKeys { (pattern, _) -> ObjectName(pattern) }

/** Parts of memory usage that are read. */
private val PARTS = listOf("used", "max")

/** Reads the numbers of pools, memory and collectors over [beans]. */
internal class BeanReader(private val beans: MBeanServerConnection) {
    /** Attributes by bean; looked up once, because beans of pools are registered at the start. */
    private val attributes: Map<ObjectName, Array<String>> by lazy {
        BEANS.flatMap { (pattern, wanted) -> beans.queryNames(pattern, null).sorted().map { it to numbersOf(it, wanted) } }
            .filter { (_, names) -> names.isNotEmpty() }.toMap()
    }

    /** Values that the application does not define, negative ones, are left out. */
    fun read(at: Double): List<BeanReading> = attributes.mapNotNull { (bean, names) ->
        val values = beans.getAttributes(bean, names).filterIsInstance<Attribute>().flatMap(::numbers).toMap()
            .filterValues { it >= 0 && it.isFinite() }
        if (values.isEmpty()) null else BeanReading(at, "$bean", values)
    }

    private fun numbersOf(bean: ObjectName, wanted: List<String>?): Array<String> = beans.getMBeanInfo(bean).attributes
        .filter { it.isReadable && if (wanted == null) it.type in NUMBERS else it.name in wanted }
        .map { it.name }.toTypedArray()

    /** Memory usage is read as `HeapMemoryUsage.used`. */
    private fun numbers(attribute: Attribute): List<Pair<String, Double>> = when (val value = attribute.value) {
        is Number -> listOf(attribute.name to value.toDouble())

        is CompositeData -> PARTS.mapNotNull { part ->
            (value.get(part) as? Number)?.let { "${attribute.name}.$part" to it.toDouble() }
        }

        else -> emptyList()
    }

    private companion object {
        val NUMBERS = setOf("int", "long", "double", "float", "java.lang.Integer", "java.lang.Long", "java.lang.Double")
    }
}
