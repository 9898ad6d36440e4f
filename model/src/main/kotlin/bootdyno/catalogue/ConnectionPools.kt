package bootdyno.catalogue

import bootdyno.catalogue.ResourceKind.CLIENT_CONNECTIONS
import bootdyno.catalogue.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.catalogue.ResourceKind.POOL
import bootdyno.catalogue.ResourceKind.RATE_LIMITER

private const val COMMONS_POOL = "org.apache.commons.pool2.impl.Generic"
private const val BORROWER = "reactor.pool.AbstractPool\$Borrower"

val HIKARI = KnownResource(
    DATABASE_CONNECTIONS,
    "HikariCP connections",
    SizeSetting("spring.datasource.hikari.maximum-pool-size", "hikari-connections", 10),
    waits = calls("com.zaxxer.hikari.util.ConcurrentBag.borrow"),
    beans = PoolBeans(
        "com.zaxxer.hikari:type=Pool (%s)",
        size = "MaximumPoolSize",
        inUse = "ActiveConnections",
        waiting = "ThreadsAwaitingConnection",
        sizeBean = "com.zaxxer.hikari:type=PoolConfig (%s)",
        tag = "pool",
        metrics = mapOf(
            "ActiveConnections" to "hikaricp.connections.active",
            "ThreadsAwaitingConnection" to "hikaricp.connections.pending",
            "MaximumPoolSize" to "hikaricp.connections.max",
        ),
        whileRunning = WhileRunning(notAbove = "MinimumIdle", evict = "softEvictConnections"),
    ),
    objects = CountedObjects("com.zaxxer.hikari.pool.PoolEntry", pool = "com.zaxxer.hikari.pool.HikariPool"),
    busyWaiting = BusyWaitingAdvice(
        "com.zaxxer.hikari.",
        "Update HikariCP to 7.1.0 or later: earlier ones do this, and stand still under virtual threads",
    ),
    opening = opening("HikariCP", "com.zaxxer.hikari.pool.HikariPool\$PoolEntryCreator.call"),
)

/** Its waiting requests and connections are counted, because they have no thread. */
val R2DBC = KnownResource(
    DATABASE_CONNECTIONS,
    "R2DBC connections",
    SizeSetting("spring.r2dbc.pool.max-size", "r2dbc-connections", 10),
    // One for each connection in use.
    objects = CountedObjects("io.r2dbc.pool.PooledConnection", waiter = BORROWER),
)

val REACTOR_NETTY = KnownResource(
    CLIENT_CONNECTIONS,
    "connections of Reactor Netty's client",
    setBy = "`maxConnections` of its `ConnectionProvider`",
    objects = CountedObjects("reactor.netty.resources.DefaultPooledConnectionProvider\$PooledConnection", waiter = BORROWER),
)

/** Each request has a borrower from when it asks for a unit until it gives it back. There is a reference for each unit, idle ones too. */
val REACTOR_POOL = KnownResource(
    POOL,
    "objects of a reactor-pool",
    setBy = "`sizeBetween` of its `PoolBuilder`",
    objects = CountedObjects(
        "reactor.pool.SimpleDequePool\$QueuePooledRef",
        waiter = BORROWER,
        pool = "reactor.pool.SimpleDequePool",
    ),
)

