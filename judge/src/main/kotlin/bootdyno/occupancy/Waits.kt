package bootdyno.occupancy

import bootdyno.model.Frame
import bootdyno.occupancy.ResourceKind.CLIENT_CONNECTIONS
import bootdyno.occupancy.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.occupancy.ResourceKind.LOCK
import bootdyno.occupancy.ResourceKind.MONITOR
import bootdyno.occupancy.ResourceKind.POOL
import bootdyno.occupancy.ResourceKind.RATE_LIMITER
import bootdyno.occupancy.ResourceKind.SEMAPHORE

internal const val HIKARI = "HikariCP connections"
internal const val TOMCAT_JDBC = "Tomcat JDBC connections"
internal const val DBCP = "DBCP connections"
private const val APACHE = "connections of Apache HttpClient"

/** Computes the value of a key, and changes an entry, with the monitor of the entry. */
private const val MAP = "java.util.concurrent.ConcurrentHashMap"
private const val MAP_ENTRY = "an entry of a ConcurrentHashMap"

/** The resource that a thread waits for. The frame at [depth] of its stack makes the call that waits. */
internal data class Wait(val kind: ResourceKind, val noun: String, val id: String, val depth: Int)

/** What a blocked thread does in a library's [method] (a prefix): waits for a [kind], or does [doing]. */
private class Row(
    val method: String,
    val kind: ResourceKind?,
    val noun: String = "",
    val doing: Doing = Doing.WAITING,
    /** Package of the library that uses this one; empty for any. */
    val within: String = "",
) {
    fun reason(depth: Int) = Reason(doing, kind?.let { Wait(it, noun, noun, depth) })
}

/** The first row that fits a frame decides. Their methods block for this reason only, or for a lock of the library. */
private val ROWS: List<Row> = listOf(
    Row("com.zaxxer.hikari.util.ConcurrentBag.borrow", DATABASE_CONNECTIONS, HIKARI),
    Row("org.apache.commons.pool2.impl.Generic", DATABASE_CONNECTIONS, DBCP, within = "org.apache.commons.dbcp2."),
    Row("org.apache.commons.pool2.impl.Generic", CLIENT_CONNECTIONS, "Jedis connections", within = "redis.clients."),
    Row("org.apache.commons.pool2.impl.Generic", CLIENT_CONNECTIONS, "Lettuce connections", within = "io.lettuce."),
    Row("org.apache.commons.pool2.impl.Generic", POOL, "objects of a commons-pool2 pool"),
    Row("org.apache.tomcat.jdbc.pool.", DATABASE_CONNECTIONS, TOMCAT_JDBC),
    Row("org.apache.tomcat.dbcp.pool2.impl.Generic", DATABASE_CONNECTIONS, DBCP),
    Row("com.alibaba.druid.pool.DruidDataSource.", DATABASE_CONNECTIONS, "Druid connections"),
    Row("com.mchange.v2.resourcepool.BasicResourcePool.", DATABASE_CONNECTIONS, "c3p0 connections"),
    Row("oracle.ucp.", DATABASE_CONNECTIONS, "UCP connections"),
    Row("io.agroal.pool.", DATABASE_CONNECTIONS, "Agroal connections"),
    Row("com.mongodb.internal.connection.ConcurrentPool.", DATABASE_CONNECTIONS, "MongoDB connections"),
    Row("com.mongodb.internal.connection.DefaultConnectionPool", DATABASE_CONNECTIONS, "MongoDB connections"),
    Row("org.apache.http.pool.", CLIENT_CONNECTIONS, APACHE),
    Row("org.apache.http.impl.conn.tsccm.", CLIENT_CONNECTIONS, APACHE),
    Row("org.apache.hc.core5.pool.", CLIENT_CONNECTIONS, APACHE),
    Row("org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager", CLIENT_CONNECTIONS, APACHE),
    // A monitor, because the object changes with the owner: it is the owner's transaction.
    Row("org.h2.mvstore.tx.Transaction.waitFor", MONITOR, "row lock of H2"),
    Row("com.google.common.util.concurrent.RateLimiter.", RATE_LIMITER, "Guava rate limiter"),
    Row("io.github.resilience4j.ratelimiter.", RATE_LIMITER, "Resilience4j rate limiter"),
    Row("io.github.bucket4j.", RATE_LIMITER, "Bucket4j rate limiter"),
    Row("io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead.", SEMAPHORE, "concurrent calls of a Resilience4j bulkhead"),
    Row("org.springframework.util.ConcurrencyThrottleSupport.", SEMAPHORE, "concurrent calls of Spring's @ConcurrencyLimit"),
    Row("org.springframework.core.retry.", null, doing = Doing.SLEEPING),
    Row("org.springframework.retry.", null, doing = Doing.SLEEPING),
    Row("io.github.resilience4j.retry.", null, doing = Doing.SLEEPING),
    Row("kotlinx.coroutines.BlockingCoroutine.", null, doing = Doing.AWAITING_RESULT),
    Row("io.lettuce.core.", null, doing = Doing.NETWORK),
    Row("okhttp3.internal.http2.", null, doing = Doing.NETWORK),
    Row("org.eclipse.jetty.client.", null, doing = Doing.NETWORK),
    Row("org.apache.kafka.clients.", null, doing = Doing.NETWORK),
)

