package bootdyno.diagnose

import javax.management.MBeanServerConnection
import javax.management.ObjectName

/**
 * Classes of which each pooled connection has one object, and those of reactor-pool and kotlinx.coroutines by which requests are counted that wait
 * without a thread.
 */
private val POOLED = setOf(
    "com.zaxxer.hikari.pool.PoolEntry",
    "com.mchange.v2.c3p0.impl.NewPooledConnection",
    "com.mongodb.internal.connection.DefaultConnectionPool\$PooledConnection",
    "io.r2dbc.pool.PooledConnection",
    "jdk.internal.net.http.PlainHttpConnection",
    "jdk.internal.net.http.AsyncSSLConnection",
    "kotlinx.coroutines.sync.MutexImpl",
    "kotlinx.coroutines.sync.MutexImpl\$CancellableContinuationWithOwner",
    "kotlinx.coroutines.sync.SemaphoreImpl",
    "kotlinx.coroutines.sync.SemaphoreSegment",
    "okhttp3.internal.connection.RealConnection",
    "org.apache.commons.dbcp2.PoolableConnection",
    "org.apache.commons.pool2.impl.DefaultPooledObject",
    "org.apache.hc.core5.pool.PoolEntry",
    "org.apache.http.impl.conn.CPoolEntry",
    "org.apache.http.impl.nio.conn.CPoolEntry",
    "org.apache.tomcat.dbcp.dbcp2.PoolableConnection",
    "org.apache.tomcat.jdbc.pool.PooledConnection",
    "reactor.netty.resources.DefaultPooledConnectionProvider\$PooledConnection",
    "reactor.pool.AbstractPool\$Borrower",
    "reactor.pool.SimpleDequePool",
    "reactor.pool.SimpleDequePool\$QueuePooledRef",
    "sun.net.www.http.HttpClient",
)

private val DIAGNOSTIC_COMMAND = ObjectName("com.sun.management:type=DiagnosticCommand")

/** Line of a class histogram: `  12:   345   8280  com.zaxxer.hikari.pool.PoolEntry (module@version)`: number, objects, bytes, class. */
private val LINE = Regex("""\s*\d+:\s+(\d+)\s+\d+\s+(\S+).*""")

/** Live objects of the classes of pooled connections. The JVM stops for a full collection of its heap, which leaves live ones only. */
internal fun pooledObjects(beans: MBeanServerConnection): Map<String, Long> {
    val told = beans.invoke(
        DIAGNOSTIC_COMMAND,
        "gcClassHistogram",
        arrayOf(emptyArray<String>()),
        arrayOf("[Ljava.lang.String;"),
    ) as? String
    return countsOf(told.orEmpty())
}

internal fun countsOf(histogram: String): Map<String, Long> = histogram.lineSequence().mapNotNull {
    LINE.matchEntire(it)?.destructured
}
    .filter { (_, type) -> type in POOLED }.associate { (count, type) -> type to count.toLong() }
