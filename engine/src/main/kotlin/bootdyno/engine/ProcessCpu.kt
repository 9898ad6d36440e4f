package bootdyno.engine

import com.sun.management.GarbageCollectionNotificationInfo
import com.sun.management.OperatingSystemMXBean
import java.lang.management.ManagementFactory
import java.util.Locale
import javax.management.NotificationEmitter
import javax.management.openmbean.CompositeData

/** CPU time of this process and all its threads, user and system, in the kernel's ticks (10 ms); 0 on a JVM that does not say. */
internal fun processCpuNanos(): Long = os?.processCpuTime?.coerceAtLeast(0) ?: 0

private val os = ManagementFactory.getOperatingSystemMXBean() as? OperatingSystemMXBean

/** Tells [log] of every garbage collection that stopped this JVM for more than 5 ms: such a pause is in the latencies it stamps. */
internal fun logLongPauses(log: (String) -> Unit) {
    ManagementFactory.getGarbageCollectorMXBeans().filterIsInstance<NotificationEmitter>().forEach { collector ->
        collector.addNotificationListener(
            { notification, _ ->
                val content = notification.userData
                if (notification.type == GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION &&
                    content is CompositeData
                ) {
                    val collection = GarbageCollectionNotificationInfo.from(content)
                    val millis = collection.gcInfo.duration
                    if (millis > LONG_PAUSE_MILLIS) log("GC pause of %d ms (%s)".format(Locale.ROOT, millis, collection.gcCause))
                }
            },
            null,
            null,
        )
    }
}

private const val LONG_PAUSE_MILLIS = 5