/** Packages of database drivers, and of databases that run inside the application. */
private val DRIVERS = Prefixes(
    """
    com.clickhouse. com.datastax. com.ibm.db2. com.microsoft.sqlserver. com.mongodb. com.mysql. org.apache.derby.
    org.firebirdsql. org.h2. org.hsqldb. org.mariadb. org.neo4j.driver. org.postgresql. org.sqlite. oracle.jdbc.
    oracle.net.
    """,
)

/** What a thread does; [wait] is set if it waits for a resource. */
internal data class Reason(val doing: Doing, val wait: Wait? = null)

/** What a thread does whose [frames] are [blocked]. */
internal fun reason(frames: List<Frame>, blocked: Blocked): Reason {
    val caller = frames.find { !it.ofJdk }
    val driver = caller != null && caller.type in DRIVERS
    val row = row(frames)
    return when {
        blocked.how == How.NETWORK -> Reason(if (driver) Doing.DATABASE else Doing.NETWORK)
        row != null && blocked.how != How.LOCK -> row.value.reason(row.index)
        driver && blocked.how !in setOf(How.LOCK, How.SEMAPHORE) -> Reason(Doing.DATABASE)
        else -> primitive(frames, blocked)
    }
}

/** Only frames of the library that called the JDK: what it calls, such as a factory of connections, blocks for its own reasons. */
private fun row(frames: List<Frame>): IndexedValue<Row>? {
    val first = frames.indexOfFirst { !it.ofJdk }.takeIf { it >= 0 && !frames[it].own } ?: return null
    val callers = frames.drop(first).takeWhile { !it.own }
    return callers.takeWhile { sameLibrary(it, callers.first()) }.withIndex().firstNotNullOfOrNull { (index, frame) ->
        ROWS.find { row ->
            frame.call.startsWith(row.method) && (row.within.isEmpty() || callers.any { it.type.startsWith(row.within) })
        }?.let { IndexedValue(first + index, it) }
    }
}

private fun primitive(frames: List<Frame>, blocked: Blocked): Reason {
    // A condition is always part of something else, other methods of the JDK may have a lock of their own.
    val depth = frames.withIndex().indexOfFirst { (index, frame) ->
        index > blocked.frame && if (blocked.how == How.CONDITION) !frame.ofJdk else !frame.type.startsWith("jdk.internal.")
    }
    val caller = frames.getOrNull(depth)
    val place = caller?.type?.substringAfterLast('.')
    val wait = when (blocked.how) {
        How.SLEEP -> return Reason(Doing.SLEEPING)
        How.RESULT -> return Reason(Doing.AWAITING_RESULT)
        How.NETWORK -> return Reason(Doing.NETWORK)
        How.FILE -> return Reason(Doing.FILE)
        How.SEMAPHORE -> SEMAPHORE to "permits of the semaphore in $place"
        How.LOCK -> LOCK to "${frames[blocked.frame].type.substringAfterLast('.').substringBefore('$')} in $place"
        How.CONDITION -> POOL to "objects of $place"
    }
    if (caller == null) return Reason(Doing.UNKNOWN)
    val (kind, noun) = wait
    return Reason(Doing.WAITING, Wait(kind, noun, "$noun, ${caller.method}", depth))
}

/**
 * A thread in state BLOCKED waits to enter a block or method that is `synchronized`, in its innermost frame. [identity] is the object whose
 * monitor it waits for, null if unknown.
 */
internal fun monitor(frames: List<Frame>, identity: String?): Reason {
    val top = frames.firstOrNull() ?: return Reason(Doing.UNKNOWN)
    val type = identity?.substringBefore('@')?.takeUnless { it.startsWith("java.lang.") } ?: top.type
    val noun = "monitor of ${if (top.type == MAP) MAP_ENTRY else type.substringAfterLast('.')}"
    return Reason(Doing.WAITING, Wait(MONITOR, noun, identity ?: "$noun, ${top.method}", 0))
}
