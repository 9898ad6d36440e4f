package bootdyno.diagnose

import bootdyno.catalogue.CATALOGUE
import javax.management.MBeanServerConnection
import javax.management.ObjectName

private val COUNTED: Set<String> = CATALOGUE.flatMap { it.objects?.types.orEmpty() }.toSet()

private val DIAGNOSTIC_COMMAND = ObjectName("com.sun.management:type=DiagnosticCommand")

/** Line of a class histogram: `  12:   345   8280  com.zaxxer.hikari.pool.PoolEntry (module@version)`: number, objects, bytes, class. */
private val LINE = Regex("""\s*\d+:\s+(\d+)\s+\d+\s+(\S+).*""")

/** Number of live objects by class, for the classes of the catalogue. The JVM stops for a full collection of its heap. */
internal fun pooledObjects(beans: MBeanServerConnection): Map<String, Long> {
    val ofStrings = arrayOf("[Ljava.lang.String;")
    val histogram = beans.invoke(DIAGNOSTIC_COMMAND, "gcClassHistogram", arrayOf(emptyArray<String>()), ofStrings) as? String
    return countsOf(histogram.orEmpty())
}

internal fun countsOf(histogram: String): Map<String, Long> =
    histogram.lineSequence().mapNotNull { LINE.matchEntire(it)?.destructured }
        .filter { (_, type) -> type in COUNTED }.associate { (count, type) -> type to count.toLong() }
