package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.nullOn
import com.sun.tools.attach.AttachNotSupportedException
import com.sun.tools.attach.VirtualMachine
import java.io.IOException
import java.lang.management.ManagementFactory
import java.util.Properties
import javax.management.Attribute
import javax.management.JMException
import javax.management.JMRuntimeException
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import javax.management.openmbean.CompositeData
import javax.management.remote.JMXConnector
import javax.management.remote.JMXConnectorFactory
import javax.management.remote.JMXServiceURL

/** Local JMX of a JVM, and its own figures. Every call may block; [beans] may be used by several threads. */
internal class JvmConnection private constructor(
    private val connector: JMXConnector,
    val beans: MBeanServerConnection,
    private val collectors: List<ObjectName>,
    /** System properties of the JVM when it was attached to. */
    val properties: Properties,
) : AutoCloseable {
    fun read(): Map<Metric, Double> = buildMap {
        val heap = heap()
        heap?.long("used")?.let { put(Metric.HEAP_USED, it.toDouble()) }
        heap?.long("committed")?.let { put(Metric.HEAP_COMMITTED, it.toDouble()) }
        val collections = collectors.map { ask(it, listOf("CollectionCount", "CollectionTime")) }
        total(collections, "CollectionCount")?.let { put(Metric.GC_COUNT, it.toDouble()) }
        total(collections, "CollectionTime")?.let { put(Metric.GC_TIME, it / MILLIS) }
        val threads = ask(THREADING, listOf("ThreadCount", "DaemonThreadCount"))
        threads.number("ThreadCount")?.let { put(Metric.LIVE_THREADS, it.toDouble()) }
        threads.number("DaemonThreadCount")?.let { put(Metric.DAEMON_THREADS, it.toDouble()) }
        ask(COMPILATION, listOf("TotalCompilationTime")).number("TotalCompilationTime")
            ?.let { put(Metric.COMPILATION_TIME, it / MILLIS) }
    }

    /** `java.version`, `java.vm.name`, `java.vm.version`, `os.arch`, `gc`, `heap.max` (bytes), `processors`. */
    fun facts(): Map<String, String> = buildMap {
        listOf("java.version", "java.vm.name", "java.vm.version", "os.arch").forEach { key ->
            properties.getProperty(key)?.let { put(key, it) }
        }
        put("gc", allCollectors(beans).joinToString { it.getKeyProperty("name") })
        heap()?.long("max")?.takeIf { it >= 0 }?.let { put("heap.max", it.toString()) }
        ask(SYSTEM, listOf("AvailableProcessors")).number("AvailableProcessors")?.let { put("processors", it.toString()) }
    }

    override fun close() = connector.close()

    private fun heap(): CompositeData? =
        ask(MEMORY, listOf("HeapMemoryUsage")).firstNotNullOfOrNull { it.value as? CompositeData }

    private fun CompositeData.long(key: String): Long? = get(key) as? Long

    /** One call for all [names]. */
    private fun ask(bean: ObjectName, names: List<String>): List<Attribute> =
        beans.getAttributes(bean, names.toTypedArray()).filterIsInstance<Attribute>()

    private fun List<Attribute>.number(name: String): Long? = (find { it.name == name }?.value as? Number)?.toLong()

    /** The JVM reports −1 for undefined. */
    private fun total(beans: List<List<Attribute>>, name: String): Long? =
        beans.mapNotNull { it.number(name) }.filter { it >= 0 }.takeIf { it.isNotEmpty() }?.sum()

    companion object {
        private val MEMORY = ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME)
        private val THREADING = ObjectName(ManagementFactory.THREAD_MXBEAN_NAME)
        private val COMPILATION = ObjectName(ManagementFactory.COMPILATION_MXBEAN_NAME)
        private val SYSTEM = ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME)
        private const val MILLIS = 1e3

        /** No heartbeats, which would need a thread. */
        private val QUIET = mapOf("jmx.remote.x.client.connection.check.period" to 0L)

        /** Loads the JDK's management agent into the JVM; costs about half a CPU second once, and some threads while connected. */
        fun attach(pid: Long): JvmConnection {
            val machine = VirtualMachine.attach(pid.toString())
            val properties: Properties
            val address: String
            try {
                properties = machine.systemProperties
                address = machine.startLocalManagementAgent()
            } finally {
                machine.detach()
            }
            val connector = JMXConnectorFactory.connect(JMXServiceURL(address), QUIET)
            val beans = connector.mBeanServerConnection
            return JvmConnection(connector, beans, pausing(allCollectors(beans)), properties)
        }

        private fun allCollectors(beans: MBeanServerConnection): List<ObjectName> =
            beans.queryNames(ObjectName("${ManagementFactory.GARBAGE_COLLECTOR_MXBEAN_DOMAIN_TYPE},*"), null).sorted()

        /** Concurrent collectors have separate beans for cycles and pauses; only pauses stop the application. */
        private fun pausing(collectors: List<ObjectName>): List<ObjectName> =
            collectors.filter { it.getKeyProperty("name").endsWith("Pauses") }.ifEmpty { collectors }
    }
}

/** What [question] returns; null if the JVM cannot be attached to, does not answer, or refuses. */
internal inline fun <T> jmxOrNull(question: () -> T): T? =
    nullOn(AttachNotSupportedException::class, IOException::class, JMException::class, JMRuntimeException::class) { question() }
