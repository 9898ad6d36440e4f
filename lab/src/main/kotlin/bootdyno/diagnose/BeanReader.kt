package bootdyno.diagnose

import bootdyno.catalogue.CATALOGUE
import bootdyno.model.BeanReading
import javax.management.Attribute
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import javax.management.openmbean.CompositeData

/** Attributes that are read, by the pattern of their beans: those of pools, and of the heap. */
private val BEANS: Map<ObjectName, Set<String>> =
    (CATALOGUE.flatMap { it.beans?.attributes?.toList().orEmpty() } + ("java.lang:type=Memory" to listOf("HeapMemoryUsage")))
        .groupBy({ (pattern, _) -> ObjectName(pattern) }, { (_, names) -> names }).mapValues { it.value.flatten().toSet() }

/** Reads the numbers of pools and of the heap over [beans]. */
internal class BeanReader(private val beans: MBeanServerConnection) {
    /** Attributes by bean; looked up once, because beans of pools are registered at the start. */
    private val attributes: Map<ObjectName, Array<String>> by lazy {
        BEANS.flatMap { (pattern, wanted) -> beans.queryNames(pattern, null).sorted().map { it to numbersOf(it, wanted) } }
            .filter { (_, names) -> names.isNotEmpty() }.toMap()
    }

    /** Values that the application does not define, negative ones, are left out. */
    fun read(at: Double): List<BeanReading> = attributes.mapNotNull { (bean, names) ->
        val values = beans.getAttributes(bean, names).filterIsInstance<Attribute>().mapNotNull(::number).toMap()
            .filterValues { it >= 0 && it.isFinite() }
        if (values.isEmpty()) null else BeanReading(at, "$bean", values)
    }

    private fun numbersOf(bean: ObjectName, wanted: Set<String>): Array<String> =
        beans.getMBeanInfo(bean).attributes.filter { it.isReadable && it.name in wanted }.map { it.name }.toTypedArray()

    /** Of memory usage, the maximum is read, as `HeapMemoryUsage.max`. */
    private fun number(attribute: Attribute): Pair<String, Double>? = when (val value = attribute.value) {
        is Number -> attribute.name to value.toDouble()
        is CompositeData -> (value.get("max") as? Number)?.let { "${attribute.name}.max" to it.toDouble() }
        else -> null
    }
}