/** Pools of connections to databases and other peers. Of two that fit a wait, the first counts. */
internal val CONNECTION_POOLS = listOf(
    HIKARI,
    KnownResource(
        DATABASE_CONNECTIONS,
        "Tomcat JDBC connections",
        SizeSetting("spring.datasource.tomcat.max-active", "tomcat-jdbc-connections", 100),
        waits = calls("org.apache.tomcat.jdbc.pool."),
        beans = PoolBeans("*:type=ConnectionPool,*", size = "MaxActive", inUse = "Active", waiting = "WaitCount"),
        objects = CountedObjects(
            "org.apache.tomcat.jdbc.pool.PooledConnection",
            pool = "org.apache.tomcat.jdbc.pool.ConnectionPool",
        ),
    ),
    KnownResource(
        DATABASE_CONNECTIONS,
        "DBCP connections",
        SizeSetting("spring.datasource.dbcp2.max-total", "dbcp-connections", 8),
        waits = listOf(WaitingCall(COMMONS_POOL, within = "org.apache.commons.dbcp2.")),
        // Registered with spring.jmx.enabled or spring.datasource.dbcp2.jmx-name.
        beans = PoolBeans("*:type=BasicDataSource,*", size = "MaxTotal", inUse = "NumActive"),
        objects = CountedObjects(
            "org.apache.commons.dbcp2.PoolableConnection",
            pool = "org.apache.commons.dbcp2.PoolableConnectionFactory",
        ),
    ),
    KnownResource(
        DATABASE_CONNECTIONS,
        "connections of DBCP 1",
        setBy = "`maxActive` of its data source",
        waits = listOf(WaitingCall("org.apache.commons.pool.impl.Generic", within = "org.apache.commons.dbcp.")),
    ),
    KnownResource(
        DATABASE_CONNECTIONS,
        "Tomcat DBCP connections",
        setBy = "`maxTotal` of the resource in Tomcat's context",
        waits = calls("org.apache.tomcat.dbcp.pool2.impl.Generic"),
        beans = PoolBeans("*:type=DataSource,*", size = "maxTotal", inUse = "numActive"),
        objects = CountedObjects(
            "org.apache.tomcat.dbcp.dbcp2.PoolableConnection",
            pool = "org.apache.tomcat.dbcp.dbcp2.PoolableConnectionFactory",
        ),
    ),
    KnownResource(
        DATABASE_CONNECTIONS,
        "Druid connections",
        SizeSetting("spring.datasource.druid.max-active", "druid-connections", 8),
        waits = calls("com.alibaba.druid.pool.DruidDataSource."),
        beans = PoolBeans(
            "com.alibaba.druid:type=DruidDataSource,id=%s",
            size = "MaxActive",
            inUse = "ActiveCount",
            waiting = "WaitThreadCount",
        ),
        objects = CountedObjects("com.alibaba.druid.pool.DruidConnectionHolder"),
        opening = opening("Druid", "com.alibaba.druid.pool.DruidAbstractDataSource.createPhysicalConnection"),
    ),
    KnownResource(
        DATABASE_CONNECTIONS,
        "c3p0 connections",
        setBy = "`maxPoolSize` of its data source, or `-Dc3p0.maxPoolSize`",
        waits = calls("com.mchange.v2.resourcepool.BasicResourcePool."),
        beans = PoolBeans(
            "com.mchange.v2.c3p0:type=PooledDataSource,*",
            size = "maxPoolSize",
            inUse = "numBusyConnectionsDefaultUser",
            waiting = "numThreadsAwaitingCheckoutDefaultUser",
        ),
        objects = CountedObjects("com.mchange.v2.c3p0.impl.NewPooledConnection"),
    ),
    KnownResource(
        DATABASE_CONNECTIONS,
        "UCP connections",
        // By default, the pool has no limit.
        SizeSetting("spring.datasource.oracleucp.max-pool-size", "ucp-connections") { null },
        waits = calls("oracle.ucp."),
        beans = PoolBeans(
            "oracle.ucp.admin.UniversalConnectionPoolMBean:*",
            size = "maxPoolSize",
            inUse = "borrowedConnectionsCount",
        ),
    ),
    KnownResource(
        DATABASE_CONNECTIONS,
        "Agroal connections",
        SizeSetting("spring.datasource.agroal.max-size", "agroal-connections") { null },
        waits = calls("io.agroal.pool."),
        objects = CountedObjects("io.agroal.pool.ConnectionHandler", pool = "io.agroal.pool.ConnectionPool"),
    ),
    databasePool("Vibur connections", setBy = "`poolMaxSize` of its data source", "org.vibur.objectpool.ConcurrentPool."),
    databasePool("Atomikos connections", setBy = "its `maxPoolSize`, 1 by default", "com.atomikos.datasource.pool."),
    KnownResource(
        DATABASE_CONNECTIONS,
        "MongoDB connections",
        setBy = "`maxPoolSize` in its connection string",
        waits = calls("com.mongodb.internal.connection.ConcurrentPool.", "com.mongodb.internal.connection.DefaultConnectionPool"),
        // One for each connection in use, and a pool for each server.
        objects = CountedObjects(
            "com.mongodb.internal.connection.DefaultConnectionPool\$PooledConnection",
            pool = "com.mongodb.internal.connection.DefaultConnectionPool",
        ),
    ),
    redisPool("Jedis", library = "redis.clients."),
    redisPool("Lettuce", library = "io.lettuce."),
    KnownResource(
        CLIENT_CONNECTIONS,
        "connections of Apache HttpClient",
        setBy = "`setMaxConnPerRoute` and `setMaxConnTotal` of its connection manager",
        waits = calls(
            "org.apache.commons.httpclient.MultiThreadedHttpConnectionManager.",
            "org.apache.http.pool.",
            "org.apache.http.impl.conn.tsccm.",
            "org.apache.hc.core5.pool.",
            "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager",
        ),
    ),
    R2DBC,
    REACTOR_NETTY,
    REACTOR_POOL,
    KnownResource(POOL, "objects of a commons-pool2 pool", setBy = "`setMaxTotal`", waits = listOf(WaitingCall(COMMONS_POOL))),
)

private fun redisPool(client: String, library: String) = KnownResource(
    CLIENT_CONNECTIONS,
    "$client connections",
    SizeSetting("spring.data.redis.${client.lowercase()}.pool.max-active", "${client.lowercase()}-connections", 8),
    waits = listOf(WaitingCall(COMMONS_POOL, within = library)),
)

private fun databasePool(noun: String, setBy: String, vararg methods: String) =
    KnownResource(DATABASE_CONNECTIONS, noun, setBy = setBy, waits = calls(*methods))

/** One connection after the other is opened, in [method]. */
private fun opening(pool: String, method: String) = KnownResource(
    RATE_LIMITER,
    "opening of $pool connections",
    setBy = "a database that accepts connections faster, or accepts more of them",
    frames = listOf(method),
)
