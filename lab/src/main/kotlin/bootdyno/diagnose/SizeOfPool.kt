package bootdyno.diagnose

import bootdyno.catalogue.CHANGED_WHILE_RUNNING
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.PoolBeans
import bootdyno.probe.jmxOrNull
import java.io.IOException
import javax.management.Attribute
import javax.management.JMException
import javax.management.MBeanServerConnection
import javax.management.ObjectName

/** The size of a pool of a running application, as its MBean shows it and lets it be changed. Every call may block, and throws [IOException] and [JMException]. */
internal class SizeOfPool private constructor(
    private val beans: MBeanServerConnection,
    private val entry: PoolBeans,
    private val sizeBean: ObjectName,
    private val pool: ObjectName,
) {
    private val whileRunning = checkNotNull(entry.whileRunning) { "${entry.size} cannot be changed" }

    /** What must not be larger than the size, and its value; null if there is nothing of the kind. */
    private val below: Below? = whileRunning.notAbove?.let { name -> number(sizeBean, name)?.let { Below(name, it) } }

    /** Units now; null if it says none. */
    fun read(): Int? = number(sizeBean, entry.size)

    /** Units in use now; null if unknown. */
    fun inUse(): Int? = number(pool, entry.inUse)

    /** Whether the size that is read back is [units]. */
    fun set(units: Int): Boolean {
        val before = read()
        val isLess = before != null && units < before
        val most = below?.let { minOf(it.value, units) }
        if (isLess && most != null) write(below.attribute, most)
        write(entry.size, units)
        if (!isLess && most != null) write(below.attribute, most)
        if (isLess) whileRunning.evict?.let { beans.invoke(pool, it, null, null) }
        return read() == units && (most == null || number(sizeBean, below.attribute) == most)
    }

    private fun write(attribute: String, value: Int) = beans.setAttribute(sizeBean, Attribute(attribute, value))

    private fun number(bean: ObjectName, attribute: String): Int? = (beans.getAttribute(bean, attribute) as? Number)?.toInt()

    private class Below(val attribute: String, val value: Int)

    companion object {
        /**
         * Of the only pool of [entry], or of that whose threads have the name [threads]; null if there is none, or several, or if it cannot be changed.
         */
        fun of(beans: MBeanServerConnection, entry: KnownResource, threads: String): SizeOfPool? {
            val poolBeans = entry.beans?.takeIf { it.whileRunning != null } ?: return null
            return jmxOrNull {
                val names = beans.queryNames(ObjectName(poolBeans.name.replace(PoolBeans.POOL, "*")), null).sorted()
                val name = names.singleOrNull() ?: names.singleOrNull { threads.startsWith(poolBeans.poolOf("$it").orEmpty()) }
                name?.let { of(beans, poolBeans, it) }
            }
        }

        /** Of the only pool that the application property [setting] gives its size; null if there is none, or several, or if it cannot be changed. */
        fun of(beans: MBeanServerConnection, setting: String): SizeOfPool? =
            CHANGED_WHILE_RUNNING[setting]?.let { of(beans, it, threads = "") }

        private fun of(beans: MBeanServerConnection, known: PoolBeans, pool: ObjectName): SizeOfPool? {
            val sizeBean = ObjectName(known.sizeBean.replace(PoolBeans.POOL, known.poolOf("$pool").orEmpty()))
            val size = beans.getMBeanInfo(sizeBean).attributes.find { it.name == known.size }
            return if (size?.isWritable == true && size.type == "int") SizeOfPool(beans, known, sizeBean, pool) else null
        }
    }
}
