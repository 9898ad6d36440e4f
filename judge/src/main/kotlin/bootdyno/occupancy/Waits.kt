package bootdyno.occupancy

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.ResourceKind
import bootdyno.catalogue.ResourceKind.LOCK
import bootdyno.catalogue.ResourceKind.MONITOR
import bootdyno.catalogue.WaitingCall
import bootdyno.model.Frame

/** The resource that a thread waits for, and its [entry] in the catalogue. The frame at [depth] of its stack makes the call that waits. */
internal data class Wait(
    val kind: ResourceKind,
    val noun: String,
    val id: String,
    val depth: Int,
    val entry: KnownResource? = null,
)

/** What a thread does that is blocked in a library's method and waits for no resource of the catalogue. */
private val LIBRARIES: Map<Doing, Prefixes> = mapOf(
    Doing.SLEEPING to Prefixes("org.springframework.core.retry. org.springframework.retry. io.github.resilience4j.retry."),
    // A request that waits for a connection of an asynchronous client waits for its answer just so.
    Doing.AWAITING_RESULT to
        Prefixes(
            """
            com.google.common.util.concurrent.AbstractFuture com.hazelcast. io.netty.util.concurrent.DefaultPromise.
            kotlinx.coroutines.BlockingCoroutine. org.apache.http.concurrent. org.apache.hc.core5.concurrent. org.infinispan.
            scala.concurrent.
            """,
        ),
    Doing.NETWORK to Prefixes(
        """
        com.rabbitmq. io.grpc.stub. io.lettuce.core. okhttp3.internal.connection.FastFallback
        okhttp3.internal.http2. org.apache.activemq. org.apache.kafka.clients.
        org.apache.tomcat.util.net. org.apache.zookeeper. org.eclipse.jetty.client. org.eclipse.jetty.io.
        """,
    ),
)

/** Packages of database drivers, and of databases that run inside the application. */
private val DRIVERS = Prefixes(
    """
    com.clickhouse. com.datastax. com.ibm.db2. com.microsoft.sqlserver. com.mongodb. com.mysql. org.apache.derby. org.firebirdsql.
    org.h2. org.hsqldb. org.mariadb. org.neo4j.driver. org.postgresql. org.sqlite. oracle.jdbc. oracle.net.
    """,
)

/** Awaits the answer of a peer, by any client. */
private const val SPRING_CLIENT = "org.springframework.http.client."

/** What a thread does; [wait] is set if it waits for a resource. */
internal data class ThreadDoing(val doing: Doing, val wait: Wait? = null)

/** What a thread does whose [frames] are [blocked]. */
internal fun reason(frames: List<Frame>, blocked: Blocked): ThreadDoing {
    val caller = frames.find { !it.ofJdk }
    val driver = caller != null && caller.type in DRIVERS
    return when {
        blocked.how == How.NETWORK -> ThreadDoing(if (driver) Doing.DATABASE else Doing.NETWORK)

        blocked.how == How.LOOKUP -> ThreadDoing(Doing.LOOKUP)

        else -> inLibrary(frames, blocked)
            ?: ThreadDoing(Doing.DATABASE).takeIf { driver && blocked.how != How.LOCK && blocked.how != How.SEMAPHORE }
            ?: primitive(frames, blocked)
    }
}

/** Only frames of the library that called the JDK: what it calls, such as a factory of connections, blocks for its own reasons. */
private fun inLibrary(frames: List<Frame>, blocked: Blocked): ThreadDoing? {
    val first = frames.indexOfFirst { !it.ofJdk }.takeIf { it >= 0 && !frames[it].own && blocked.how != How.FILE } ?: return null
    val callers = frames.drop(first).takeWhile { !it.own }
    val library = callers.takeWhile { it.library == callers.first().library }
    val wait = library.withIndex().firstNotNullOfOrNull { (index, frame) ->
        CATALOGUE.find { entry ->
            (entry.kind == LOCK) == (blocked.how == How.LOCK) && entry.waits.any { it.fits(frame, callers) }
        }?.let { Wait(it.kind, it.noun, it.noun, first + index, it) }
    }
    return when {
        wait != null -> ThreadDoing(Doing.WAITING, wait)
        blocked.how == How.LOCK -> null
        blocked.how == How.RESULT && callers.any { it.type.startsWith(SPRING_CLIENT) } -> ThreadDoing(Doing.NETWORK)
        else -> LIBRARIES.entries.find { (_, methods) -> library.any { it.call in methods } }?.let { ThreadDoing(it.key) }
    }
}

private fun WaitingCall.fits(frame: Frame, callers: List<Frame>) =
    frame.call.startsWith(method) && (within?.let { library -> callers.any { it.type.startsWith(library) } } ?: true)

private fun primitive(frames: List<Frame>, blocked: Blocked): ThreadDoing {
    // A condition is always part of something else, other methods of the JDK may have a lock of their own.
    val depth = frames.withIndex().indexOfFirst { (index, frame) ->
        index > blocked.frame && if (blocked.how == How.CONDITION) !frame.ofJdk else !frame.type.startsWith("jdk.internal.")
    }
    val caller = frames.getOrNull(depth)
    val place = caller?.type?.substringAfterLast('.')
    val kind = blocked.how.kind ?: return ThreadDoing(blocked.how.doing)
    if (caller == null) return ThreadDoing(Doing.UNKNOWN)
    val noun = when (blocked.how) {
        How.SEMAPHORE -> "permits of the semaphore in $place"
        How.LOCK -> "${frames[blocked.frame].type.substringAfterLast('.').substringBefore('$')} in $place"
        else -> "objects of $place"
    }
    return ThreadDoing(Doing.WAITING, Wait(kind, noun, "$noun, ${caller.method}", depth))
}

/**
 * A thread in state BLOCKED waits to enter a block or method that is `synchronized`, in its innermost frame. [identity] is the object whose
 * monitor it waits for, null if unknown.
 */
internal fun monitor(frames: List<Frame>, identity: String?): ThreadDoing {
    val top = frames.firstOrNull() ?: return ThreadDoing(Doing.UNKNOWN)
    val entry = CATALOGUE.find { entry -> entry.kind == MONITOR && entry.waits.any { it.fits(top, frames) } }
    val type = identity?.substringBefore('@')?.takeUnless { it.startsWith("java.lang.") } ?: top.type
    val noun = entry?.noun ?: "monitor of ${type.substringAfterLast('.')}"
    return ThreadDoing(Doing.WAITING, Wait(MONITOR, noun, identity ?: "$noun, ${top.method}", 0, entry))
}
